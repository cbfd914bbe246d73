"""Evidence a claim: fusion of both legs, cosines for all, the floor, and what happens when a leg is down."""

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import Passage
from claimstream.errors import IndexUnavailable, ModelRefused, ModelUnavailable
from claimstream.ports.stores import DenseHit, SparseHit, Vector
from claimstream.streaming.breaker import BreakerPolicy
from claimstream.testing.clock import FakeClock
from claimstream.testing.models import FakeEmbedder
from claimstream.testing.stores import MemoryDense, MemorySparse
from claimstream.verifier.evidence import Request, RetrievalPolicy, Retriever
from engines import embed_all, manifest, passages

TEXTS = [
    "Refunds are available within 30 days of purchase.",
    "Enterprise customers may request an extension of up to 60 days.",
    "Support answers within one working day.",
    "The cello is tuned in fifths.",
    "Deliveries take two to four working days.",
    "Returns are free of charge within the country.",
    "Gift cards cannot be returned.",
]
FLOOR = 0.2
OF = manifest()


class CountingDense(MemoryDense):
    """Counts its calls and can be made to hang."""

    def __init__(self) -> None:
        super().__init__()
        self.searches = 0
        self.vector_calls: list[list[str]] = []
        self.go_on = threading.Event()
        self.go_on.set()

    def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
        self.searches += 1
        self.go_on.wait(timeout=60)
        return super().search(manifest, vectors, limit)

    def vectors(self, manifest: Manifest, evidence_ids: Collection[str]) -> dict[str, Vector]:
        self.vector_calls.append(sorted(evidence_ids))
        return super().vectors(manifest, evidence_ids)


class CountingSparse(MemorySparse):
    searches = 0

    def search(self, manifest: Manifest, texts: Sequence[str], limit: int) -> list[list[SparseHit]]:
        self.searches += 1
        return super().search(manifest, texts, limit)


@dataclass
class Bench:
    dense: CountingDense
    sparse: CountingSparse
    embedder: FakeEmbedder
    clock: FakeClock
    written: list[Passage]
    retriever: Retriever


def bench(policy: RetrievalPolicy, texts: Sequence[str] = TEXTS) -> Iterator[Bench]:
    dense, sparse, clock = CountingDense(), CountingSparse(), FakeClock()
    embedder = FakeEmbedder(dimension=OF.dimension, floors={OF.chunker: FLOOR})
    written = passages(OF, texts)
    dense.create(OF)
    sparse.create(OF)
    dense.upsert(OF, written, embed_all(written))
    sparse.upsert(OF, written)
    retriever = Retriever(dense=dense, sparse=sparse, embedder=embedder, clock=clock, policy=policy)
    yield Bench(dense, sparse, embedder, clock, written, retriever)
    dense.go_on.set()
    retriever.close()


@pytest.fixture
def both() -> Iterator[Bench]:
    yield from bench(RetrievalPolicy())


@pytest.fixture
def impatient() -> Iterator[Bench]:
    yield from bench(RetrievalPolicy(leg_timeout_seconds=0.5))


@pytest.fixture
def breaking() -> Iterator[Bench]:
    yield from bench(RetrievalPolicy(breaker=BreakerPolicy(failures=2, open_seconds=10)))


def test_one_call_a_leg_for_all_queries(both: Bench) -> None:
    (got,) = both.retriever.retrieve([Request(OF, ("refunds in 30 days", "the cello", "gift cards"))])
    assert (both.dense.searches, both.sparse.searches) == (1, 1)
    assert [claim[0].passage for claim in got.claims] == [both.written[0], both.written[3], both.written[6]]
    assert got.degraded == ()
    assert [(call.leg, call.error) for call in got.calls] == [("dense", None), ("sparse", None)]


def test_a_leg_is_timed_by_its_own_work(both: Bench) -> None:
    class SlowDense(CountingDense):
        def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
            words_are_there.wait(timeout=60)
            both.clock.sleep(1.5)
            return super().search(manifest, vectors, limit)

    class QuickSparse(CountingSparse):
        def search(self, manifest: Manifest, texts: Sequence[str], limit: int) -> list[list[SparseHit]]:
            try:
                return super().search(manifest, texts, limit)
            finally:
                words_are_there.set()

    words_are_there = threading.Event()
    dense, sparse = SlowDense(), QuickSparse()
    dense.collections, sparse.collections = both.dense.collections, both.sparse.collections
    retriever = Retriever(
        dense=dense, sparse=sparse, embedder=both.embedder, clock=both.clock, policy=RetrievalPolicy()
    )
    (got,) = retriever.retrieve([Request(OF, ("gift cards",))])
    retriever.close()
    assert {call.leg: call.end_ns - call.start_ns for call in got.calls}["dense"] == 1_500_000_000


def test_each_request_is_answered_from_its_own_corpus(both: Bench) -> None:
    theirs = manifest("zenith")
    never = passages(theirs, ["Refunds are never available."])
    for leg in (both.dense, both.sparse):
        leg.create(theirs)
    both.dense.upsert(theirs, never, embed_all(never))
    both.sparse.upsert(theirs, never)
    ours, other = both.retriever.retrieve([Request(OF, ("refunds",)), Request(theirs, ("refunds",))])
    assert {one.passage.corpus for one in ours.claims[0]} == {OF.corpus}
    assert [one.passage.text for one in other.claims[0]] == ["Refunds are never available."]


def test_ranks_scores_and_order_are_those_of_the_fusion(both: Bench) -> None:
    (got,) = both.retriever.retrieve([Request(OF, ("Refunds are available within working days.",))])
    (claim,) = got.claims
    assert len(claim) == 5
    scores = [one.fused_score for one in claim]
    assert scores == sorted(scores, reverse=True)
    for one in claim:
        expected = sum(1 / (60 + rank) for rank in (one.dense_rank, one.sparse_rank) if rank)
        assert one.fused_score == pytest.approx(expected)


