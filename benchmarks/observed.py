"""What telemetry costs: the handler with OTLP to a collector beside us against the handler without.

The model answers from memory here, so that a few milliseconds show; the share is of a judgement with the model.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from probes import RememberingScorer
from throughput import Parts

from claimstream.adapters.otel import Telemetry, telemetry_from_environment
from claimstream.adapters.system.clock import SystemClock
from claimstream.contracts.codec import decode_response, encode
from claimstream.contracts.messages import ResponseV1
from claimstream.contracts.topics import RESPONSES
from claimstream.ports.broker import Partition, Record
from claimstream.runtime.engines import Engines
from claimstream.streaming.intake import Intake
from claimstream.streaming.outcomes import Publish, Received
from claimstream.verifier.app import compose
from claimstream.verifier.handler import VerifyHandler
from claimstream.verifier.settings import VerifierSettings

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
ORDER = (False, True, True, False) * 3


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over all answers, sending included."""

    cpu_seconds: float
    wall_seconds: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians over the passes; `posts` and `sent_bytes` are what the collector took in all of them."""

    off: Pass
    on: Pass
    posts: int
    sent_bytes: int

    @property
    def cpu_seconds(self) -> float:
        """What telemetry adds to one pass."""
        return self.on.cpu_seconds - self.off.cpu_seconds


def measure(
    batches: Sequence[Sequence[ResponseV1]], settings: VerifierSettings, engines: Engines, parts: Parts
) -> Cost:
    """Passes with telemetry off and on, interleaved, each with telemetry of its own that is ended inside it."""
    records = [[_record(number, response) for number, response in enumerate(batch)] for batch in batches]
    passes: dict[bool, list[Pass]] = {False: [], True: []}
    with _collector() as (endpoint, taken):
        for on in ORDER:
            passes[on].append(_pass(records, settings, engines, parts, _telemetry(endpoint if on else None)))
    return Cost(_middle(passes[False]), _middle(passes[True]), *taken)


def _middle(passes: Sequence[Pass]) -> Pass:
    return Pass(median(one.cpu_seconds for one in passes), median(one.wall_seconds for one in passes))


def _pass(
    records: Sequence[Sequence[Record]],
    settings: VerifierSettings,
    engines: Engines,
    parts: Parts,
    telemetry: Telemetry,
) -> Pass:
    run = _handling(settings, engines, parts, telemetry)
    wall, cpu = time.perf_counter(), time.process_time()
    for batch in records:
        run(batch)
    if not telemetry.shutdown():
        raise TimeoutError("the collector of the benchmark did not take everything in 5 s: run again")
    return Pass(time.process_time() - cpu, time.perf_counter() - wall)


def _handling(
    settings: VerifierSettings, engines: Engines, parts: Parts, telemetry: Telemetry
) -> Callable[[Sequence[Record]], None]:
    """What the loop does with a micro-batch, Kafka left out: intake, spans, the handler, encoding."""
    clock, tracer, metrics = SystemClock(), telemetry.tracer, telemetry.metrics
    known = RememberingScorer(parts.scorer.identity, parts.scorer.known)
    verifier = compose(
        settings, engines, clock, metrics, parser=parts.parser, embedder=parts.embedder, scorer=known
    )
    handler = VerifyHandler(verifier, clock=clock, metrics=metrics, tracer=tracer)
    intake = Intake(decode_response, lambda response: response.tenant, clock, tracer)

    def run(batch: Sequence[Record]) -> None:
        entries = [intake.entry(record) for record in batch]
        span = tracer.batch([entry.span for entry in entries], clock.time_ns())
        outcomes = handler([entry.content for entry in entries if isinstance(entry.content, Received)])
        for entry, outcome in zip(entries, outcomes, strict=True):
            for addressed in outcome.messages if isinstance(outcome, Publish) else ():
                encode(addressed.message, entry.span.traceparent)
            entry.span.end(clock.time_ns())
        span.end(clock.time_ns())

    return run


def _record(number: int, response: ResponseV1) -> Record:
    value, headers = encode(response, None)
    return Record(
        partition=Partition(RESPONSES.name, 0),
        offset=number,
        key=response.response_id.encode(),
        value=value,
        headers=headers,
    )


def _telemetry(endpoint: str | None) -> Telemetry:
    """As a service opens it: from the environment, which is put back at once."""
    before = {name: value for name, value in os.environ.items() if name.startswith("OTEL_")}
    try:
        for name in before:
            del os.environ[name]
        if endpoint:
            os.environ[ENDPOINT] = endpoint
        return telemetry_from_environment(service="benchmark", group="benchmark")
    finally:
        os.environ.pop(ENDPOINT, None)
        os.environ.update(before)


@contextmanager
def _collector() -> Iterator[tuple[str, list[int]]]:
    """A collector in a process of its own: its address, and a list that holds posts and bytes once it has ended."""
    taken: list[int] = []
    program = [sys.executable, str(Path(__file__).with_name("sink.py"))]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}", taken
        process.stdin.close()
        taken += map(int, process.stdout.read().split())
