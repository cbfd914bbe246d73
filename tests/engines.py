"""The retrieval engines under one conformance suite: how each is opened, reopened, shared and broken."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.ports.stores import Catalogue, DenseLeg, SparseLeg, Vector
from claimstream.testing.models import FakeEmbedder
from claimstream.testing.stores import MemoryCatalogue, MemoryDense, MemorySparse

EMBEDDER = FakeEmbedder(dimension=64)


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


def _both(dense: DenseLeg, sparse: SparseLeg) -> Callable[[Manifest], None]:
    def create(of: Manifest) -> None:
        dense.create(of)
        sparse.create(of)

    return create
