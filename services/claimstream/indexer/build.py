"""Builds a generation of a corpus beside the one in service, and puts it into service."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from claimstream.contracts.messages import PathSegment
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import next_generation
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.domain.evidence.records import embedded_words
from claimstream.errors import ConfigurationError, EmptyCorpus
from claimstream.indexer.passages import document_hashes, passages_of
from claimstream.ports.clock import Clock
from claimstream.ports.documents import Document, Reader, Skipped, Splitter
from claimstream.ports.models import Embedder
from claimstream.ports.stores import Catalogue, DenseLeg, SparseLeg

BATCH_PASSAGES = 128
"""Passages embedded and written at a time: bounds memory, not speed."""


@dataclass(frozen=True, slots=True)
class Built:
    """A generation in service, and the files that did not go into it."""

    manifest: Manifest
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexer:
    """Everything that a build needs of the outside world."""

    splitter: Splitter
    embedder: Embedder
    dense: DenseLeg
    sparse: SparseLeg
    catalogue: Catalogue
    clock: Clock

    def index_folder(self, corpus: CorpusRef, folder: Path, reader: Reader) -> Built:
        """Build a generation from all documents below a folder and promote it.

        Raises ConfigurationError for a name that cannot be a tenant or corpus, EmptyCorpus where there is
        nothing to index, Unavailable where an engine or the embedder fails; then nothing is left behind and the
        generation in service stays.
        """
        check_names(corpus)
        reading = reader.read(folder)
        if not reading.documents:
            raise EmptyCorpus(
                f"no document to read in {folder}{_because(reading.skipped)}: put .md, .html or .txt there"
            )
        return Built(self.build_generation(corpus, reading.documents), reading.skipped)

    def build_generation(self, corpus: CorpusRef, documents: Sequence[Document]) -> Manifest:
        """Build the next generation from these documents and promote it; errors as in `index_folder`."""
        check_names(corpus)
        manifest = self._next(corpus, documents)
        passages = [
            passage
            for document in documents
            for passage in passages_of(corpus, manifest.generation, document, self.splitter)
        ]
        if not passages:
            names = ", ".join(document.doc_id for document in documents[:5]) or "none given"
            raise EmptyCorpus(f"the documents of {corpus} hold no text ({names}): add text, or name another folder")
        manifest = replace(manifest, passages=len(passages))
        self._write(manifest, passages)
        self.catalogue.promote(manifest)
        return manifest

    def _next(self, corpus: CorpusRef, documents: Sequence[Document]) -> Manifest:
        built = self.catalogue.generations(corpus)
        return Manifest(
            corpus=corpus,
            generation=next_generation(manifest.generation for manifest in built),
            embedder=str(self.embedder.identity),
            chunker=self.splitter.chunker,
            dimension=self.embedder.dimension,
            documents=len(documents),
            passages=0,
            created_at=_instant(self.clock.time_ns()),
            document_hashes=document_hashes(documents),
        )

    def _write(self, manifest: Manifest, passages: Sequence[Passage]) -> None:
        """Both legs, all or nothing: a failed build is dropped again."""
        try:
            self.dense.create(manifest)
            self.sparse.create(manifest)
            for batch in _batches(passages):
                vectors = self.embedder.embed([embedded_words(passage) for passage in batch])
                self.dense.upsert(manifest, batch, vectors)
                self.sparse.upsert(manifest, batch)
        except BaseException:
            self._drop(manifest)
            raise

    def _drop(self, manifest: Manifest) -> None:
        try:
            self.dense.drop(manifest)
        finally:
            self.sparse.drop(manifest)


def check_names(corpus: CorpusRef) -> None:
    """Raise ConfigurationError where the tenant or corpus cannot stand in ids, index names and paths."""
    for what, name in (("tenant", corpus.tenant), ("corpus", corpus.corpus)):
        try:
            msgspec.convert(name, PathSegment)
        except msgspec.ValidationError as error:
            raise ConfigurationError(
                f"{name!r} cannot be a {what}: use 1 to 128 letters, digits, dots, dashes or underscores, "
                "the first one a letter or digit"
            ) from error


def _because(skipped: Sequence[Skipped]) -> str:
    if not skipped:
        return ""
    shown = "; ".join(f"{one.doc_id}: {one.reason}" for one in skipped[:3])
    return f" ({len(skipped)} skipped, {shown})"


def _batches(passages: Sequence[Passage]) -> Iterable[Sequence[Passage]]:
    return (passages[at : at + BATCH_PASSAGES] for at in range(0, len(passages), BATCH_PASSAGES))


def _instant(time_ns: int) -> str:
    return datetime.fromtimestamp(time_ns // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")
