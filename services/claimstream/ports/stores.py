"""The retrieval engines and the catalogue of generations."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef, Passage

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class DenseHit:
    """A passage found by its vector; `cosine` is computed by the engine, exactly."""

    passage: Passage
    cosine: float


@dataclass(frozen=True, slots=True)
class SparseHit:
    """A passage found by its words; the score only orders one list."""

    passage: Passage
    score: float


class DenseLeg(Protocol):
    """Vectors of one or many generations. Every call carries tenant and corpus as a filter."""

    def create(self, manifest: Manifest) -> None:
        """Make the empty collection of a generation. Raises ConfigurationError where it exists."""

    def upsert(self, manifest: Manifest, passages: Sequence[Passage], vectors: Vector) -> None:
        """Write passages with their unit vectors, shape (n, dimension); searchable on return."""

    def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
        """One call for all queries: the best passages of each, by (cosine, evidence id), exact.

        Raises IndexUnavailable on an error or after the leg's own timeout.
        """

    def vectors(self, manifest: Manifest, evidence_ids: Collection[str]) -> dict[str, Vector]:
        """The unit vectors of these passages, in one call; unknown ids are left out. Raises IndexUnavailable."""

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""

    def close(self) -> None:
        """Flush and let go of files and connections."""


class SparseLeg(Protocol):
    """The words of the same generations, BM25 with an English analyser; same rules as `DenseLeg`."""

    def create(self, manifest: Manifest) -> None:
        """Make the empty index of a generation. Raises ConfigurationError where it exists."""

    def upsert(self, manifest: Manifest, passages: Sequence[Passage]) -> None:
        """Write passages; searchable on return."""

    def search(self, manifest: Manifest, texts: Sequence[str], limit: int) -> list[list[SparseHit]]:
        """One call for all queries: the best passages of each, by (score, evidence id).

        Raises IndexUnavailable on an error or after the leg's own timeout.
        """

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""

    def close(self) -> None:
        """Let go of connections."""


class Catalogue(Protocol):
    """Which generation of a corpus is in service, by alias."""

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest that both legs' aliases name, or None for an unknown corpus. Raises IndexUnavailable."""

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds of a corpus, oldest first."""

    def promote(self, manifest: Manifest) -> None:
        """Point both aliases to this generation and keep its manifest."""

    def corpora(self) -> list[CorpusRef]:
        """All corpora with a generation in service, in order."""
