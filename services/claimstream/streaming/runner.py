"""The loop of every service: poll, decode, judge in micro-batches, publish with the offsets, and go on.

One thread calls `step`; judging runs in the worker, so that polling, and with it the membership of the group,
never waits for it. The records of a batch and its offsets are published in one piece. The file is longer than most
because its rules only make sense side by side: what each event drops, keeps, and reads again.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from claimstream.errors import Fenced, PublishAborted, Unavailable
from claimstream.ports.broker import Channel, Partition, Record
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import ABORTS, BATCH_FILL, DEADLINES_MISSED, Metrics
from claimstream.ports.pauses import PauseStore
from claimstream.ports.tracing import Tracer
from claimstream.streaming.assembler import Assembler, BatchLimits, Entry
from claimstream.streaming.backoff import Backoff, Jitter, Retry
from claimstream.streaming.batch import Batch
from claimstream.streaming.deadletters import DeadLetterLimits, TenantHistory
from claimstream.streaming.deadline import Deadline
from claimstream.streaming.health import STARTING, Health, health
from claimstream.streaming.holds import Holds
from claimstream.streaming.intake import Intake
from claimstream.streaming.outcomes import Handler
from claimstream.streaming.pipeline import Pipeline
from claimstream.streaming.report import Reporter
from claimstream.streaming.settlement import Settlement, settle
from claimstream.streaming.worker import Worker

T = TypeVar("T")
logger = logging.getLogger(__name__)

ABORTS_WORTH_A_PERSON = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerLimits:
    """The loop's own numbers."""

    drain_seconds: float = 10.0
    """How long a revoke or a shutdown waits for the batch in flight."""
    poll_records: int = 128
    busy_poll_seconds: float = 0.02
    """The longest poll while a batch is in flight: how late its end may be noticed."""
    idle_poll_seconds: float = 0.25
    watch_seconds: float = 1.0
    """How often marks of paused tenants are looked at."""
    report_seconds: float = 5.0


