"""Lists with their lead-in, tables, headings, code: what markup makes of claims."""

import pytest

from claimstream.contracts.messages import ClaimKind
from grammar import claims_of


def _kinds_and_texts(response: str) -> list[tuple[str, str]]:
    return [(claim.kind.value, claim.text) for claim in claims_of(response)]


LISTS = [
    ("You can cancel:\n- by email\n- by phone", ["You can cancel by email.", "You can cancel by phone."]),
    ("You can cancel:\n\n1. by email\n2) by phone", ["You can cancel by email.", "You can cancel by phone."]),
    (
        "Our premium plan includes the following:\n* unlimited calls\n* 5 GB of data, subject to fair use",
        [
            "Our premium plan includes unlimited calls.",
            "Our premium plan includes 5 GB of data, subject to fair use.",
        ],
    ),
    ("You can:\n- cancel by email\n- pause your plan", ["You can cancel by email.", "You can pause your plan."]),
    ("You can cancel:\n- We also accept letters.", ["We also accept letters."]),
    ("You need:\n1) a passport, and\n2) two photos", ["You need a passport.", "You need two photos."]),
    ("Here are our prices:\n- **Pro plan**: costs $20 a month", ["Pro plan costs $20 a month."]),
    ("We offer two plans:\n* Basic – $10/month\n* Pro – $20/month", ["Basic is $10/month.", "Pro is $20/month."]),
    ("Refunds:\n- Refunds take 5 days.\n- Exchanges are free.", ["Refunds take 5 days.", "Exchanges are free."]),
    (
        "You can pay:\n- by card:\n  - in the app\n  - in a shop\n- by cheque",
        ["You can pay by cheque."],
    ),
]


@pytest.mark.parametrize(("response", "texts"), LISTS, ids=[repr(case[0][:30]) for case in LISTS])
def test_items_take_their_lead_in_unless_they_are_sentences(response: str, texts: list[str]) -> None:
    found = [claim.text for claim in claims_of(response) if claim.checkable]
    assert [text for text in found if text in texts] == texts


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("Response time: 24 hours", "Response time is 24 hours."),
        ("Our policy is simple: refunds take 5 days.", "Refunds take 5 days."),
        ("The fee is: $5", "The fee is $5."),
        ("- Refunds: we pay them within 5 days.", "We pay them within 5 days."),
        ("The Pro plan – which is new – costs $5.", "The Pro plan – which is new – costs $5."),
        ("The shop opens at 10:30 on Sunday.", "The shop opens at 10:30 on Sunday."),
    ],
)
def test_a_name_before_a_colon_becomes_a_subject_or_goes(response: str, text: str) -> None:
    assert [claim.text for claim in claims_of(response) if claim.checkable] == [text]


def test_an_item_quotes_itself_and_not_its_lead_in() -> None:
    response = "You can cancel:\n- by email\n"
    assert [(c.kind, c.quote) for c in claims_of(response)] == [
        (ClaimKind.META, "You can cancel:"),
        (ClaimKind.CLAIM, "by email"),
    ]


def test_steps_are_instructions_and_end_with_the_list() -> None:
    response = "To cancel your plan:\n1. Open Settings.\n2. Click Cancel.\n\nYour plan ends at once."
    assert _kinds_and_texts(response) == [
        ("meta", "To cancel your plan."),
        ("instruction", "Open Settings."),
        ("instruction", "Click Cancel."),
        ("claim", "Your plan ends at once."),
    ]


def test_a_table_row_is_column_of_row_is_value() -> None:
    response = "| Plan | Price | Refunds |\n|---|:-:|---|\n| Pro | $20 | 30 days |\n| Basic | $10 | - |\n"
    found = claims_of(response)
    assert [claim.text for claim in found] == [
        "Price of Pro is $20.",
        "Refunds of Pro is 30 days.",
        "Price of Basic is $10.",
    ]
    assert [claim.quote for claim in found] == ["Pro | $20", "Pro | $20 | 30 days", "Basic | $10"]


def test_code_is_one_stretch_of_its_kind() -> None:
    code = '```python\nprint("Refunds take 5 days. Yes.")\n```'
    response = f"Refunds take 5 days.\n{code}\nReturns are free."
    found = claims_of(response)
    assert [claim.kind for claim in found] == [ClaimKind.CLAIM, ClaimKind.CODE, ClaimKind.CLAIM]
    assert found[1].quote == code


def test_code_without_an_end_reaches_to_the_end() -> None:
    assert [claim.kind for claim in claims_of("~~~\nRefunds take 5 days.")] == [ClaimKind.CODE]


def test_headings_are_not_claims_and_lines_without_a_stop_are() -> None:
    response = (
        "## Refund policy\n**Returns**\nItems can be returned within 30 days\nRefunds go to the original card\n"
    )
    assert _kinds_and_texts(response) == [
        ("meta", "Refund policy."),
        ("meta", "Returns."),
        ("claim", "Items can be returned within 30 days."),
        ("claim", "Refunds go to the original card."),
    ]


def test_a_wrapped_line_is_one_sentence() -> None:
    response = "> Items that were bought in a shop in the European Union can be\n> returned within 30 days."
    assert [claim.text for claim in claims_of(response.replace("> ", ""))] == [
        "Items that were bought in a shop in the European Union can be returned within 30 days."
    ]


def test_line_ends_do_not_matter() -> None:
    unix = "You can cancel:\n- by email\n\n| A | B |\n|---|---|\n| x | 5 |\n"
    windows = unix.replace("\n", "\r\n")
    assert [c.text for c in claims_of(windows)] == [c.text for c in claims_of(unix)]
