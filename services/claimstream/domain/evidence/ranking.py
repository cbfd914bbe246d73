"""A total, repeatable order of what an engine returns, whatever it does with ties."""

from collections.abc import Callable, Sequence
from typing import TypeVar

EXACT_BELOW = 50_000
"""Passages of a generation under which vectors are compared one by one, without an approximate index."""

SCORE_DIGITS = 6
"""Scores that differ by less are ties: the last bits depend on how an engine groups its arithmetic."""

SLACK = 16
"""How many hits beyond the limit are asked for, to see whether a tie straddles it."""

T = TypeVar("T")


def ordered_score(score: float) -> float:
    """The score as it is ordered and published."""
    return round(score, SCORE_DIGITS)


def best(hits: Sequence[T], limit: int, *, score: Callable[[T], float], name: Callable[[T], str]) -> list[T]:
    """The first `limit` hits by (score, name)."""
    return sorted(hits, key=lambda hit: (-ordered_score(score(hit)), name(hit)))[:limit]


def fetch_past_ties(
    search: Callable[[int], Sequence[Sequence[T]]], limit: int, *, score: Callable[[T], float]
) -> Sequence[Sequence[T]]:
    """Hits of each query with every one that ties with the last one inside `limit`.

    `search(n)` answers the best n of each query, best first, in any order among equals; it is asked again for
    twice as many where a tie reaches the end of a list, since the engine's choice among equals does not repeat.
    """
    asked = limit + SLACK
    lists = search(asked)
    while any(not _settled([score(hit) for hit in hits], limit, asked) for hits in lists):
        asked *= 2
        lists = search(asked)
    return lists


def _settled(scores: Sequence[float], limit: int, asked: int) -> bool:
    """Whether the best `limit` are certain: the engine had no more, or the last one returned is worse."""
    return len(scores) < asked or ordered_score(scores[-1]) < ordered_score(scores[limit - 1])
