"""A generation is built beside the one in service, whole or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimstream.adapters.documents.folder import FolderReader
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.errors import ConfigurationError, EmptyCorpus, IndexUnavailable, ModelUnavailable
from claimstream.indexer.build import BATCH_PASSAGES, Indexer
from claimstream.ports.documents import Chunk, Document
from claimstream.testing.clock import FakeClock
from claimstream.testing.models import FakeEmbedder
from claimstream.testing.stores import MemoryCatalogue, MemoryDense, MemorySparse

HELP = CorpusRef("acme", "help")


class LineSplitter:
    """A passage a line; the parent is the whole document."""

    chunker = "line@1"

    def split(self, document: Document) -> list[Chunk]:
        chunks, start = [], 0
        for line in document.text.split("\n"):
            if line.strip():
                chunks.append(Chunk(start, start + len(line), 0, len(document.text), "Title"))
            start += len(line) + 1
        return chunks


class FailingSparse(MemorySparse):
    full_after: int | None = None

    def upsert(self, manifest: Manifest, passages: Sequence[Passage]) -> None:
        if self.full_after is not None and self.count(manifest) >= self.full_after:
            raise IndexUnavailable("disk full")
        super().upsert(manifest, passages)


@dataclass
class Bench:
    dense: MemoryDense
    sparse: FailingSparse
    embedder: FakeEmbedder
    catalogue: MemoryCatalogue
    indexer: Indexer


@pytest.fixture
def bench() -> Bench:
    dense, sparse, embedder = MemoryDense(), FailingSparse(), FakeEmbedder(dimension=32)
    catalogue = MemoryCatalogue(dense, sparse)
    indexer = Indexer(
        splitter=LineSplitter(),
        embedder=embedder,
        dense=dense,
        sparse=sparse,
        catalogue=catalogue,
        clock=FakeClock(),
    )
    return Bench(dense, sparse, embedder, catalogue, indexer)


def documents(*texts: str) -> list[Document]:
    return [Document(f"doc{number}.md", text, "text/markdown") for number, text in enumerate(texts)]


def test_a_generation_is_written_to_both_legs_and_serves(bench: Bench) -> None:
    manifest = bench.indexer.build_generation(
        HELP, documents("Refunds within 30 days.\nNo fee.", "Support by mail.")
    )
    assert bench.catalogue.in_service(HELP) == manifest
    assert (manifest.generation, manifest.documents, manifest.passages) == ("g1", 2, 3)
    assert (manifest.chunker, manifest.embedder, manifest.dimension) == ("line@1", str(bench.embedder.identity), 32)
    assert manifest.created_at == "2026-01-01T00:00:00Z"
    assert set(manifest.document_hashes) == {"doc0.md", "doc1.md"}
    assert bench.dense.count(manifest) == bench.sparse.count(manifest) == 3


def test_passages_point_into_their_documents(bench: Bench) -> None:
    (document,) = documents("Refunds.\n\n  No fee.")
    manifest = bench.indexer.build_generation(HELP, [document])
    for number, (hit,) in enumerate(bench.sparse.search(manifest, ["refunds", "fee"], 1)):
        passage = hit.passage
        assert passage.text == document.text[passage.start : passage.end]
        assert (passage.chunk_no, passage.doc_id, passage.title) == (number, "doc0.md", "Title")
        assert passage.parent_text == document.text
        assert passage.evidence_id.startswith(f"acme/help/doc0.md#{number}@g1.")


def test_generations_count_up_and_the_old_one_stays(bench: Bench) -> None:
    first = bench.indexer.build_generation(HELP, documents("One."))
    second = bench.indexer.build_generation(HELP, documents("Two."))
    other = bench.indexer.build_generation(CorpusRef("zenith", "help"), documents("Three."))
    assert (first.generation, second.generation, other.generation) == ("g1", "g2", "g1")
    assert bench.dense.count(first) == 1
    assert bench.catalogue.in_service(HELP) == second


def test_many_passages_go_in_batches(bench: Bench) -> None:
    lines = [f"Line {number}." for number in range(2 * BATCH_PASSAGES + 1)]
    manifest = bench.indexer.build_generation(HELP, documents("\n".join(lines)))
    assert [len(call) for call in bench.embedder.calls] == [BATCH_PASSAGES, BATCH_PASSAGES, 1]
    assert bench.dense.count(manifest) == len(lines)


@pytest.mark.parametrize("cause", ["sparse", "embedder", "exists"])
def test_a_failed_build_leaves_nothing_and_the_old_one_serves(bench: Bench, cause: str) -> None:
    first = bench.indexer.build_generation(HELP, documents("One."))
    many = documents("\n".join(f"Line {number}." for number in range(2 * BATCH_PASSAGES)))
    bench.sparse.full_after = BATCH_PASSAGES if cause == "sparse" else None
    bench.embedder.failure = "session lost" if cause == "embedder" else None
    bench.dense.failure = "engine down" if cause == "exists" else None
    with pytest.raises((IndexUnavailable, ModelUnavailable)):
        bench.indexer.build_generation(HELP, many)
    bench.sparse.full_after = bench.embedder.failure = bench.dense.failure = None
    assert bench.catalogue.in_service(HELP) == first
    assert bench.catalogue.generations(HELP) == [first]
    assert bench.indexer.build_generation(HELP, many).generation == "g2"


@pytest.mark.parametrize("texts", [(), ("",), (" \n", "\n\n")])
def test_nothing_to_index(bench: Bench, texts: tuple[str, ...]) -> None:
    with pytest.raises(EmptyCorpus, match=r"acme/help hold no text.*add text"):
        bench.indexer.build_generation(HELP, documents(*texts))
    assert bench.catalogue.generations(HELP) == []


@pytest.mark.parametrize(
    ("tenant", "corpus"),
    [("", "help"), ("acme", "../etc"), ("a/b", "help"), ("acme", ".hidden"), ("x" * 129, "help")],
)
def test_names_that_cannot_stand_in_paths_are_refused(bench: Bench, tenant: str, corpus: str) -> None:
    with pytest.raises(ConfigurationError, match="letters, digits"):
        bench.indexer.build_generation(CorpusRef(tenant, corpus), documents("Text."))


def test_a_folder_is_indexed_and_says_what_it_skipped(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Refunds.")
    (tmp_path / "b.png").write_bytes(b"\x89")
    built = bench.indexer.index_folder(HELP, tmp_path, FolderReader())
    assert built.manifest.passages == 1
    assert [one.doc_id for one in built.skipped] == ["b.png"]


def test_a_folder_without_documents_says_why(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(EmptyCorpus, match="no document to read"):
        bench.indexer.index_folder(HELP, tmp_path, FolderReader())
    (tmp_path / "b.png").write_bytes(b"\x89")
    with pytest.raises(EmptyCorpus, match=r"1 skipped, b.png: unknown file type"):
        bench.indexer.index_folder(HELP, tmp_path, FolderReader())
