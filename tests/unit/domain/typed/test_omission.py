"""The dropped condition, with the real parser: what a claim leaves out of the sentence it leans on."""

import pytest

from claimstream.domain.typed.alignment import leans_on
from claimstream.domain.typed.omission import omitted
from grammar import parser

REFUNDS = (
    "Refunds are available within 30 days of purchase. "
    "Enterprise customers may request an extension of up to 60 days, subject to approval."
)


def _left_out(passage: str, claim: str) -> list[str]:
    """As the verifier does it: the sentence, one parse call, the check."""
    span = leans_on(claim, passage)
    if span is None:
        return []
    said, source = parser().parse([claim, passage[slice(*span)]])
    found = omitted(said, source, span[0])
    assert all(item.text == passage[item.start : item.end] for item in found)
    return [item.text for item in found]


@pytest.mark.parametrize(
    ("claim", "left_out"),
    [
        ("Refunds are available for up to 60 days.", ["Enterprise customers", "subject to approval"]),
        ("You can get a refund within 60 days.", ["Enterprise customers", "subject to approval"]),
        ("Customers may request an extension of up to 60 days, subject to approval.", ["Enterprise customers"]),
        ("Enterprise customers may request an extension of up to 60 days.", ["subject to approval"]),
        ("Refunds are available within 30 days of purchase.", []),
        ("Enterprise customers may get up to 60 days if approved.", []),
        ("Some customers may request an extension of up to 60 days.", []),
        ("The office is closed on Sunday.", []),
    ],
)
def test_the_opening_failure_and_its_neighbours(claim: str, left_out: list[str]) -> None:
    assert _left_out(REFUNDS, claim) == left_out


DROPPED = [
    (
        "Members get 5 free returns per year after their first year of membership.",
        "Members get 5 free returns per year.",
        ["after their first year of membership"],
    ),
    ("Pets are allowed in the garden only.", "Pets are allowed.", ["in the garden only"]),
    ("Delivery is free for orders over 50 EUR.", "Delivery is free.", ["for orders over 50 EUR"]),
    ("Refunds are available to Enterprise customers.", "Refunds are available.", ["to Enterprise customers"]),
    ("Trial sessions are free for new visitors.", "Trial sessions are free.", ["for new visitors"]),
    ("Shipping is free for Gold members only.", "Shipping is free.", ["for Gold members only"]),
    (
        "Your deposit is returned within 10 days if the room is left clean.",
        "Your deposit is returned within 10 days.",
        ["if the room is left clean"],
    ),
    (
        "You may cancel in the first 60 days unless you have made a claim.",
        "You may cancel in the first 60 days.",
        ["unless you have made a claim"],
    ),
    (
        "Opened tins can be returned within 45 days with a receipt.",
        "Opened tins can be returned within 45 days.",
        ["with a receipt"],
    ),
    (
        "Employees with a year of service may request unpaid leave.",
        "Any employee may request unpaid leave.",
        ["Employees with a year of service"],
    ),
    ("You may swap your ticket until Friday.", "You may swap your ticket.", ["until Friday"]),
    (
        "Photos are stored as long as you pay for the plan.",
        "Photos are stored.",
        ["as long as you pay for the plan"],
    ),
]


@pytest.mark.parametrize(("passage", "claim", "left_out"), DROPPED, ids=[case[0][:40] for case in DROPPED])
def test_conditions_that_the_claim_drops(passage: str, claim: str, left_out: list[str]) -> None:
    assert _left_out(passage, claim) == left_out


KEPT = [
    (
        "Your deposit is returned if the room is left clean.",
        "You get the deposit back when you leave the room clean.",
    ),
    ("Refunds are paid after approval.", "Approved refunds are paid."),
    ("You may cancel within 14 days.", "You may cancel for two weeks."),
    ("Standard loans last three weeks unless another reader waits.", "A loan does not last four weeks."),
    ("Sole traders also provide a copy of photo ID.", "A joiner trading alone provides a copy of photo ID."),
    ("Calls are covered even if you are abroad.", "Calls are covered."),
    ("Returns are free.", "Returns are free."),
    ("Refunds take 5 days, but gifts are refundable with a receipt only.", "Refunds take 5 days."),
]


@pytest.mark.parametrize(("passage", "claim"), KEPT, ids=[case[0][:40] for case in KEPT])
def test_nothing_is_reported_where_the_claim_says_it_or_may_say_it(passage: str, claim: str) -> None:
    assert _left_out(passage, claim) == []


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("A premium refund takes five days.", "Premium refunds take 5 days."),
        ("Standard refunds take 10 days.", "Standard refunds take 10 days."),
        ("Approval is needed above $1,000.50.", "Anything above $1,000.50 is approved by a manager."),
    ],
)
def test_a_claim_leans_on_the_sentence_with_its_values(claim: str, sentence: str) -> None:
    passage = (
        "Refunds\nStandard refunds take 10 days. Premium refunds take 5 days. "
        "Anything above $1,000.50 is approved by a manager."
    )
    span = leans_on(claim, passage)
    assert span is not None
    assert passage[slice(*span)] == sentence


@pytest.mark.parametrize(
    ("claim", "passage"), [("Shops open at 9.", "Refunds take 5 days."), ("", "A."), ("A.", ""), ("Yes.", "No.")]
)
def test_a_claim_may_lean_on_nothing(claim: str, passage: str) -> None:
    assert leans_on(claim, passage) is None
