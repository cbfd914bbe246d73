"""Batched scoring against the same session one pair a call, and against a CrossEncoder one pair a call."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reference import Reference

from claimstream.ports.models import EntailmentScorer, Pair

PASSES = 3


@dataclass(frozen=True, slots=True)
class Comparison:
    """Seconds over the same pairs, the best of the passes.

    The best and not the sum: where another process takes a core, the threads of one matrix product wait for each
    other, and PyTorch then takes ten times as long as on a free machine; that would flatter us.
    """

    pairs: int
    batched: float
    single: float
    reference: float


def measure(groups: Sequence[Sequence[Pair]], scorer: EntailmentScorer, reference: Reference) -> list[Comparison]:
    """Each group three ways in turns, forwards and backwards."""
    return [_compare(group, scorer, reference) for group in groups]


def _compare(pairs: Sequence[Pair], scorer: EntailmentScorer, reference: Reference) -> Comparison:
    def batched() -> None:
        scorer.score(pairs)

    def single() -> None:
        for pair in pairs:
            scorer.score([pair])

    def by_reference() -> None:
        for pair in pairs:
            reference.score(pair)

    ways = (batched, single, by_reference)
    seconds: dict[Callable[[], None], list[float]] = {way: [] for way in ways}
    for turn in range(PASSES):
        for way in ways if turn % 2 == 0 else reversed(ways):
            started = time.perf_counter()
            way()
            seconds[way].append(time.perf_counter() - started)
    return Comparison(len(pairs), *(min(seconds[way]) for way in ways))
