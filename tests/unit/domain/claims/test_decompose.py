"""From a response to its claims, with the real parser: what is split, what stays, what the text becomes."""

import pytest

from claimstream.contracts.messages import ClaimKind
from grammar import claims_of


def _texts(response: str) -> list[str]:
    return [claim.text for claim in claims_of(response) if claim.checkable]


CLAUSES = [
    ("Gift vouchers can be refunded, right?", ["Gift vouchers can be refunded."]),
    ("| Policy |\n|---|\n| Refunds are available for 90 days. |", ["Refunds are available for 90 days."]),
    ("| | Gold |\n|---|---|\n| Vouchers | can be refunded |", ["Vouchers can be refunded (Gold)."]),
    ("```Note``` is a label. Refunds take 90 days.", ["Note is a label.", "Refunds take 90 days."]),
    ("Plus costs 4.99 EUR a month.", ["Plus costs 4.99 EUR a month."]),
    ("Returns are free, plus shipping is free.", ["Returns are free.", "Shipping is free."]),
    (
        "Yes, refunds are available for up to 60 days, so a 45-day-old purchase is eligible.",
        ["Refunds are available for up to 60 days.", "A 45-day-old purchase is eligible."],
    ),
    (
        "Yes, you can get a refund within 60 days, so your 45-day-old order qualifies.",
        ["You can get a refund within 60 days.", "Your 45-day-old order qualifies."],
    ),
    (
        "Refunds are available for up to 60 days; therefore, a 45-day-old purchase is eligible.",
        ["Refunds are available for up to 60 days.", "A 45-day-old purchase is eligible."],
    ),
    (
        "Refunds can be requested up to 60 days after purchase, so a purchase made 45 days ago is still eligible.",
        [
            "Refunds can be requested up to 60 days after purchase.",
            "A purchase made 45 days ago is still eligible.",
        ],
    ),
    (
        "Plans renew yearly and can be cancelled any time.",
        ["Plans renew yearly.", "Plans can be cancelled any time."],
    ),
    (
        "Orders are shipped within 2 days and delivered by courier.",
        ["Orders are shipped within 2 days.", "Orders are delivered by courier."],
    ),
    (
        "Customers can pay by card or PayPal and receive an invoice by email.",
        ["Customers can pay by card or PayPal.", "Customers can receive an invoice by email."],
    ),
    (
        "Customers must return the item and include the receipt.",
        ["Customers must return the item.", "Customers must include the receipt."],
    ),
    (
        "If your order arrives damaged, contact us within 2 days and we will send a replacement.",
        ["If your order arrives damaged, we will send a replacement."],
    ),
    (
        "Customers on the Pro plan get priority support, while Basic customers get email support.",
        ["Customers on the Pro plan get priority support.", "Basic customers get email support."],
    ),
    ("Returns are free, but exchanges cost $5.", ["Returns are free.", "Exchanges cost $5."]),
    ("Refunds take 5 days; exchanges are free.", ["Refunds take 5 days.", "Exchanges are free."]),
    ("Although refunds are slow, exchanges are quick.", ["Refunds are slow.", "Exchanges are quick."]),
    (
        "The warranty lasts two years and covers defects but does not cover accidental damage.",
        [
            "The warranty lasts two years.",
            "The warranty covers defects.",
            "The warranty does not cover accidental damage.",
        ],
    ),
    (
        "If you cancel, you keep access, but refunds are not given.",
        ["If you cancel, you keep access.", "Refunds are not given."],
    ),
    (
        "Once you cancel, your plan stays active until June, and you will not be charged again.",
        ["Once you cancel, your plan stays active until June.", "Once you cancel, you will not be charged again."],
    ),
]


@pytest.mark.parametrize(("response", "texts"), CLAUSES, ids=[case[0][:40] for case in CLAUSES])
def test_compound_sentences_are_split(response: str, texts: list[str]) -> None:
    assert _texts(response) == texts


@pytest.mark.parametrize(
    "sentence",
    [
        "The plan includes calls, texts and 5 GB of data.",
        "We collect and process personal data.",
        "You can either return the item or exchange it.",
        "Gift cards cannot be refunded or exchanged for cash.",
        "The policy says that refunds take 5 days and exchanges are free.",
        "According to the policy, refunds take 5 days.",
        "Support confirmed that you can cancel at any time.",
        "Neither shipping nor handling fees are refunded.",
        "Enterprise customers may request an extension of up to 60 days, subject to approval.",
        "You may be able to get a refund if the item is defective and unused.",
        "The fee, which is non-refundable, is $25.",
        "No refunds are given on sale items.",
        "Prices rose by 3.5% vs. last year, i.e. by $1.20.",
        "It takes 5 days to process a refund.",
        "It's not possible to change your name.",
        "Items must be returned in their packaging and include the receipt, or the refund is refused.",
    ],
)
def test_one_predicate_stays_one_claim(sentence: str) -> None:
    (claim,) = claims_of(sentence)
    assert (claim.kind, claim.text, claim.quote) == (ClaimKind.CLAIM, sentence, sentence)


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("However, refunds take 5 days", "Refunds take 5 days."),
        ("Also, returns are free!", "Returns are free."),
        ("No, refunds are not available after 30 days.", "Refunds are not available after 30 days."),
        ("Hi Anna, your refund takes 5 days.", "Your refund takes 5 days."),
        ("Please note that the offer ends on 31 March.", "The offer ends on 31 March."),
        ("Note: prices exclude VAT.", "Prices exclude VAT."),
        ("Based on the documents provided, the fee is $5.", "The fee is $5."),
        ("**Refunds** take [5 days](https://example.com/a) [1].", "Refunds take 5 days."),
        ("And refunds are\nfree.", "Refunds are free."),
    ],
)
def test_openings_and_markup_are_left_out_of_the_text(response: str, text: str) -> None:
    assert _texts(response) == [text]


@pytest.mark.parametrize(
    ("response", "conditions"),
    [
        ("If you cancel early, a fee of $50 applies.", ["If you cancel early"]),
        ("Returns are free unless the item is on sale.", ["unless the item is on sale"]),
        ("Shipping is free for Gold members only.", ["for Gold members only"]),
        (
            "You can return items within 30 days as long as they are unused.",
            ["within 30 days", "as long as they are unused"],
        ),
        ("Enterprise customers may get an extension, subject to approval.", ["subject to approval"]),
        ("After 30 days, store credit is offered.", ["After 30 days"]),
        ("Refunds are given provided that you have a receipt.", ["provided that you have a receipt"]),
        ("You keep access until the end of the month.", ["until the end of the month"]),
        ("Refunds take 5 days.", []),
        ("Opened items can only be exchanged.", []),
        ("Plans cover calls even if you are abroad.", []),
    ],
)
def test_conditions_stay_with_their_claim_as_they_stand(response: str, conditions: list[str]) -> None:
    (claim,) = claims_of(response)
    assert list(claim.conditions) == conditions
    assert all(condition in claim.quote for condition in conditions)


def test_quotes_of_clauses_point_at_their_own_words() -> None:
    first, second = claims_of("Plans renew yearly and can be cancelled any time.")
    assert (first.quote, second.quote) == ("Plans renew yearly", "can be cancelled any time.")
    assert second.resolved == {"(subject)": "Plans"}
