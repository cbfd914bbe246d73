"""What every entailment scorer promises: one distribution a pair, in order, whatever else is scored with it."""

import random

import pytest

from claimstream.domain.judging.scores import Scores
from claimstream.ports.models import EntailmentScorer, Pair
from claimstream.testing.models import FakeScorer
from packaged import golden, scorer

REFUND = "Refunds are available within 30 days of purchase."
LONG = "The archive is closed on Mondays. " * 120


@pytest.fixture(scope="module", params=["fake", "packaged"])
def any_scorer(request: pytest.FixtureRequest) -> EntailmentScorer:
    return FakeScorer() if request.param == "fake" else scorer()


def furthest(one: list[Scores], other: list[Scores]) -> float:
    return max(abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))


def test_says_which_weights_answer_and_where(any_scorer: EntailmentScorer) -> None:
    identity = any_scorer.identity
    assert identity.name
    assert len(identity.hash) == 12
    assert identity.provider in {"none", "cpu"}
    assert str(identity) == f"{identity.name}@{identity.hash}"


def test_nothing_asked_nothing_answered(any_scorer: EntailmentScorer) -> None:
    assert any_scorer.score([]) == []


def test_one_distribution_a_pair_in_order(any_scorer: EntailmentScorer) -> None:
    pairs = [Pair(REFUND, REFUND), Pair(REFUND, "Whales sing."), Pair(REFUND, REFUND)]
    same, unrelated, again = any_scorer.score(pairs)
    assert same == pytest.approx(again, abs=1e-6)
    assert same.entailment > 0.75
    assert unrelated.entailment < 0.5
    for scores in (same, unrelated):
        assert sum(scores) == pytest.approx(1, abs=1e-5)
        assert min(scores) >= 0


def test_a_denial_contradicts(any_scorer: EntailmentScorer) -> None:
    (scores,) = any_scorer.score([Pair("The fee is refundable.", "The fee is not refundable.")])
    assert max(scores) == scores.contradiction


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud83d", "\u202e\U0001f468\u200d\U0001f469", "a" * 5_000], ids=ascii
)
def test_any_text_has_a_distribution(any_scorer: EntailmentScorer, text: str) -> None:
    for scores in any_scorer.score([Pair(text, REFUND), Pair(REFUND, text), Pair(text, text)]):
        assert sum(scores) == pytest.approx(1, abs=1e-5)


def test_fifty_pairs_alone_and_in_mixed_batches_agree(any_scorer: EntailmentScorer) -> None:
    """Lengths from one sentence to more than a window; every batch of 10 holds short and long ones."""
    draw = random.Random(50)
    pairs = [line.pair for line in draw.sample(golden(), 48)]
    pairs += [Pair("Open.", "Open."), Pair(LONG, "The archive is closed on Mondays.")]
    draw.shuffle(pairs)
    alone = [scores for pair in pairs for scores in any_scorer.score([pair])]
    by_ten = [scores for start in range(0, 50, 10) for scores in any_scorer.score(pairs[start : start + 10])]
    assert furthest(alone, by_ten) <= 0.01
    assert furthest(alone, any_scorer.score(pairs)) <= 0.01
