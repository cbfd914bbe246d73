"""The loop on a table: a runner with its channel, and a handler that writes one response verdict a response."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from claimstream.contracts.codec import decode_response
from claimstream.contracts.messages import Action, ResponseState, ResponseV1, ResponseVerdictV1, Versions
from claimstream.contracts.topics import RESPONSE_VERDICTS, RESPONSES, RESPONSES_DLQ
from claimstream.ports.broker import Channel
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import Metrics
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.ports.pauses import PauseStore
from claimstream.ports.tracing import Tracer
from claimstream.streaming.assembler import BatchLimits
from claimstream.streaming.backoff import Backoff
from claimstream.streaming.deadletters import DeadLetterLimits
from claimstream.streaming.intake import Intake
from claimstream.streaming.outcomes import Addressed, DeadLetter, Drop, Handler, Outcome, Publish, Received
from claimstream.streaming.runner import Runner, RunnerLimits
from claimstream.streaming.worker import Worker
from claimstream.testing.broker import MemoryBroker, MemoryChannel
from claimstream.testing.clock import FakeClock
from claimstream.testing.pauses import MemoryPauseStore
from claimstream.testing.telemetry import MemoryMetrics, MemoryTracer
from claimstream.testing.worker import ManualWorker

VERSIONS = Versions(model="m", embedder="e", generation="g", thresholds="t", policy="p", code="c")
GROUP = "verifiers"


def response_bytes(response_id: str, *, tenant: str = "acme", text: str = "Hello.", **changes: Any) -> bytes:
    fields = {
        "response_id": response_id,
        "tenant": tenant,
        "bot": "support",
        "model": "gpt",
        "text": text,
        "responded_at": "2026-01-01T00:00:00Z",
    }
    return json.dumps(fields | changes).encode()


def verdict_of(response: ResponseV1) -> ResponseVerdictV1:
    return ResponseVerdictV1(
        response_id=response.response_id,
        tenant=response.tenant,
        corpus=response.corpus,
        bot=response.bot,
        model=response.model,
        responded_at=datetime(2026, 1, 1, tzinfo=UTC),
        state=ResponseState.NO_CHECKED_CLAIM,
        labels={},
        kinds={},
        claims=[],
        action=Action.PASS,
        action_text=response.text,
        evidence_ids=[],
        policy="p",
        versions=VERSIONS,
    )


def publish(received: Received[ResponseV1], topic: str = RESPONSE_VERDICTS.name) -> Publish:
    response = received.message
    return Publish((Addressed(topic, response.response_id, verdict_of(response)),))


@dataclass
class ScriptedHandler:
    """One verdict a response, unless `script` says otherwise for a response id; `before` runs first."""

    script: dict[str, Outcome | Exception] = field(default_factory=dict)
    before: Callable[[], None] = lambda: None
    topic: str = RESPONSE_VERDICTS.name
    seen: list[list[str]] = field(default_factory=list)

    def __call__(self, batch: Sequence[Received[ResponseV1]]) -> Sequence[Outcome]:
        self.seen.append([one.message.response_id for one in batch])
        self.before()
        return [self._outcome(one) for one in batch]

    def _outcome(self, received: Received[ResponseV1]) -> Outcome:
        scripted = self.script.get(received.message.response_id)
        if isinstance(scripted, Exception):
            raise scripted
        return scripted or publish(received, self.topic)

    @property
    def handled(self) -> list[str]:
        return [one for batch in self.seen for one in batch]


def make_runner(
    channel: Channel,
    handler: Handler[ResponseV1],
    worker: Worker,
    clock: Clock,
    *,
    topic: str = RESPONSES.name,
    metrics: Metrics | None = None,
    tracer: Tracer | None = None,
    pauses: PauseStore | None = None,
    limits: RunnerLimits | None = None,
    batches: BatchLimits | None = None,
    dead_letters: DeadLetterLimits | None = None,
    backoff: Backoff | None = None,
) -> Runner[ResponseV1]:
    tracer = tracer or NullTracer()
    return Runner(
        topics=[topic],
        channel=channel,
        intake=Intake(decode_response, lambda response: response.tenant, clock, tracer),
        handler=handler,
        worker=worker,
        clock=clock,
        metrics=metrics or NullMetrics(),
        tracer=tracer,
        pauses=pauses or MemoryPauseStore(),
        jitter=lambda: 0.5,
        limits=limits,
        batches=batches,
        dead_letters=dead_letters,
        backoff=backoff,
    )


class Loop:
    """A runner on a broker in memory, on a clock that moves by polling."""

    def __init__(self, partitions: int = 2, broker: MemoryBroker | None = None, **options: Any) -> None:
        self.clock = broker.clock if broker else FakeClock()
        self.broker = broker or MemoryBroker(self.clock)
        for topic, count in ((RESPONSES, partitions), (RESPONSE_VERDICTS, 2), (RESPONSES_DLQ, 1)):
            self.broker.create(topic.name, count)
        self.worker = options.pop("worker", None) or ManualWorker(self.clock)
        self.handler = options.pop("handler", None) or ScriptedHandler()
        self.pauses = options.pop("pauses", None) or MemoryPauseStore()
        self.metrics = MemoryMetrics()
        self.tracer = MemoryTracer()
        self.channel: MemoryChannel = self.broker.channel(GROUP, options.pop("identity", "verifier-0"))
        self.runner = make_runner(
            self.channel,
            self.handler,
            self.worker,
            self.clock,
            metrics=self.metrics,
            tracer=self.tracer,
            pauses=self.pauses,
            **options,
        )
        self.runner.start()

    def send(self, *ids: str, partition: int | None = None, tenant: str = "acme", text: str = "Hello.") -> None:
        for one in ids:
            value = response_bytes(one, tenant=tenant, text=text)
            self.broker.produce(RESPONSES.name, value, key=one.encode(), partition=partition)

    def send_poison(self, count: int = 1, partition: int = 0, tenant: str = "acme") -> None:
        for _ in range(count):
            value = json.dumps({"tenant": tenant, "text": 1}).encode()
            self.broker.produce(RESPONSES.name, value, partition=partition)

    def steps(self, count: int = 1) -> None:
        for _ in range(count):
            self.runner.step()

    def settle(self, limit: int = 200) -> None:
        """Step until nothing is left to read, or the limit is over."""
        for _ in range(limit):
            self.runner.step()
            if self.done:
                return

    @property
    def done(self) -> bool:
        return sum(self.committed.values()) == sum(self.broker.ends(RESPONSES.name).values())

    @property
    def committed(self) -> dict[int, int]:
        return self.broker.committed(GROUP, RESPONSES.name)

    @property
    def verdicts(self) -> list[str]:
        return [(record.key or b"").decode() for record in self.broker.records(RESPONSE_VERDICTS.name)]

    @property
    def dead(self) -> list[dict[str, str]]:
        return [
            {name: value.decode() for name, value in record.headers}
            for record in self.broker.records(RESPONSES_DLQ.name)
        ]


DROP = Drop("not needed")
DEAD = DeadLetter("not_for_us", "the handler says so")
