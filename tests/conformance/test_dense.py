"""The dense leg: one suite for the fake, the embedded engine, the Qdrant client in memory, and a server."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

import engines
from claimstream.adapters.qdrant import connection as qdrant
from claimstream.domain.evidence.passage import Passage
from claimstream.errors import ConfigurationError, IndexUnavailable
from claimstream.ports.stores import DenseHit, DenseLeg
from engines import Engine, embed, embed_all, manifest, passage, passages

pytestmark = engines.LOCAL_QDRANT

TEXTS = [
    "Refunds are available within 30 days of purchase.",
    "Enterprise customers may request an extension of up to 60 days.",
    "Support answers within one working day.",
    "The cello is tuned in fifths.",
]


@pytest.fixture(params=["fake", "embedded", "client", pytest.param("server", marks=pytest.mark.qdrant)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    match request.param:
        case "fake":
            yield from engines.memory_dense()
        case "embedded":
            yield from engines.edge_dense(tmp_path)
        case "client":
            yield from engines.qdrant_dense(qdrant.over(QdrantClient(":memory:")))
        case "server":
            yield from engines.qdrant_dense(qdrant.connect(engines.qdrant_url(), timeout_seconds=20))


def filled(leg: DenseLeg, texts: list[str]) -> list[Passage]:
    written = passages(manifest(), texts)
    leg.create(manifest())
    leg.upsert(manifest(), written, embed_all(written))
    return written


def ids(hits: list[list[DenseHit]]) -> list[list[str]]:
    return [[hit.passage.evidence_id for hit in of_one] for of_one in hits]


def test_a_passage_comes_back_whole_and_with_its_cosine(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    queries = embed([TEXTS[2], "refunds within days"])
    first, second = leg.search(manifest(), queries, limit=2)
    assert first[0].passage == written[2]
    assert first[0].cosine == pytest.approx(1.0, abs=1e-5)
    assert second[0].passage == written[0]
    assert second[0].cosine == pytest.approx(float(queries[1] @ embed([TEXTS[0]])[0]), abs=1e-5)


def test_hits_are_ordered_and_limited(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    (hits,) = leg.search(manifest(), embed([TEXTS[0]]), limit=3)
    assert len(hits) == 3
    assert [hit.cosine for hit in hits] == sorted((hit.cosine for hit in hits), reverse=True)


@pytest.mark.parametrize("limit", [1, 3, 40])
def test_ties_are_ordered_by_evidence_id_also_at_the_limit(engine: Engine, limit: int) -> None:
    leg = engine.open(False)
    written = filled(leg, ["The same sentence."] * 60)
    (found,) = ids(leg.search(manifest(), embed(["the same sentence"]), limit))
    assert found == sorted(one.evidence_id for one in written)[:limit]


def test_no_query_no_answer(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    assert leg.search(manifest(), np.empty((0, manifest().dimension), np.float32), limit=5) == []
    assert leg.vectors(manifest(), []) == {}


def test_an_empty_generation_answers_nothing(engine: Engine) -> None:
    leg = engine.open(False)
    leg.create(manifest())
    assert leg.search(manifest(), embed(["refund"]), limit=5) == [[]]
    assert leg.count(manifest()) == 0


def test_vectors_by_id_leave_out_the_unknown(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    got = leg.vectors(manifest(), [written[1].evidence_id, "acme/help/nothing.md#0@g1.000000000000"])
    assert list(got) == [written[1].evidence_id]
    np.testing.assert_allclose(got[written[1].evidence_id], embed([TEXTS[1]])[0], atol=1e-6)


def test_writing_again_replaces_and_deleting_removes(engine: Engine) -> None:
    leg = engine.open(False)
    written = filled(leg, TEXTS)
    retitled = dataclasses.replace(written[0], title="Refunds")
    leg.upsert(manifest(), [retitled], embed_all([retitled]))
    assert leg.count(manifest()) == 4
    assert leg.search(manifest(), embed([TEXTS[0]]), limit=1)[0][0].passage.title == "Refunds"
    leg.delete(manifest(), [written[0].evidence_id, "acme/help/nothing.md#0@g1.000000000000"])
    assert leg.count(manifest()) == 3
    assert written[0].evidence_id not in ids(leg.search(manifest(), embed([TEXTS[0]]), limit=10))[0]


def test_unicode_survives(engine: Engine) -> None:
    leg = engine.open(False)
    odd = passage(
        manifest(), "Rückgabe 返品 🎻 e\u0301 \u2028 end", doc_id="Ordner/返品 – Übersicht.md", title="Ü > 返品"
    )
    leg.create(manifest())
    leg.upsert(manifest(), [odd], embed_all([odd]))
    assert leg.search(manifest(), embed_all([odd]), limit=1)[0][0].passage == odd
    assert set(leg.vectors(manifest(), [odd.evidence_id])) == {odd.evidence_id}


def test_tenants_in_one_collection_never_meet(engine: Engine) -> None:
    leg = engine.open(True)
    ours, theirs, other = manifest("acme"), manifest("zenith"), manifest("acme", "legal")
    leg.create(ours)
    for of, text in ((ours, TEXTS[0]), (theirs, "Refunds are never available."), (other, "Refunds take 9 days.")):
        leg.upsert(of, [passage(of, text)], embed([text]))
    for of, text in ((ours, TEXTS[0]), (theirs, "Refunds are never available."), (other, "Refunds take 9 days.")):
        (hits,) = leg.search(of, embed(["Are refunds available?"]), limit=10)
        assert [hit.passage.text for hit in hits] == [text]
        assert leg.count(of) == 1
    stranger = passage(theirs, "Refunds are never available.").evidence_id
    assert leg.vectors(ours, [stranger]) == {}
    leg.delete(ours, [stranger])
    assert leg.count(theirs) == 1
    leg.drop(ours)


def test_generations_are_apart(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, TEXTS)
    second = manifest(generation="g2")
    leg.create(second)
    leg.upsert(second, passages(second, ["Only this."]), embed(["Only this."]))
    assert (leg.count(manifest()), leg.count(second)) == (4, 1)
    leg.drop(second)
    leg.drop(second)
    assert leg.count(manifest()) == 4
    with pytest.raises(IndexUnavailable, match="g2"):
        leg.count(second)


def test_the_same_query_gives_the_same_list_also_after_reopening(engine: Engine) -> None:
    leg = engine.open(False)
    filled(leg, [f"Rule {number % 7} on refunds, deliveries and returns." for number in range(80)])
    queries = embed(["refunds", "rule 3 on returns", "deliveries and rule 5"])
    once = leg.search(manifest(), queries, limit=20)
    assert leg.search(manifest(), queries, limit=20) == once
    one_by_one = [leg.search(manifest(), query[None], limit=20)[0] for query in queries]
    assert one_by_one == once
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
        leg.upsert(manifest(), [one], embed_all([one]))
    with pytest.raises(IndexUnavailable):
        leg.count(manifest())
    leg.create(manifest())
    assert leg.count(manifest()) == 0


def test_an_engine_that_does_not_answer_is_unavailable(engine: Engine) -> None:
    leg = engine.broken()
    one = passage(manifest(), TEXTS[0])
    for call in (
        lambda: leg.search(manifest(), embed(["refund"]), 5),
        lambda: leg.vectors(manifest(), [one.evidence_id]),
        lambda: leg.upsert(manifest(), [one], embed_all([one])),
        lambda: leg.count(manifest()),
    ):
        with pytest.raises(IndexUnavailable):
            call()
