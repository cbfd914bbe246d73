"""Whatever the text, a quote is the text between its offsets, and nothing crashes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimstream.domain.claims.blocks import Limits
from claimstream.domain.claims.reading import MAX_SENTENCE, read
from claimstream.domain.claims.sentences import sentence_spans
from grammar import claims_of, decomposed

_PIECES = st.sampled_from(
    [
        "Refunds take 5 days",
        "you can cancel by e-mail",
        "They are free",
        "**Pro plan**: costs $1,000.50",
        "| Plan | Price |\n|---|---|\n| Pro | $20 |",
        "```\nx = 1\n```",
        "- ",
        "1. ",
        "# ",
        ", so ",
        "; ",
        ". ",
        "\r\n",
        "\n\n",
        ":\n",
        "\x00",
        "\U0001f389",
        "e\u0301",
        "[here](https://a.b/c?d=e)",
        "[1]",
        "\ud83d",
        "> ",
        "|",
        " and ",
    ]
)
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=25).map("".join))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_TEXTS)
def test_quotes_are_slices_of_the_response(text: str) -> None:
    for number, claim in enumerate(claims_of(text)):
        assert claim.index == number
        assert 0 <= claim.start < claim.end <= len(text)
        assert claim.quote == text[claim.start : claim.end]


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_sentences_are_in_order_and_leave_out_only_white_space_and_the_comma_before_so(text: str) -> None:
    spans = list(sentence_spans(text))
    borders = [0, *(place for span in spans for place in span), len(text)]
    assert borders == sorted(borders)
    gaps = [text[borders[i] : borders[i + 1]] for i in range(0, len(borders), 2)]
    assert all(gap.strip(", \t\r\n\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029").strip() == "" for gap in gaps)


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_a_reading_knows_the_place_of_each_character(text: str) -> None:
    reading = read(text, 0, len(text))
    assert len(reading.text) == len(reading.positions)
    assert list(reading.positions) == sorted(set(reading.positions))
    same = [text[p] for p in reading.positions]
    assert all(a == b or a in " \ufffd" for a, b in zip(reading.text, same, strict=True))


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "...", "\U0001f389\U0001f389", "---", "|", "```", "- ", "# ", ":"]
)
def test_texts_without_a_word_have_no_claim_to_check(text: str) -> None:
    assert not any(claim.checkable for claim in claims_of(text))


def test_text_over_the_bound_is_judged_up_to_it() -> None:
    text = "Refunds take 5 days. " * 10
    found = decomposed(text, Limits(max_text_bytes=63))
    assert [claim.quote for claim in found.claims] == ["Refunds take 5 days."] * 3
    assert found.bound == "text over 63 bytes: judged up to character 63 of 210"


def test_the_bound_never_cuts_a_character() -> None:
    assert Limits(max_text_bytes=5).cut("ééé") == 2
    assert Limits(max_text_bytes=3).cut("\U0001f389a") == 0
    assert Limits(max_text_bytes=4).cut("\U0001f389a") == 1


def test_more_claims_than_the_bound_are_cut_with_a_reason() -> None:
    found = decomposed("Refunds take 5 days. " * 10_000)
    assert len(found.claims) == 200
    assert "more than 200 claims" in found.bound
    assert "text over 65536 bytes" in found.bound


def test_a_sentence_without_end_is_judged_in_pieces() -> None:
    found = claims_of("refunds and " * 1_000)
    assert all(len(claim.quote) <= MAX_SENTENCE for claim in found)
    assert len(found) > 10


def test_exactly_the_bound_is_not_cut() -> None:
    assert decomposed("Refunds take 5 days. " * 3, Limits(max_claims=3)).bound == ""
