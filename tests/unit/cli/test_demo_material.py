"""The demo's material: what it sends can be read, and what a careful person would say fits to it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from claimstream.adapters.documents.folder import FolderReader
from claimstream.cli.demo.material import BROKEN, BROKEN_AFTER, CORPUS, DOCUMENTS, HERE, as_records, read_answers
from claimstream.contracts.codec import decode_response
from claimstream.contracts.messages import Label
from claimstream.errors import InvalidMessage

ANSWERS = {answer.response_id: answer for answer in read_answers()}
EXPECTATIONS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(HERE, "expectations.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_bots_records_are_the_answers_and_one_that_cannot_be_read() -> None:
    records = as_records(read_answers())
    assert len(records) == len(ANSWERS) + 1
    assert records[BROKEN_AFTER].value == BROKEN
    readable = [record for record in records if record.value != BROKEN]
    decoded = [decode_response(record.value, record.headers) for record in readable]
    assert decoded == list(ANSWERS.values())
    assert [(record.key or b"").decode() for record in readable] == list(ANSWERS)
    with pytest.raises(InvalidMessage, match="not_json"):
        decode_response(BROKEN, ())


def test_two_bots_answer_and_one_corpus_is_unknown() -> None:
    assert len({(answer.bot, answer.model) for answer in ANSWERS.values()}) == 2
    assert {answer.tenant for answer in ANSWERS.values()} == {CORPUS.tenant}
    assert sum(answer.corpus != CORPUS.corpus for answer in ANSWERS.values()) == 1


def test_every_document_is_read() -> None:
    reading = FolderReader().read(DOCUMENTS)
    assert reading.skipped == ()
    assert {document.doc_id.rpartition(".")[2] for document in reading.documents} == {"md", "html", "txt"}


def test_the_seed_s_policy_is_a_paragraph_of_its_own() -> None:
    paragraphs = (DOCUMENTS / "refunds.md").read_text(encoding="utf-8").split("\n\n")
    assert (
        "Refunds are available within 30 days of purchase. "
        "Enterprise customers may request an extension of up to 60 days, subject to approval."
    ) in paragraphs


@pytest.mark.parametrize("expectation", EXPECTATIONS, ids=lambda one: one["response_id"])
def test_an_expectation_is_about_an_answer(expectation: dict[str, Any]) -> None:
    answer = ANSWERS[expectation["response_id"]]
    assert expectation["expected"] in {"faithful", "unfaithful", "unverifiable", "nothing to check"}
    assert bool(expectation["claims"]) == (expectation["expected"] == "unfaithful")
    for words, label in expectation["claims"].items():
        assert words in answer.text
        msgspec.convert(label, Label)


def test_every_answer_has_its_expectation() -> None:
    assert [one["response_id"] for one in EXPECTATIONS] == list(ANSWERS)
