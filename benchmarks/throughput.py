"""The whole pipeline against the bare NLI session on the same pairs, interleaved a micro-batch at a time."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from probes import RecordingScorer, Tally, TimedEmbedder, TimedParser

from claimstream.adapters.system.clock import SystemClock
from claimstream.contracts.messages import Label, ResponseV1
from claimstream.ports.metrics import CACHE_LOOKUPS
from claimstream.ports.models import EntailmentScorer, Pair
from claimstream.ports.tracing import Stage
from claimstream.runtime.engines import Engines
from claimstream.testing.telemetry import MemoryMetrics
from claimstream.verifier.app import compose
from claimstream.verifier.pipeline import Verification, Verifier
from claimstream.verifier.settings import VerifierSettings
from claimstream.verifier.stages import Stretch

RETRIEVAL = "retrieval"


@dataclass(slots=True)
class Parts:
    """Models that are loaded once and shared by all verifiers of a run; their tallies go on counting."""

    parser: TimedParser
    embedder: TimedEmbedder
    scorer: RecordingScorer

    def reset(self) -> None:
        """Forget what was counted so far."""
        self.parser.tally, self.embedder.tally, self.scorer.tally = Tally(), Tally(), Tally()

    def verifier(self, settings: VerifierSettings, engines: Engines, metrics: MemoryMetrics) -> Verifier:
        """A verifier with an empty score cache."""
        return compose(
            settings,
            engines,
            SystemClock(),
            metrics,
            parser=self.parser,
            embedder=self.embedder,
            scorer=self.scorer,
        )


@dataclass(frozen=True, slots=True)
class Round:
    """One micro-batch, judged, scored by the bare session, judged again with another cold cache; seconds."""

    responses: int
    claims: int
    calls: tuple[Sequence[Pair], ...]
    pipeline: tuple[float, float]
    bare: float
    cpu: float
    """CPU seconds of this process in the first judgement."""

    @property
    def pairs(self) -> int:
        """Pairs that reached the model in one judgement."""
        return sum(map(len, self.calls))

    @property
    def ratio(self) -> float:
        """Throughput of the pipeline as a share of the bare session's."""
        return 2 * self.bare / sum(self.pipeline)


@dataclass(slots=True)
class Throughput:
    """All rounds, the wall clock by stage over both judgements, and what became of the claims."""

    rounds: list[Round] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    """How often each checked claim occurs."""
    shared: int = 0
    """Look-ups of a pair that the same claim has already: overlapping passages share sentences."""

    @property
    def pipeline_seconds(self) -> float:
        """Both judgements of everything."""
        return sum(sum(one.pipeline) for one in self.rounds)

    @property
    def ratio(self) -> float:
        """Over all rounds."""
        return 2 * sum(one.bare for one in self.rounds) / self.pipeline_seconds


def measure(
    batches: Sequence[Sequence[ResponseV1]], settings: VerifierSettings, engines: Engines, parts: Parts
) -> Throughput:
    """Pipeline, bare, pipeline for each micro-batch, so that a machine that grows busy slows both sides alike."""
    metrics = MemoryMetrics(), MemoryMetrics()
    verifiers = [parts.verifier(settings, engines, one) for one in metrics]
    result = Throughput()
    for batch in batches:
        result.rounds.append(_round(batch, verifiers, parts, result))
    result.shared = int(metrics[0].total(CACHE_LOOKUPS, hit="true"))
    return result


def _round(batch: Sequence[ResponseV1], verifiers: Sequence[Verifier], parts: Parts, result: Throughput) -> Round:
    parts.scorer.taken()
    cpu = time.process_time()
    first, verification = _judge(verifiers[0], batch)
    cpu = time.process_time() - cpu
    _note(verification, result)
    calls = parts.scorer.taken()
    bare = _score(parts.scorer.scorer, calls)
    second, again = _judge(verifiers[1], batch)
    _add_stages(again, result.stages)
    claims = sum(claim.label is not Label.NOT_CHECKED for one in verification.judged for claim in one.claims)
    return Round(len(batch), claims, tuple(calls), (first, second), bare, cpu)


def _judge(verifier: Verifier, batch: Sequence[ResponseV1]) -> tuple[float, Verification]:
    started = time.perf_counter()
    verification = verifier.verify(batch)
    return time.perf_counter() - started, verification


def _score(scorer: EntailmentScorer, calls: Sequence[Sequence[Pair]]) -> float:
    started = time.perf_counter()
    for pairs in calls:
        scorer.score(pairs)
    return time.perf_counter() - started


def _note(verification: Verification, result: Throughput) -> None:
    claims = [claim for one in verification.judged for claim in one.claims]
    result.labels.update(claim.label.value for claim in claims)
    result.claims.update(claim.text for claim in claims if claim.label is not Label.NOT_CHECKED)
    _add_stages(verification, result.stages)


def _add_stages(verification: Verification, stages: Counter[str]) -> None:
    """Seconds by stage; the legs run beside each other: one stretch from the first ask to the last answer."""
    legs = [stretch for stretch in verification.stretches if stretch.stage in (Stage.DENSE, Stage.SPARSE)]
    for stretch in verification.stretches:
        if stretch not in legs:
            stages[stretch.stage.value] += stretch.seconds  # type: ignore[assignment]  # a Counter of seconds
    stages[RETRIEVAL] += _hull(legs)  # type: ignore[assignment]


def _hull(stretches: Sequence[Stretch]) -> float:
    if not stretches:
        return 0.0
    return (max(s.end_ns for s in stretches) - min(s.start_ns for s in stretches)) / 1e9


def tallies(parts: Parts) -> dict[str, Tally]:
    """What each model took since the last reset; they are not counted on."""
    found = {"parser": parts.parser.tally, "embedder": parts.embedder.tally, "NLI": parts.scorer.tally}
    parts.reset()
    return found