class Runner(Generic[T]):
    """Runs one handler on the records of some topics. Not thread-safe."""

    def __init__(
        self,
        *,
        topics: Sequence[str],
        channel: Channel,
        intake: Intake[T],
        handler: Handler[T],
        worker: Worker,
        clock: Clock,
        metrics: Metrics,
        tracer: Tracer,
        pauses: PauseStore,
        jitter: Jitter,
        limits: RunnerLimits | None = None,
        batches: BatchLimits | None = None,
        dead_letters: DeadLetterLimits | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self._topics = tuple(topics)
        self._channel = channel
        self._intake = intake
        self._clock = clock
        self._metrics = metrics
        self._tracer = tracer
        self._worker = worker
        self._limits = limits or RunnerLimits()
        self._dead_letters = dead_letters or DeadLetterLimits()
        backoff = backoff or Backoff()
        self._publishing = Retry(backoff, clock, jitter)
        self._aborts = Retry(backoff, clock, jitter)
        self._rewinding = Retry(backoff, clock, jitter)
        self._buffer: Assembler[T] = Assembler(batches or BatchLimits())
        self._work: Pipeline[T] = Pipeline(handler, worker, self._buffer, Retry(backoff, clock, jitter))
        self._holds = Holds(pauses, clock, self._limits.watch_seconds)
        self._report = Reporter(clock, metrics, self._limits.report_seconds)
        self._histories: dict[str, TenantHistory] = {}
        self._rewind: set[Partition] = set()
        self._paused: set[Partition] = set()
        self._throttled = False
        self._polled = False
        self._broker_down = ""
        self._deadline: Deadline | None = None
        self._stopped = False

    @property
    def health(self) -> Health:
        """The state now, with its reasons."""
        if not self._polled and not self._broker_down:
            return STARTING
        unhealthy = self._holds.reasons()
        degraded = [f"broker: {self._broker_down}"] if self._broker_down else []
        waiting = {"handler": self._work.retry, "publish": self._publishing, "rewind": self._rewinding}
        degraded += [f"{name}: {retry.reason}" for name, retry in waiting.items() if retry.failing]
        if self._aborts.failing:
            text = f"{self._aborts.failures} publications in a row were aborted: {self._aborts.reason}"
            (unhealthy if self._aborts.failures >= ABORTS_WORTH_A_PERSON else degraded).append(text)
        return health(unhealthy=tuple(unhealthy), degraded=tuple(degraded))

    def start(self) -> None:
        """Join the group. Raises Unavailable when no broker answers."""
        self._channel.subscribe(self._topics, self)

    def step(self) -> None:
        """One turn of the loop; returns after at most about one poll and one publication.

        Raises Fenced when another instance has this one's identity, ConfigurationError from the handler.
        """
        self._watch()
        self._rewind_due()
        self._throttle()
        self._take_in(self._poll())
        self._work.harvest()
        self._start_next()
        self._publish_judged()
        self._report.step(self._channel, self._holds.tenants(), self._work.oldest())

    def close(self) -> None:
        """Finish the batch in flight if the deadline allows, drop the rest, leave the group. Idempotent."""
        if self._stopped:
            return
        self._deadline = Deadline.after(self._clock, self._limits.drain_seconds)
        try:
            self._finish(self._work.partitions(), self._deadline, "shutdown")
        finally:
            self._stopped = True
            self._drop(self._work.partitions(), "shutdown")
            self._worker.close()
            self._channel.close()

    def abandon(self) -> None:
        """Drop everything and close: for a member that was fenced or failed, which must not publish."""
        self._stopped = True
        self._drop(self._work.partitions(), "abandoned")
        self._worker.close()
        self._channel.close()

    # What the channel tells us; called inside `poll` and `close`.

    def revoked(self, partitions: Collection[Partition]) -> None:
        """Publish what is in flight if the deadline allows; drop the rest of these partitions."""
        if not self._stopped:
            deadline = self._deadline or Deadline.after(self._clock, self._limits.drain_seconds)
            self._finish(partitions, deadline, "revoke")
        self._forget(partitions)

    def lost(self, partitions: Collection[Partition]) -> None:
        """Drop the work on these partitions, without publishing: another member has them."""
        self._forget(partitions)

    def _forget(self, partitions: Collection[Partition]) -> None:
        gone = set(partitions)
        self._drop(gone, "revoked")
        self._rewind -= gone
        self._paused -= gone
        self._holds.forget(gone)

    # Reading.

    def _poll(self) -> Sequence[Record]:
        try:
            records = self._channel.poll(self._patience(), self._limits.poll_records)
        except Unavailable as error:
            self._broker_down = str(error)
            return ()
        self._broker_down = ""
        self._polled = True
        return records

    def _patience(self) -> float:
        if any(self._work.batches()) or not self._aborts.due:
            return self._limits.busy_poll_seconds
        due = self._buffer.ready_in(self._clock.monotonic())
        return self._limits.idle_poll_seconds if due is None else min(due, self._limits.idle_poll_seconds)

    def _take_in(self, records: Sequence[Record]) -> None:
        for record in records:
            partition = record.partition
            if partition in self._rewind or partition in self._holds:
                continue
            entry = self._intake.entry(record)
            if entry.tenant in self._holds.tenants():
                self._holds.hold(partition, entry.tenant)
                self._end([entry], "held")
                continue
            self._buffer.add(entry)

    def _throttle(self) -> None:
        """Pause what must not be read now, resume the rest."""
        self._throttled = self._buffer.full or (self._throttled and not self._buffer.low)
        waiting = self._work.retry.failing or self._publishing.failing or self._rewinding.failing
        assigned = self._channel.assignment()
        held = set(self._holds.partitions())
        wanted = set(assigned) if waiting or self._throttled else held & assigned
        if to_pause := wanted - self._paused:
            self._channel.pause(to_pause)
        if to_resume := (self._paused & assigned) - wanted:
            self._channel.resume(to_resume)
        self._paused = wanted

    def _watch(self) -> None:
        """Notice tenants that were resumed: their partitions are read again from what is committed."""
        for tenant in self._holds.watch():
            self._histories.pop(tenant, None)
        if self._holds.partitions():
            self._rewind |= self._holds.release(self._work.partitions())

    def _rewind_due(self) -> None:
        if not self._rewind:
            self._rewinding.succeeded()
        if not self._rewind or not self._rewinding.due:
            return
        try:
            self._rewind &= self._channel.assignment()
            self._channel.rewind(self._rewind)
        except Unavailable as error:
            self._rewinding.failed(str(error))
            return
        self._rewinding.succeeded()
        self._rewind.clear()

    # Judging and publishing.

    def _start_next(self) -> None:
        self._work.restart()
        if self._work.judging is not None or not self._aborts.due:
            return
        if self._buffer.ready_in(self._clock.monotonic()) != 0.0:
            return
        entries = self._buffer.take()
        self._metrics.observe(BATCH_FILL, self._buffer.fill(entries))
        now = self._clock.time_ns()
        span = self._tracer.batch([entry.span for entry in entries], now)
        self._work.start(Batch(entries, span, now))

    def _finish(self, partitions: Collection[Partition], deadline: Deadline, name: str) -> None:
        """Publish the batches that touch these partitions, as far as the deadline allows."""
        for _ in range(2):
            if not self._work.touches(partitions):
                return
            self._work.harvest(deadline.remaining())
            self._publish_judged()
        if self._work.touches(partitions):
            logger.warning("the %s could not wait for the batch in flight, it will be judged again", name)
            self._metrics.add(DEADLINES_MISSED, labels={"deadline": name})

    def _publish_judged(self) -> None:
        batch = self._work.judged
        if batch is None or batch.results is None or not self._publishing.due:
            return
        settlement = settle(
            batch.entries,
            batch.results,
            dropped=batch.dropped,
            histories=self._histories,
            limits=self._dead_letters,
            paused=self._holds.tenants(),
        )
        for tenant, reason in settlement.tripped.items():
            self._holds.trip(tenant, reason)
        if self._published(settlement):
            self._settled(batch, settlement)

    def _published(self, settlement: Settlement[T]) -> bool:
        start_ns = self._clock.time_ns()
        try:
            if settlement.offsets:
                self._channel.publish(settlement.records, settlement.offsets)
        except PublishAborted as error:
            self._aborted(error)
            return False
        except Unavailable as error:
            self._publishing.failed(str(error))
            return False
        except Fenced:
            self._stopped = True
            raise
        self._publishing.succeeded()
        self._aborts.succeeded()
        self._report.published(settlement, start_ns)
        return True

    def _settled(self, batch: Batch[T], settlement: Settlement[T]) -> None:
        self._work.judged = None
        self._histories = settlement.histories
        batch.close(self._clock.time_ns())
        for partition, tenant in settlement.held.items():
            self._holds.hold(partition, tenant)
        settled = {id(entry) for entry, _ in settlement.settled}
        self._end([entry for entry in batch.drop(settlement.held) if id(entry) not in settled], "held")
        self._drop(settlement.held, "held")

    def _aborted(self, error: PublishAborted) -> None:
        """Nothing that was read and not committed counts: read it again."""
        logger.warning("a publication was aborted, its records are read again: %s", error)
        self._metrics.add(ABORTS)
        self._publishing.succeeded()  # what could not be published is no longer there
        self._aborts.failed(str(error))
        self._drop(self._work.partitions(), "aborted")
        self._work.judged = None
        assigned = self._channel.assignment()
        self._holds.forget(assigned)
        self._rewind |= assigned

    def _drop(self, partitions: Collection[Partition], why: str) -> None:
        """Forget these partitions' records, wherever they are: they are read again, here or elsewhere."""
        self._end(self._work.drop(partitions), why)
        for batch in self._work.batches():
            if not batch.partitions():
                batch.close(self._clock.time_ns(), error=why)

    def _end(self, entries: Collection[Entry[T]], why: str) -> None:
        now = self._clock.time_ns()
        for entry in entries:
            entry.span.end(now, {"claimstream.outcome": "dropped", "claimstream.dropped": why})
