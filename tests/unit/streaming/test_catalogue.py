"""Two catalogues as one: what serves while they agree, disagree, or one of them is down."""

import pytest

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.errors import IndexUnavailable
from claimstream.streaming.catalogue import PairedCatalogue
from claimstream.testing.stores import MemoryCatalogue, MemoryDense, MemorySparse
from engines import manifest

G1, G2 = manifest(), manifest(generation="g2")


class HalfCatalogue(MemoryCatalogue):
    """One engine's aliases, which can be down."""

    def __init__(self) -> None:
        super().__init__(MemoryDense(), MemorySparse())
        self.down = False

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        if self.down:
            raise IndexUnavailable("the engine is down")
        return super().in_service(corpus)


@pytest.fixture
def halves() -> tuple[HalfCatalogue, HalfCatalogue, PairedCatalogue]:
    dense, sparse = HalfCatalogue(), HalfCatalogue()
    return dense, sparse, PairedCatalogue(dense, sparse)


Halves = tuple[HalfCatalogue, HalfCatalogue, PairedCatalogue]


def test_unknown_to_both_is_unknown(halves: Halves) -> None:
    *_, pair = halves
    assert pair.in_service(G1.corpus) is None


def test_the_last_agreement_serves_while_they_disagree(halves: Halves) -> None:
    dense, sparse, pair = halves
    pair.promote(G1)
    assert pair.in_service(G1.corpus) == G1
    dense.promote(G2)
    assert pair.in_service(G1.corpus) == G1
    sparse.promote(G2)
    assert pair.in_service(G1.corpus) == G2


def test_a_disagreement_from_the_start_is_unavailable(halves: Halves) -> None:
    dense, sparse, pair = halves
    dense.promote(G2)
    with pytest.raises(IndexUnavailable, match=r"dense: g2, sparse: none"):
        pair.in_service(G1.corpus)
    sparse.promote(G1)
    with pytest.raises(IndexUnavailable, match=r"dense: g2, sparse: g1"):
        pair.in_service(G1.corpus)


@pytest.mark.parametrize("which", [0, 1])
def test_one_engine_down(halves: Halves, which: int) -> None:
    pair = halves[2]
    pair.promote(G1)
    halves[which].down = True
    assert pair.in_service(G1.corpus) == G1
    assert pair.in_service(CorpusRef("acme", "other")) is None


def test_both_engines_down(halves: Halves) -> None:
    dense, sparse, pair = halves
    dense.down = sparse.down = True
    with pytest.raises(IndexUnavailable, match="neither engine"):
        pair.in_service(G1.corpus)
    dense.down = sparse.down = False
    pair.promote(G1)
    pair.in_service(G1.corpus)
    dense.down = sparse.down = True
    assert pair.in_service(G1.corpus) == G1


def test_only_what_both_serve_is_listed(halves: Halves) -> None:
    dense, _, pair = halves
    dense.promote(manifest(corpus="half"))
    pair.promote(G1)
    assert pair.corpora() == [G1.corpus]
