"""Batched scoring against the same session one pair a call, and against a CrossEncoder one pair a call."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from reference import Reference

from claimstream.ports.models import EntailmentScorer, Pair


@dataclass(frozen=True, slots=True)
class Comparison:
    """Seconds over the same pairs; `batched` and `single` are means of two interleaved passes."""

    pairs: int
    batched: float
    single: float
    reference: float


def measure(groups: Sequence[Sequence[Pair]], scorer: EntailmentScorer, reference: Reference) -> list[Comparison]:
    """For each group: batched, one a call, CrossEncoder, one a call, batched."""
    return [_compare(group, scorer, reference) for group in groups]


def _compare(pairs: Sequence[Pair], scorer: EntailmentScorer, reference: Reference) -> Comparison:
    before = _batched(pairs, scorer), _single(pairs, scorer)
    started = time.perf_counter()
    for pair in pairs:
        reference.score(pair)
    by_reference = time.perf_counter() - started
    after = _single(pairs, scorer), _batched(pairs, scorer)
    return Comparison(len(pairs), (before[0] + after[1]) / 2, (before[1] + after[0]) / 2, by_reference)


def _batched(pairs: Sequence[Pair], scorer: EntailmentScorer) -> float:
    started = time.perf_counter()
    scorer.score(pairs)
    return time.perf_counter() - started


def _single(pairs: Sequence[Pair], scorer: EntailmentScorer) -> float:
    started = time.perf_counter()
    for pair in pairs:
        scorer.score([pair])
    return time.perf_counter() - started
