"""Pronouns: resolved where one noun can be meant, else kept with the sentence before."""

import pytest

from grammar import claims_of


@pytest.mark.parametrize(
    ("response", "text", "resolved"),
    [
        ("Refunds take 5 days. They are paid by card.", "Refunds are paid by card.", {"They": "refunds"}),
        ("The plan is new. It costs $5.", "The plan costs $5.", {"It": "the plan"}),
        ("Acme is new. It ships to Norway.", "Acme ships to Norway.", {"It": "Acme"}),
        ("Refunds are slow, but they are free.", "Refunds are free.", {"they": "refunds"}),
        (
            "Shipping and handling are free. They take 2 days.",
            "Shipping and handling take 2 days.",
            {"They": "shipping and handling"},
        ),
    ],
)
def test_a_certain_antecedent_is_put_in_and_recorded(response: str, text: str, resolved: dict[str, str]) -> None:
    last = claims_of(response)[-1]
    assert (last.text, last.resolved, last.context) == (text, resolved, "")


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("The plan includes a phone line. It costs $5.", "two nouns may be meant"),
        ("Refunds take 5 days. It costs $5.", "the numbers differ"),
        ("Exceeding the limit costs $5. This applies to all plans.", "this points at a sentence"),
        ("The manager decides. She can waive the fee.", "she is no rule of ours"),
    ],
)
def test_an_uncertain_pronoun_stays_with_its_left_context(response: str, why: str) -> None:
    first, last = claims_of(response)
    assert last.text == last.quote, why
    assert (last.resolved, last.context) == ({}, first.quote)
    assert last.query == f"{first.quote} {last.text}"


@pytest.mark.parametrize(
    "response",
    [
        "Refunds are slow. You can cancel your plan.",
        "Refunds are slow. We pay by card.",
        "Refunds are slow. It takes 5 days to process a refund.",
        "Refunds are slow. Plans can be paused before they expire.",
    ],
)
def test_speakers_and_empty_it_need_no_context(response: str) -> None:
    last = claims_of(response)[-1]
    assert (last.resolved, last.context) == ({}, "")
