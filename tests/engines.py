"""The retrieval engines under one conformance suite: how each is opened, reopened, shared and broken."""

import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient

from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse
from claimstream.adapters.opensearch import connection as opensearch
from claimstream.adapters.opensearch.catalogue import OpenSearchCatalogue
from claimstream.adapters.opensearch.sparse import OpenSearchSparse
from claimstream.adapters.qdrant import connection as qdrant
from claimstream.adapters.qdrant.catalogue import QdrantCatalogue
from claimstream.adapters.qdrant.dense import QdrantDense
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import NameGeneration, collection_of
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.ports.stores import Catalogue, DenseLeg, SparseLeg, Vector
from claimstream.streaming.catalogue import PairedCatalogue
from claimstream.testing.models import FakeEmbedder
from claimstream.testing.stores import MemoryCatalogue, MemoryDense, MemorySparse

EMBEDDER = FakeEmbedder(dimension=64)

LOCAL_QDRANT = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]
"""The client's own memory warns of settings that only a server needs; it takes them all the same."""


@dataclass(frozen=True)
class Engine:
    """`open(shared)` gives a leg on the same data again and again; `broken()` one whose engine does not answer."""

    open: Callable[[bool], Any]
    broken: Callable[[], Any]


def manifest(tenant: str = "acme", corpus: str = "help", generation: str = "g1", **changes: Any) -> Manifest:
    values: dict[str, Any] = {
        "corpus": CorpusRef(tenant, corpus),
        "generation": generation,
        "embedder": str(EMBEDDER.identity),
        "chunker": "whole@1",
        "dimension": EMBEDDER.dimension,
        "documents": 0,
        "passages": 0,
        "created_at": "2026-01-01T00:00:00Z",
    }
    return Manifest(**(values | changes))


def passage(of: Manifest, text: str, doc_id: str = "doc.md", chunk_no: int = 0, title: str = "") -> Passage:
    return Passage(
        corpus=of.corpus,
        generation=of.generation,
        doc_id=doc_id,
        chunk_no=chunk_no,
        text=text,
        start=0,
        end=len(text),
        parent_start=0,
        parent_text=text,
        title=title,
    )


def passages(of: Manifest, texts: Sequence[str]) -> list[Passage]:
    return [passage(of, text, doc_id=f"doc{number:03}.md") for number, text in enumerate(texts)]


def embed(texts: Sequence[str]) -> Vector:
    return np.asarray(EMBEDDER.embed(texts))


def embed_all(of: Sequence[Passage]) -> Vector:
    return embed([one.text for one in of])


def memory_dense() -> Iterator[Engine]:
    legs = {False: MemoryDense(), True: MemoryDense(name_of=lambda _: "shared")}
    broken = MemoryDense()
    broken.failure = "the engine is down"
    yield Engine(legs.__getitem__, lambda: broken)


def memory_sparse() -> Iterator[Engine]:
    legs = {False: MemorySparse(), True: MemorySparse(name_of=lambda _: "shared")}
    broken = MemorySparse()
    broken.failure = "the engine is down"
    yield Engine(legs.__getitem__, lambda: broken)


def _edge(tmp_path: Path, kind: Any) -> Iterator[Engine]:
    data = DataFolder(tmp_path / "data")
    wreck = tmp_path / "wreck"
    for leg in ("dense", "sparse"):
        (wreck / leg / "segments").mkdir(parents=True)
        (wreck / leg / "edge_config.json").write_text("not JSON")
    opened: list[Any] = []

    def open_(shared: bool) -> Any:
        while opened:
            opened.pop().close()
        folder = tmp_path / "shared"
        opened.append(kind(data, folder_of=(lambda _: folder) if shared else None))
        return opened[-1]

    yield Engine(open_, lambda: kind(data, folder_of=lambda _: wreck))
    while opened:
        opened.pop().close()
    data.close()


def edge_dense(tmp_path: Path) -> Iterator[Engine]:
    yield from _edge(tmp_path, EdgeDense)


def edge_sparse(tmp_path: Path) -> Iterator[Engine]:
    yield from _edge(tmp_path, EdgeSparse)


