"""The exit status of one response and of many."""

import pytest

from claimstream.cli.statuses import gravest, status_of
from claimstream.contracts.messages import Label, ResponseState, ResponseVerdictV1
from claimstream.domain.claims.blocks import Limits
from claimstream.domain.judging.scores import Scores
from claimstream.verifier.rules import Rules
from courtroom import CONTRADICTED, ENTAILED, NEUTRAL, Courtroom, answer

REFUNDS = "Refunds are available within 30 days of purchase."


def verdict(text: str, scores: Scores, **changes: str | None) -> ResponseVerdictV1:
    room = Courtroom(lambda _: scores, rules=Rules(limits=Limits(max_claims=3)))
    room.hold({"refunds.md": REFUNDS})
    return room.verifier.verify([answer(text, **changes)]).judged[0].response


@pytest.mark.parametrize(
    ("text", "scores", "status"),
    [
        (REFUNDS, ENTAILED, 0),
        ("Hello!", NEUTRAL, 0),
        (REFUNDS, CONTRADICTED, 1),
        (REFUNDS, Scores(0.9, 0.0, 0.9), 1),
        (REFUNDS, NEUTRAL, 3),
        ("Thanks! " * 5 + REFUNDS, ENTAILED, 3),  # cut before the claim: nobody looked at it
    ],
)
def test_status(text: str, scores: Scores, status: int) -> None:
    assert status_of(verdict(text, scores)) == status


def test_without_a_corpus_nothing_was_done() -> None:
    found = verdict(REFUNDS, ENTAILED, corpus="other")
    assert (found.state, found.labels) == (ResponseState.UNKNOWN_CORPUS, {Label.NOT_CHECKED.value: 1})
    assert status_of(found) == 2


@pytest.mark.parametrize(("statuses", "worst"), [([], 0), ([0, 3], 3), ([3, 1, 0], 1), ([1, 2, 3], 2)])
def test_the_gravest_of_many(statuses: list[int], worst: int) -> None:
    assert gravest(statuses) == worst
