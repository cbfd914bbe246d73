"""Where sentences end, as a table."""

import pytest

from claimstream.domain.claims.sentences import sentence_spans


@pytest.mark.parametrize(
    "text",
    [
        "Prices rose by 3.5% vs. last year, i.e. by approx. $1.20.",
        "The Pro plan costs $1,000.50 per year.",
        "See v2.1 of the app, e.g. on Android 14.0.1.",
        "See https://example.com/a.b?c=d.e for details.",
        "Write to support@example.co.uk today.",
        "Dr. Smith and Mrs. Jones approved it.",
        "The U.S. office is in Austin.",
        "Orders placed before 2 p.m. ship the same day.",
        "Acme Inc. was founded in 1999.",
        "See No. 5 and Sec. 3.",
        "J. Smith signs.",
        "Wait... that is free.",
        "It starts at 9 a.m. and ends at 5 p.m. every day.",
        "Yahoo! is a company.",
        "1. Open the settings.",
    ],
)
def test_one_sentence_stays_one(text: str) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == [text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Refunds take 5 days. Exchanges are free.", ["Refunds take 5 days.", "Exchanges are free."]),
        ("Is it free? Yes! It is.", ["Is it free?", "Yes!", "It is."]),
        ("It ends at 5 p.m. The shop reopens at 9.", ["It ends at 5 p.m.", "The shop reopens at 9."]),
        ("Offices in the U.S. We ship there.", ["Offices in the U.S.", "We ship there."]),
        ('He said "it is free." It is.', ['He said "it is free."', "It is."]),
        ("It costs $5.\r\nIt is new", ["It costs $5.", "It is new"]),
        ("It costs $20. 30 days are free.", ["It costs $20.", "30 days are free."]),
        ("A is free, so B is free.", ["A is free", "so B is free."]),
        (
            "Save it so that you can find it, so far as needed.",
            ["Save it so that you can find it, so far as needed."],
        ),
        ("Der Preis. Über uns.", ["Der Preis.", "Über uns."]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences
