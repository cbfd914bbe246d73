"""The two stages of work in flight: one batch judged in the worker, one judged and waiting to be published."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from claimstream.errors import Unavailable
from claimstream.ports.broker import Partition
from claimstream.streaming.assembler import Assembler, Entry
from claimstream.streaming.backoff import Retry
from claimstream.streaming.batch import Batch
from claimstream.streaming.handling import handle
from claimstream.streaming.outcomes import Handler
from claimstream.streaming.worker import Worker

T = TypeVar("T")


@dataclass(slots=True)
class Pipeline(Generic[T]):
    """Order is kept: a batch is published before the one that was started after it."""

    handler: Handler[T]
    worker: Worker
    buffer: Assembler[T]
    retry: Retry
    judging: Batch[T] | None = None
    judged: Batch[T] | None = None

    def start(self, batch: Batch[T]) -> None:
        """Hand a batch to the worker."""
        work = partial(handle, batch.entries, self.handler)
        batch.job = self.worker.submit(work)
        self.judging = batch

    def harvest(self, wait_seconds: float = 0.0) -> None:
        """Move the batch to the second stage when it is judged and that stage is free.

        A batch whose handler raised Unavailable stays where it is, to be started again when it is due.
        """
        batch = self.judging
        if batch is None or batch.job is None or self.judged is not None or not batch.job.wait(wait_seconds):
            return
        job, batch.job = batch.job, None
        if not batch.partitions():
            self._forget_judging()
            return
        try:
            batch.results = job.result()
        except Unavailable as error:
            self.retry.failed(str(error))
            return
        self.retry.succeeded()
        self.judging, self.judged = None, batch

    def restart(self) -> None:
        """Try a batch again that waits for a dependency, when it is due."""
        batch = self.judging
        if batch is None or batch.job is not None:
            return
        if not batch.partitions():
            self._forget_judging()
        elif self.retry.due:
            self.start(batch)

    def batches(self) -> Iterator[Batch[T]]:
        """Those in flight, the older one first."""
        yield from (batch for batch in (self.judged, self.judging) if batch is not None)

    def _forget_judging(self) -> None:
        """Nothing of the batch counts any more, and so neither do its failures."""
        self.judging = None
        self.retry.succeeded()

    def touches(self, partitions: Collection[Partition]) -> bool:
        """Whether a batch in flight holds records of these partitions."""
        return any(not batch.partitions().isdisjoint(partitions) for batch in self.batches())

    def drop(self, partitions: Collection[Partition]) -> list[Entry[T]]:
        """Take partitions out of everything, buffered or in flight; returns the entries that are gone."""
        gone = self.buffer.drop(partitions)
        for batch in self.batches():
            gone += batch.drop(partitions)
        return gone

    def partitions(self) -> set[Partition]:
        """The partitions with something buffered or in flight."""
        return self.buffer.partitions().union(*(batch.partitions() for batch in self.batches()))

    def oldest(self) -> float | None:
        """When the oldest entry that is not committed was read."""
        for batch in self.batches():
            return batch.oldest()
        return self.buffer.oldest()
