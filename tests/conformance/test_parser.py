"""What every parser promises: one parse a text, in order, offsets in code points, any text at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimstream.adapters.spacy import parser as spacy_parser
from claimstream.domain.claims.parse import Parse
from claimstream.ports.models import Parser
from grammar import parser


@pytest.fixture(scope="module", params=["spacy"])
def any_parser(request: pytest.FixtureRequest) -> Parser:
    return {"spacy": parser}[request.param]()


def _check(text: str, parse: Parse) -> None:
    assert parse.text == text
    for token in parse.tokens:
        assert 0 <= token.head < len(parse.tokens)
        shown = text[token.start : token.end]
        assert token.text == shown or "\ufffd" in token.text
    starts = [token.start for token in parse.tokens]
    assert starts == sorted(starts)
    covered = [index for first, last in parse.sentences for index in range(first, last)]
    assert covered == list(range(len(parse.tokens)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "\x00",
        "Refunds\x00 take \x075 days.",
        "\U0001f389\U0001f468\u200d\U0001f469\u200d\U0001f467 Refunds take 5 days \U0001f389.",
        "Cafe\u0301 \u0928\u092e\u0938\u094d\u0924\u0947 \u202eabc",
        "lone \ud83d surrogate",
        "a" * 100_000,
        "Refunds take 5 days.\r\n\r\n" * 3_000,
        "word " * 20_000,
    ],
    ids=repr,
)
def test_any_text_is_parsed_with_its_offsets(any_parser: Parser, text: str) -> None:
    (parse,) = any_parser.parse([text])
    _check(text, parse)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(), max_size=60), max_size=4))
def test_one_parse_a_text_in_order(texts: list[str]) -> None:
    parses = parser().parse(texts)
    assert len(parses) == len(texts)
    for text, parse in zip(texts, parses, strict=True):
        _check(text, parse)


def test_no_texts_give_no_parses(any_parser: Parser) -> None:
    assert any_parser.parse([]) == []


def test_a_parse_does_not_depend_on_its_neighbours(any_parser: Parser) -> None:
    text = "Plans renew yearly and can be cancelled any time."
    alone = any_parser.parse([text])
    among = any_parser.parse(["Yes.", text, "Refunds take 5 days, so wait."])
    assert among[1] == alone[0]


def test_the_labels_are_those_the_claim_rules_read(any_parser: Parser) -> None:
    (parse,) = any_parser.parse(["If you ask, refunds are paid and fees are waived."])
    labels = {token.text: (token.dep, token.pos) for token in parse.tokens}
    assert labels["refunds"] == ("nsubjpass", "NOUN")
    assert labels["ask"] == ("advcl", "VERB")
    assert labels["waived"] == ("conj", "VERB")
    assert {token.lemma for token in parse.tokens} >= {"refund", "pay", "fee", "waive"}


def test_a_long_text_is_cut_between_paragraphs() -> None:
    text = "Refunds take 5 days.\n\n" * 1_000
    (parse,) = parser().parse([text])
    assert len(text) > spacy_parser.MAX_PIECE
    assert all(not token.text.endswith("Refun") for token in parse.tokens)
    assert sum(token.text == "Refunds" for token in parse.tokens) == 1_000