def test_every_judged_passage_has_its_cosine_also_when_only_words_found_it() -> None:
    for made in bench(RetrievalPolicy(candidates=1, judged=5)):
        queries = ("returns, deliveries and gift cards", "cello and refunds")
        (got,) = made.retriever.retrieve([Request(OF, queries)])
        only_words = {one.passage.evidence_id for claim in got.claims for one in claim if one.dense_rank is None}
        assert only_words
        assert made.dense.vector_calls == [sorted(only_words)]
        for query, claim in zip(queries, got.claims, strict=True):
            vector = made.embedder.embed([query])[0]
            for one in claim:
                assert one.cosine == pytest.approx(
                    float(vector @ made.embedder.embed([one.passage.text])[0]), abs=1e-5
                )


def test_the_floor_says_who_may_judge(both: Bench) -> None:
    (got,) = both.retriever.retrieve([Request(OF, ("Refunds are available within 30 days.",))])
    (claim,) = got.claims
    assert {one.above_floor for one in claim} == {True, False}
    assert all(one.above_floor == (one.cosine >= FLOOR) for one in claim)


def test_without_the_dense_leg_the_candidates_are_embedded_here(both: Bench) -> None:
    both.dense.failure = "the engine is down"
    (got,) = both.retriever.retrieve([Request(OF, ("refunds within days", "gift cards"))])
    assert got.degraded == ("dense",)
    assert got.calls[0].error == "the engine is down"
    assert got.claims[1][0].passage == both.written[6]
    for claim in got.claims:
        assert claim
        assert all(one.dense_rank is None and one.cosine > 0 for one in claim)
    embedded = both.embedder.calls[-1]
    assert len(embedded) == len(set(embedded))


def test_without_the_sparse_leg_the_dense_one_carries_on(both: Bench) -> None:
    both.sparse.failure = "the engine is down"
    (got,) = both.retriever.retrieve([Request(OF, ("gift cards",))])
    assert got.degraded == ("sparse",)
    assert got.claims[0][0].passage == both.written[6]
    assert all(one.sparse_rank is None for one in got.claims[0])


def test_both_down_is_unavailable_with_both_reasons(both: Bench) -> None:
    both.dense.failure, both.sparse.failure = "no vectors today", "no words today"
    with pytest.raises(IndexUnavailable, match=r"no vectors today.*no words today"):
        both.retriever.retrieve([Request(OF, ("refunds",))])


def test_vectors_that_cannot_be_fetched_are_embedded() -> None:
    for made in bench(RetrievalPolicy(candidates=1)):
        made.dense.delete(OF, [made.written[6].evidence_id])
        (got,) = made.retriever.retrieve([Request(OF, ("gift cards cannot be returned",))])
        found = {one.passage.doc_id: one.cosine for one in got.claims[0]}
        assert found[made.written[6].doc_id] > 0.9


def test_a_hanging_leg_is_left_behind_and_not_asked_again_until_it_ends(impatient: Bench) -> None:
    impatient.dense.go_on.clear()
    for _ in range(2):
        (got,) = impatient.retriever.retrieve([Request(OF, ("gift cards",))])
        assert got.degraded == ("dense",)
        assert got.claims[0][0].passage == impatient.written[6]
    assert impatient.dense.searches == 1


def test_the_breaker_leaves_a_failing_leg_alone_and_tries_again(breaking: Bench) -> None:
    breaking.dense.failure = "the engine is down"
    request = [Request(OF, ("gift cards",))]
    for _ in range(4):
        assert breaking.retriever.retrieve(request)[0].degraded == ("dense",)
    assert breaking.dense.searches == 2
    breaking.dense.failure = None
    assert breaking.retriever.retrieve(request)[0].degraded == ("dense",)
    breaking.clock.sleep(10)
    assert breaking.retriever.retrieve(request)[0].degraded == ()


def test_an_embedder_that_fails_is_not_taken_for_an_engine(both: Bench) -> None:
    both.embedder.failure = "session lost"
    with pytest.raises(ModelUnavailable, match="session lost"):
        both.retriever.retrieve([Request(OF, ("refunds",))])


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (replace(OF, embedder="other-model@abc"), "was embedded by other-model@abc"),
        (replace(OF, chunker="whole@2"), "no relevance floor for the chunker whole@2"),
    ],
)
def test_a_generation_that_cannot_be_judged_is_refused(both: Bench, changed: Manifest, complaint: str) -> None:
    with pytest.raises(ModelRefused, match=complaint):
        both.retriever.retrieve([Request(changed, ("refunds",))])


def test_nothing_asked_nothing_done(both: Bench) -> None:
    assert both.retriever.retrieve([]) == []
    (got,) = both.retriever.retrieve([Request(OF, ())])
    assert (got.claims, both.dense.searches) == ((), 0)


def test_an_empty_corpus_gives_no_evidence() -> None:
    for made in bench(RetrievalPolicy(), texts=["Only one."]):
        made.dense.delete(OF, [made.written[0].evidence_id])
        made.sparse.delete(OF, [made.written[0].evidence_id])
        assert made.retriever.retrieve([Request(OF, ("refunds",))])[0].claims == ((),)


def test_the_same_batch_gives_the_same_evidence(both: Bench) -> None:
    request = [Request(OF, ("refunds", "working days", "gift cards"))]
    assert both.retriever.retrieve(request)[0].claims == both.retriever.retrieve(request)[0].claims
    alone = both.retriever.retrieve([Request(OF, ("working days",))])[0].claims[0]
    assert both.retriever.retrieve(request)[0].claims[1] == alone
    assert np.all([one.cosine <= 1.0 for one in alone])
