"""The figures as one page of text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from latency import Latencies, Milliseconds
from observed import Cost
from one_a_call import Comparison
from probes import Tally
from throughput import Throughput

from claimstream.adapters.onnx.threads import allowed_cpus

MIN_OF_BARE, MIN_OF_SINGLE, MIN_OF_CROSS_ENCODER = 0.8, 1.2, 4.0
MAX_PEAK_GB, MAX_TELEMETRY = 1.2, 0.03


@dataclass(frozen=True, slots=True)
class Memory:
    """What the verifier in a process of its own told."""

    ready: float
    first: float
    peak_bytes: int


@dataclass(slots=True)
class Figures:
    """Everything that was measured; `setting` describes machine and models, `loads` how busy the machine was."""

    setting: list[str]
    memory: Memory
    throughput: Throughput
    tallies: dict[str, Tally]
    comparisons: Sequence[Comparison]
    cost: Cost
    latencies: Latencies
    loads: list[tuple[str, float]] = field(default_factory=list)
    seconds: float = 0.0


def report(figures: Figures) -> str:
    """All parts, the targets first."""
    parts = (_setting, _targets, _rounds, _where, _one_a_call, _latencies, _telemetry)
    return "\n\n".join("\n".join(part(figures)) for part in parts)


def _setting(figures: Figures) -> Iterator[str]:
    yield "claimstream benchmark"
    yield from figures.setting
    yield "load average: " + ", ".join(f"{name} {value:.1f}" for name, value in figures.loads)
    yield f"took {figures.seconds:.0f} s; ratios are of things measured in turns, so that a busy machine hits both"
    if max(value for _, value in figures.loads) > allowed_cpus() + 1:
        yield "BUSY: other work ran beside this; every time is too long, and ratios are rough"


def _targets(figures: Figures) -> Iterator[str]:
    comparisons = figures.comparisons
    peak = figures.memory.peak_bytes / 1e9
    yield "TARGETS"
    yield _at_least("pipeline against the bare NLI session, same pairs", MIN_OF_BARE, figures.throughput.ratio)
    yield _at_least(
        "NLI batched against one pair a call", MIN_OF_SINGLE, _over(comparisons, lambda one: one.single)
    )
    yield _at_least(
        "NLI batched against CrossEncoder fp32, one a call",
        MIN_OF_CROSS_ENCODER,
        _over(comparisons, lambda one: one.reference),
    )
    yield _at_most("peak memory of a verifier process, GB", MAX_PEAK_GB, f"{peak:.2f}", peak < MAX_PEAK_GB)
    share = _telemetry_share(figures)
    yield _at_most("telemetry on, share of the CPU time", MAX_TELEMETRY, f"{share:.1%}", share <= MAX_TELEMETRY)


def _at_least(what: str, wanted: float, got: float) -> str:
    return f"  {what:<52} at least {wanted:<5} {got:>7.2f}   {'met' if got >= wanted else 'MISSED'}"


def _at_most(what: str, wanted: float, got: str, met: bool) -> str:
    return f"  {what:<52} at most  {wanted:<5} {got:>7}   {'met' if met else 'MISSED'}"


def _over(comparisons: Sequence[Comparison], side: Callable[[Comparison], float]) -> float:
    return sum(map(side, comparisons)) / sum(one.batched for one in comparisons)


def _telemetry_share(figures: Figures) -> float:
    return figures.cost.cpu_seconds / sum(one.cpu for one in figures.throughput.rounds)


def _rounds(figures: Figures) -> Iterator[str]:
    rounds = figures.throughput.rounds
    yield "THROUGHPUT  (score caches empty; each micro-batch: pipeline, bare, pipeline)"
    yield "  responses  claims  pairs    pipeline s  bare s   ratio"
    for one in rounds:
        first, second = one.pipeline
        yield (
            f"  {one.responses:>9} {one.claims:>7} {one.pairs:>6}  {first:>6.2f} {second:>6.2f}  "
            f"{one.bare:>6.2f}  {one.ratio:>6.2f}"
        )
    half = figures.throughput.pipeline_seconds / 2
    responses, claims, pairs = (sum(getattr(one, n) for one in rounds) for n in ("responses", "claims", "pairs"))
    yield (
        f"  {responses} responses, {claims} claims, {pairs} pairs, none twice: "
        f"{responses / half:.2f} responses/s, {claims / half:.1f} claims/s, {pairs / half:.1f} pairs/s"
    )
    yield f"  {figures.throughput.shared} more were the same pair from two overlapping passages, scored once"
    yield f"  ratio over all {figures.throughput.ratio:.3f}, median {median(one.ratio for one in rounds):.3f}"
    yield "  verdicts: " + ", ".join(f"{n} {label}" for label, n in figures.throughput.labels.most_common())


def _where(figures: Figures) -> Iterator[str]:
    throughput = figures.throughput
    stages, total = throughput.stages, throughput.pipeline_seconds
    yield "WHERE THE PIPELINE'S TIME GOES  (wall clock)"
    for stage, seconds in [*stages.most_common(), ("unaccounted", total - sum(stages.values()))]:
        yield f"  {stage:<14} {seconds:>8.2f} s  {seconds / total:>6.1%}"
    yield "  of it in the models:"
    for name, tally in figures.tallies.items():
        each = tally.seconds / max(1, tally.items) * 1000
        yield (
            f"  {name:<14} {tally.seconds:>8.2f} s  {tally.seconds / total:>6.1%}   "
            f"{tally.calls} calls, {tally.items} items, {each:.1f} ms each"
        )


def _one_a_call(figures: Figures) -> Iterator[str]:
    yield "NLI, MILLISECONDS A PAIR  (the same pairs three ways, each call the best of some)"
    yield "  pairs   batched   one a call   CrossEncoder"
    for one in figures.comparisons:
        batched, single, reference = (
            value / one.pairs * 1000 for value in (one.batched, one.single, one.reference)
        )
        yield (
            f"  {one.pairs:>5} {batched:>9.1f} {single:>8.1f} ({single / batched:.2f}x) "
            f"{reference:>7.1f} ({reference / batched:.2f}x)"
        )


def _latencies(figures: Figures) -> Iterator[str]:
    found, memory = figures.latencies, figures.memory
    yield "SMALL FIGURES"
    yield f"  a claim: {found.parse:.1f} ms of parsing, {found.decompose:.1f} ms of taking apart"
    for name, leg in found.legs.items():
        yield f"  one query, {name:<9} {_percentiles(leg)}"
    yield f"  one response alone, model and all: {_percentiles(found.alone)}"
    yield f"  a new process: ready after {memory.ready:.1f} s, first verdict after {memory.first:.1f} s"


def _percentiles(found: Milliseconds) -> str:
    return f"p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms ({found.calls} calls)"


def _telemetry(figures: Figures) -> Iterator[str]:
    cost, responses = figures.cost, sum(one.responses for one in figures.throughput.rounds)
    yield "TELEMETRY  (traces, metrics and events by OTLP to a collector beside us; the model answers from memory)"
    for name, one in (("off", cost.off), ("on", cost.on)):
        yield f"  {name:<4} {one.cpu_seconds:.3f} s CPU, {one.wall_seconds:.3f} s wall for {responses} responses"
    yield f"  {cost.cpu_seconds / responses * 1000:.2f} ms of CPU a response"
    yield f"  the collector took {cost.posts} posts, {cost.sent_bytes / 1024:.0f} KiB"
