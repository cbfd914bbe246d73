"""Batched scoring against the same session one pair a call, and against a CrossEncoder one pair a call."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reference import Reference

from claimstream.ports.models import EntailmentScorer, Pair

PASSES = 4


@dataclass(frozen=True, slots=True)
class Comparison:
    """Seconds over the same pairs: of each call the best of the passes.

    The best and not the sum: where another process takes a core, the threads of one matrix product wait for each
    other, and PyTorch then takes many times as long as on a free machine; that would flatter us. A batched call is
    longer and finds a free moment less often, so on a busy machine these ratios are too low, not too high.
    """

    pairs: int
    batched: float
    single: float
    reference: float


def measure(groups: Sequence[Sequence[Pair]], scorer: EntailmentScorer, reference: Reference) -> list[Comparison]:
    """Each group three ways in turns, forwards and backwards."""
    return [_compare(group, scorer, reference) for group in groups]


def _compare(pairs: Sequence[Pair], scorer: EntailmentScorer, reference: Reference) -> Comparison:
    ways: tuple[list[Callable[[], object]], ...] = (
        [partial(scorer.score, pairs)],
        [partial(scorer.score, [pair]) for pair in pairs],
        [partial(reference.score, pair) for pair in pairs],
    )
    best = [[math.inf] * len(calls) for calls in ways]
    for turn in range(PASSES):
        for way in (0, 1, 2) if turn % 2 == 0 else (2, 1, 0):
            best[way] = [min(old, _seconds(call)) for old, call in zip(best[way], ways[way], strict=True)]
    return Comparison(len(pairs), *map(sum, best))


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
