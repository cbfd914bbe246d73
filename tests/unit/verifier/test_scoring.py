"""Every distinct pair reaches the model once."""

from claimstream.domain.judging.scores import Scores
from claimstream.ports.metrics import CACHE_LOOKUPS
from claimstream.ports.models import Pair
from claimstream.testing.telemetry import MemoryMetrics
from claimstream.verifier.scoring import CachedScorer
from courtroom import ScriptedScorer

A, B, C = (Pair("premise", name) for name in "abc")


def scores_of(pair: Pair) -> Scores:
    value = ord(pair.hypothesis) / 1000
    return Scores(value, 1 - value, 0.0)


def test_repeats_are_scored_once_and_answered_in_order() -> None:
    inner, metrics = ScriptedScorer(scores_of), MemoryMetrics()
    cached = CachedScorer(inner, 10, metrics)
    assert cached.score([A, B, A]) == [scores_of(A), scores_of(B), scores_of(A)]
    assert cached.score([B, C]) == [scores_of(B), scores_of(C)]
    assert inner.calls == [[A, B], [C]]
    assert metrics.total(CACHE_LOOKUPS, cache="scores", hit="true") == 2
    assert metrics.total(CACHE_LOOKUPS, cache="scores", hit="false") == 3


def test_a_full_cache_forgets_the_least_recent_and_still_answers() -> None:
    inner = ScriptedScorer(scores_of)
    cached = CachedScorer(inner, 1, MemoryMetrics())
    assert cached.score([A, B, C]) == [scores_of(A), scores_of(B), scores_of(C)]
    cached.score([C])
    cached.score([A])
    assert inner.calls == [[A, B, C], [A]]


def test_a_cache_of_nothing_works() -> None:
    inner = ScriptedScorer(scores_of)
    cached = CachedScorer(inner, 0, MemoryMetrics())
    assert cached.score([A, A]) == [scores_of(A)] * 2
    assert cached.score([A]) == [scores_of(A)]
    assert inner.calls == [[A], [A]]


def test_the_identity_is_the_models() -> None:
    inner = ScriptedScorer(scores_of)
    assert CachedScorer(inner, 1, MemoryMetrics()).identity == inner.identity