def qdrant_url() -> str:
    """The server to test, or a skip that says how to name one."""
    url = os.environ.get("CLAIMSTREAM_QDRANT_URL")
    if not url:
        pytest.skip("no Qdrant server: set CLAIMSTREAM_QDRANT_URL to the URL of one")
    return url


def _named(prefix: str) -> dict[bool, NameGeneration]:
    """Names that no other test has on the same server: one a generation, or one for all."""
    return {False: lambda of: f"{prefix}-{collection_of(of)}", True: lambda _: f"{prefix}-shared"}


def qdrant_dense(connection: qdrant.Connection) -> Iterator[Engine]:
    """The connection stays open: memory lives as long as its client does."""
    names = _named(f"test-{uuid.uuid4().hex[:12]}")
    closed = QdrantClient(":memory:")
    closed.close()
    yield Engine(
        lambda shared: QdrantDense(connection, name_of=names[shared]), lambda: QdrantDense(qdrant.over(closed))
    )
    for one in connection.reads.get_collections().collections:
        if one.name.startswith("test-"):
            connection.writes.delete_collection(one.name)
    connection.close()


def opensearch_sparse(url: str) -> Iterator[Engine]:
    prefix = f"test-{uuid.uuid4().hex[:12]}"
    names = _named(prefix)
    opened: list[opensearch.Connection] = []

    def open_(address: str, name_of: NameGeneration) -> OpenSearchSparse:
        opened.append(opensearch.connect(address, timeout_seconds=20))
        return OpenSearchSparse(opened[-1], name_of=name_of)

    nobody = "http://127.0.0.1:9"
    yield Engine(lambda shared: open_(url, names[shared]), lambda: open_(nobody, names[False]))
    cleaner = opensearch.connect(url, timeout_seconds=20)
    cleaner.client.indices.delete(index=f"{prefix}-*")
    for connection in (cleaner, *opened):
        connection.close()


@dataclass(frozen=True)
class Catalogued:
    """A catalogue, the legs whose generations it lists, and how to open it again."""

    catalogue: Catalogue
    create: Callable[[Manifest], None]
    reopen: Callable[[], Catalogue]


def memory_catalogue() -> Iterator[Catalogued]:
    dense, sparse = MemoryDense(), MemorySparse()
    catalogue = MemoryCatalogue(dense, sparse)
    yield Catalogued(catalogue, _both(dense, sparse), lambda: catalogue)


def edge_catalogue(tmp_path: Path) -> Iterator[Catalogued]:
    data = DataFolder(tmp_path / "data")
    dense, sparse = EdgeDense(data), EdgeSparse(data)
    yield Catalogued(EdgeCatalogue(data), _both(dense, sparse), lambda: EdgeCatalogue(data))
    dense.close()
    sparse.close()
    data.close()


def qdrant_catalogue(connection: qdrant.Connection, tenant: str) -> Iterator[Catalogued]:
    yield Catalogued(
        QdrantCatalogue(connection), QdrantDense(connection).create, lambda: QdrantCatalogue(connection)
    )
    for one in connection.reads.get_collections().collections:
        if tenant in one.name:
            connection.writes.delete_collection(one.name)
    connection.close()


def opensearch_catalogue(url: str, tenant: str) -> Iterator[Catalogued]:
    connection = opensearch.connect(url, timeout_seconds=20)
    yield Catalogued(
        OpenSearchCatalogue(connection),
        OpenSearchSparse(connection).create,
        lambda: OpenSearchCatalogue(connection),
    )
    connection.client.indices.delete(index=f"*{tenant}*")
    connection.close()


def paired_catalogue(url: str, tenant: str) -> Iterator[Catalogued]:
    """Production's form, with the client's own memory in the place of a Qdrant server."""
    vectors, words = qdrant.over(QdrantClient(":memory:")), opensearch.connect(url, timeout_seconds=20)

    def open_() -> Catalogue:
        return PairedCatalogue(QdrantCatalogue(vectors), OpenSearchCatalogue(words))

    yield Catalogued(open_(), _both(QdrantDense(vectors), OpenSearchSparse(words)), open_)
    words.client.indices.delete(index=f"*{tenant}*")
    words.close()
    vectors.close()


def _both(dense: DenseLeg, sparse: SparseLeg) -> Callable[[Manifest], None]:
    def create(of: Manifest) -> None:
        dense.create(of)
        sparse.create(of)

    return create
