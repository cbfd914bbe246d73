"""The sparse leg: one suite for the fake, the embedded engine, and OpenSearch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from claimstream.domain.evidence.passage import Passage
from claimstream.errors import ConfigurationError, IndexUnavailable
from claimstream.ports.stores import SparseHit, SparseLeg
from engines import Engine, manifest, passage, passages

TEXTS = [
    "Refunds are available within 30 days of purchase.",
    "Enterprise customers may request an extension of up to 60 days.",
    "Support answers within one working day.",
    "The cello is tuned in fifths.",
]


@pytest.fixture(params=["fake", "embedded", pytest.param("opensearch", marks=pytest.mark.opensearch)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    match request.param:
        case "fake":
            yield from engines.memory_sparse()
        case "embedded":
            yield from engines.edge_sparse(tmp_path)
        case "opensearch":
            yield from engines.opensearch_sparse(request.getfixturevalue("opensearch_url"))


def filled(leg: SparseLeg, texts: list[str]) -> list[Passage]:
    written = passages(manifest(), texts)
    leg.create(manifest())
    leg.upsert(manifest(), written)
    return written


def ids(hits: list[list[SparseHit]]) -> list[list[str]]:
    return [[hit.passage.evidence_id for hit in of_one] for of_one in hits]


def test_a_passage_comes_back_whole(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    first, second, third = leg.search(manifest(), ["a cello", "extension for enterprise", "zebra"], limit=3)
    assert [hit.passage for hit in first] == [written[3]]
    assert second[0].passage == written[1]
    assert third == []


def test_words_are_stemmed_and_case_is_ignored(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    for query in ("refund", "REFUND", "refunds"):
        assert ids(leg.search(manifest(), [query], limit=1)) == [[written[0].evidence_id]]


def test_the_title_is_searched(engine: Engine) -> None:
    leg = engine.open(False)
    leg.create(manifest())
    titled = passage(manifest(), "You have 30 days.", title="Policies > Refunds")
    leg.upsert(manifest(), [titled, passage(manifest(), "You have 9 days.", doc_id="other.md")])
    (hits,) = leg.search(manifest(), ["refund"], limit=5)
    assert [hit.passage for hit in hits] == [titled]


def test_hits_are_ordered_and_limited(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    (hits,) = leg.search(manifest(), ["refunds, days, an extension, support"], limit=2)
    assert len(hits) == 2
    assert hits[0].score >= hits[1].score


@pytest.mark.parametrize("limit", [1, 3, 40])
def test_ties_are_ordered_by_evidence_id_also_at_the_limit(engine: Engine, limit: int) -> None:
    leg = engine.open(False)
    written = filled(leg, ["The same sentence."] * 60)
    (found,) = ids(leg.search(manifest(), ["sentence"], limit))
    assert found == sorted(one.evidence_id for one in written)[:limit]


@pytest.mark.parametrize(
    "query",
    ["", " ", "?!", 'AND OR NOT "', "title:x^3 (refund", "\\", "🎻", "x" * 5000, "refund " * 3000],
    ids=["empty", "blank", "marks", "operators", "syntax", "backslash", "emoji", "one long word", "many words"],
)
def test_any_text_is_a_query(engine: Engine, query: str) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    (hits,) = leg.search(manifest(), [query], limit=5)
    assert all("Refund" in hit.passage.text for hit in hits)


def test_no_query_no_answer(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    assert leg.search(manifest(), [], limit=5) == []


def test_an_empty_generation_answers_nothing(engine: Engine) -> None:
    leg = engine.open(False)
    leg.create(manifest())
    assert leg.search(manifest(), ["refund"], limit=5) == [[]]
    assert leg.count(manifest()) == 0


def test_writing_again_replaces_and_deleting_removes(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    leg.upsert(manifest(), [written[0]])
    assert leg.count(manifest()) == 4
    leg.delete(manifest(), [written[0].evidence_id, "acme/help/nothing.md#0@g1.000000000000"])
    assert leg.count(manifest()) == 3
    assert leg.search(manifest(), ["refunds"], limit=10) == [[]]


def test_unicode_survives(engine: Engine) -> None:
    leg = engine.open(False)
    odd = passage(
        manifest(), "Rückgabe 🎻 e\u0301 \u2028 ends", doc_id="Ordner/返品 – Übersicht.md", title="Ü > 返品"
    )
    leg.create(manifest())
    leg.upsert(manifest(), [odd])
    (hits,) = leg.search(manifest(), ["rückgabe"], limit=1)
    assert [hit.passage for hit in hits] == [odd]


def test_tenants_in_one_collection_never_meet(engine: Engine) -> None:
    leg = engine.open(True)
    ours, theirs, other = manifest("acme"), manifest("zenith"), manifest("acme", "legal")
    leg.create(ours)
    texts = ((ours, TEXTS[0]), (theirs, "Refunds are never available."), (other, "Refunds take 9 days."))
    for of, text in texts:
        leg.upsert(of, [passage(of, text)])
    for of, text in texts:
        (hits,) = leg.search(of, ["Are refunds available?"], limit=10)
        assert [hit.passage.text for hit in hits] == [text]
        assert leg.count(of) == 1
    leg.delete(ours, [passage(theirs, "Refunds are never available.").evidence_id])
    assert leg.count(theirs) == 1
    leg.drop(ours)


def test_generations_are_apart(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    second = manifest(generation="g2")
    leg.create(second)
    leg.upsert(second, passages(second, ["Only refunds."]))
    assert (leg.count(manifest()), leg.count(second)) == (4, 1)
    leg.drop(second)
    leg.drop(second)
    assert leg.count(manifest()) == 4
    with pytest.raises(IndexUnavailable, match="g2"):
        leg.search(second, ["refunds"], limit=5)


def test_the_same_query_gives_the_same_list_also_after_reopening(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, [f"Rule {number % 7} on refunds, deliveries and returns." for number in range(80)])
    queries = ["refunds", "rule 3 on returns", "deliveries and rule 5"]
    once = leg.search(manifest(), queries, limit=20)
    assert leg.search(manifest(), queries, limit=20) == once
    assert [leg.search(manifest(), [query], limit=20)[0] for query in queries] == once
    again = engine.open(False)
    assert again.search(manifest(), queries, limit=20) == once
    assert again.count(manifest()) == 80


def test_a_generation_is_made_once(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    with pytest.raises(ConfigurationError, match="already there"):
        leg.create(manifest())
    assert leg.count(manifest()) == 4


def test_nothing_is_written_to_a_generation_that_was_not_made(engine: Engine) -> None:
    leg = engine.open(False)
    one = passage(manifest(), TEXTS[0])
    with pytest.raises(IndexUnavailable):
        leg.upsert(manifest(), [one])
    with pytest.raises(IndexUnavailable):
        leg.count(manifest())
    leg.create(manifest())
    assert leg.count(manifest()) == 0


def test_an_engine_that_does_not_answer_is_unavailable(engine: Engine) -> None:
    leg = engine.broken()
    for call in (
        lambda: leg.search(manifest(), ["refund"], 5),
        lambda: leg.upsert(manifest(), [passage(manifest(), TEXTS[0])]),
        lambda: leg.count(manifest()),
    ):
        with pytest.raises(IndexUnavailable):
            call()
