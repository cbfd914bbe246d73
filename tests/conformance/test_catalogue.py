"""The catalogue: which generation is in service, for the fake and every engine's aliases."""

import dataclasses
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

import engines
from claimstream.adapters.qdrant import connection as qdrant
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import next_generation
from claimstream.domain.evidence.passage import CorpusRef
from engines import Catalogued

pytestmark = engines.LOCAL_QDRANT

TENANT = f"t{uuid.uuid4().hex[:10]}"
"""Ours alone, on servers that others use too."""

CASES = [
    "fake",
    "embedded",
    "client",
    pytest.param("qdrant", marks=pytest.mark.qdrant),
    pytest.param("opensearch", marks=pytest.mark.opensearch),
    pytest.param("pair", marks=pytest.mark.opensearch),
]


@pytest.fixture(params=CASES)
def catalogued(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogued]:
    match request.param:
        case "fake":
            yield from engines.memory_catalogue()
        case "embedded":
            yield from engines.edge_catalogue(tmp_path)
        case "client":
            yield from engines.qdrant_catalogue(qdrant.over(QdrantClient(":memory:")), TENANT)
        case "qdrant":
            yield from engines.qdrant_catalogue(qdrant.connect(engines.qdrant_url(), timeout_seconds=20), TENANT)
        case "opensearch":
            yield from engines.opensearch_catalogue(request.getfixturevalue("opensearch_url"), TENANT)
        case "pair":
            yield from engines.paired_catalogue(request.getfixturevalue("opensearch_url"), TENANT)


def manifest(generation: str = "g1") -> Manifest:
    return engines.manifest(TENANT, generation=generation)


def test_an_unknown_corpus_is_none(catalogued: Catalogued) -> None:
    assert catalogued.catalogue.in_service(CorpusRef(TENANT, "nothing")) is None
    assert catalogued.catalogue.generations(CorpusRef(TENANT, "nothing")) == []


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
    first, second = manifest(), manifest("g2")
    for one in (first, second):
        catalogued.create(one)
        catalogued.catalogue.promote(one)
        assert catalogued.catalogue.in_service(one.corpus) == one
    catalogued.catalogue.promote(first)
    assert catalogued.reopen().in_service(first.corpus) == first
    assert catalogued.catalogue.generations(first.corpus) == [first, second]


def test_generations_are_ordered_by_number(catalogued: Catalogued) -> None:
    for name in ("g9", "g10", "g2"):
        catalogued.create(manifest(name))
    names = [one.generation for one in catalogued.catalogue.generations(manifest().corpus)]
    assert names == ["g2", "g9", "g10"]
    assert next_generation(names) == "g11"


def test_corpora_are_listed_apart_and_in_order(catalogued: Catalogued) -> None:
    refs = [
        CorpusRef(TENANT + "z", "help"),
        CorpusRef(TENANT, "legal"),
        CorpusRef(TENANT, "help"),
        CorpusRef(f"{TENANT}-help", "legal"),
        CorpusRef(TENANT, "help-legal"),
        CorpusRef(TENANT.upper(), "help"),
    ]
    for ref in refs:
        one = engines.manifest(ref.tenant, ref.corpus)
        catalogued.create(one)
        catalogued.catalogue.promote(one)
    listed = [ref for ref in catalogued.catalogue.corpora() if ref in refs]
    assert listed == sorted(refs, key=str)
    for ref in refs:
        assert catalogued.catalogue.in_service(ref) == engines.manifest(ref.tenant, ref.corpus)
