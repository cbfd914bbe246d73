"""The catalogue: which generation is in service, for the fake and every engine's aliases."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from claimstream.domain.evidence.names import next_generation
from claimstream.domain.evidence.passage import CorpusRef
from engines import Catalogued, manifest


@pytest.fixture(params=["fake", "embedded"])
def catalogued(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogued]:
    match request.param:
        case "fake":
            yield from engines.memory_catalogue()
        case "embedded":
            yield from engines.edge_catalogue(tmp_path)


def test_an_unknown_corpus_is_none(catalogued: Catalogued) -> None:
    assert catalogued.catalogue.in_service(CorpusRef("acme", "nothing")) is None
    assert catalogued.catalogue.generations(CorpusRef("acme", "nothing")) == []


def test_a_build_is_listed_before_it_serves(catalogued: Catalogued) -> None:
    catalogued.create(manifest())
    assert catalogued.catalogue.generations(manifest().corpus) == [manifest()]
    assert catalogued.catalogue.in_service(manifest().corpus) is None
    assert manifest().corpus not in catalogued.catalogue.corpora()


def test_promoting_keeps_the_manifest_with_its_counts(catalogued: Catalogued) -> None:
    catalogued.create(manifest())
    done = dataclasses.replace(manifest(), documents=2, passages=7, document_hashes={"Ü/返品.md": "ab12"})
    catalogued.catalogue.promote(done)
    assert catalogued.catalogue.in_service(done.corpus) == done
    assert catalogued.catalogue.generations(done.corpus) == [done]
    assert catalogued.reopen().in_service(done.corpus) == done


def test_the_newest_promotion_serves_and_can_be_rolled_back(catalogued: Catalogued) -> None:
    first, second = manifest(), manifest(generation="g2")
    for one in (first, second):
        catalogued.create(one)
        catalogued.catalogue.promote(one)
        assert catalogued.catalogue.in_service(one.corpus) == one
    catalogued.catalogue.promote(first)
    assert catalogued.reopen().in_service(first.corpus) == first
    assert catalogued.catalogue.generations(first.corpus) == [first, second]


def test_generations_are_ordered_by_number(catalogued: Catalogued) -> None:
    for name in ("g9", "g10", "g2"):
        catalogued.create(manifest(generation=name))
    names = [one.generation for one in catalogued.catalogue.generations(manifest().corpus)]
    assert names == ["g2", "g9", "g10"]
    assert next_generation(names) == "g11"


def test_corpora_are_listed_apart_and_in_order(catalogued: Catalogued) -> None:
    refs = [("zenith", "help"), ("acme", "legal"), ("acme", "help"), ("acme-help", "legal"), ("ACME", "help")]
    for tenant, corpus in refs:
        catalogued.create(manifest(tenant, corpus))
        catalogued.catalogue.promote(manifest(tenant, corpus))
    ours = {CorpusRef(*ref) for ref in refs}
    listed = [ref for ref in catalogued.catalogue.corpora() if ref in ours]
    assert listed == sorted(ours, key=str)
    for tenant, corpus in refs:
        assert catalogued.catalogue.in_service(CorpusRef(tenant, corpus)) == manifest(tenant, corpus)
