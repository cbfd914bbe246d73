"""Both legs and the catalogue in memory, with the same filters, order and errors as the engines."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import NameGeneration, collection_of, oldest_first
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.domain.evidence.ranking import best, ordered_score
from claimstream.domain.evidence.records import searched_words
from claimstream.errors import ConfigurationError, IndexUnavailable
from claimstream.ports.stores import DenseHit, SparseHit, Vector


@dataclass(slots=True)
class Stored:
    """One collection: its first manifest, and what was written."""

    manifest: Manifest
    passages: dict[str, Passage] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)


class _Memory:
    """What both legs share. Set `failure` to make every call fail as an engine that is down."""

    def __init__(self, name_of: NameGeneration = collection_of) -> None:
        self.collections: dict[str, Stored] = {}
        self.failure: str | None = None
        self._name_of = name_of

    def create(self, manifest: Manifest) -> None:
        """Make the empty collection of a generation. Raises ConfigurationError where it exists."""
        self._answer()
        name = self._name_of(manifest)
        if name in self.collections:
            raise ConfigurationError(f"a generation is already there: {name}; build the next one, or drop this one")
        self.collections[name] = Stored(manifest)

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages of the manifest's corpus; unknown ids are ignored."""
        collection = self._collection(manifest)
        for name in self._own(manifest).keys() & set(evidence_ids):
            del collection.passages[name]
            collection.vectors.pop(name, None)

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""
        self._answer()
        self.collections.pop(self._name_of(manifest), None)

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""
        return len(self._own(manifest))

    def close(self) -> None:
        """Nothing to let go of."""

    def _answer(self) -> None:
        if self.failure is not None:
            raise IndexUnavailable(self.failure)

    def _collection(self, manifest: Manifest) -> Stored:
        self._answer()
        try:
            return self.collections[self._name_of(manifest)]
        except KeyError:
            raise IndexUnavailable(f"no generation {self._name_of(manifest)}: build one first") from None

    def _own(self, manifest: Manifest) -> dict[str, Passage]:
        passages = self._collection(manifest).passages
        return {name: passage for name, passage in passages.items() if passage.corpus == manifest.corpus}


class MemoryDense(_Memory):
    """Cosine by brute force."""

    def upsert(self, manifest: Manifest, passages: Sequence[Passage], vectors: Vector) -> None:
        """Write passages with their unit vectors."""
        collection = self._collection(manifest)
        for passage, vector in zip(passages, vectors, strict=True):
            collection.passages[passage.evidence_id] = passage
            collection.vectors[passage.evidence_id] = vector

    def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
        """The best passages of each query, by (cosine, evidence id)."""
        own, stored = self._own(manifest), self._collection(manifest).vectors
        return [
            _best_dense([DenseHit(own[name], ordered_score(float(stored[name] @ vector))) for name in own], limit)
            for vector in vectors
        ]

    def vectors(self, manifest: Manifest, evidence_ids: Collection[str]) -> dict[str, Vector]:
        """The unit vectors of these passages; unknown ids are left out."""
        stored = self._collection(manifest).vectors
        return {name: stored[name] for name in self._own(manifest).keys() & set(evidence_ids)}


class MemorySparse(_Memory):
    """Counts of shared words, weighted by their rarity: an order like BM25's, not its numbers."""

    def upsert(self, manifest: Manifest, passages: Sequence[Passage]) -> None:
        """Write passages."""
        self._collection(manifest).passages.update((passage.evidence_id, passage) for passage in passages)

    def search(self, manifest: Manifest, texts: Sequence[str], limit: int) -> list[list[SparseHit]]:
        """The best passages of each query, by (score, evidence id); none without a shared word."""
        own = self._own(manifest)
        bags = {name: Counter(words(searched_words(passage))) for name, passage in own.items()}
        frequency = Counter(word for bag in bags.values() for word in bag)

        def score(text: str, name: str) -> float:
            shared = set(words(text)) & bags[name].keys()
            return sum(float(np.log1p(len(bags) / frequency[word])) for word in shared)

        return [
            _best_sparse([SparseHit(own[name], score(text, name)) for name in own if score(text, name)], limit)
            for text in texts
        ]


class MemoryCatalogue:
    """The aliases of two memory legs, kept as one pointer."""

    def __init__(self, dense: MemoryDense, sparse: MemorySparse) -> None:
        self._legs = (dense, sparse)
        self._promoted: dict[CorpusRef, Manifest] = {}

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest in service, or None for an unknown corpus."""
        return self._promoted.get(corpus)

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds of a corpus, oldest first."""
        builds = {stored.manifest.generation: stored.manifest for stored in self._of(corpus)}
        return oldest_first(builds.values())

    def promote(self, manifest: Manifest) -> None:
        """Put this generation into service and keep its manifest."""
        self._promoted[manifest.corpus] = manifest
        for stored in self._of(manifest.corpus):
            if stored.manifest.generation == manifest.generation:
                stored.manifest = manifest

    def corpora(self) -> list[CorpusRef]:
        """All corpora with a generation in service, in order."""
        return sorted(self._promoted, key=str)

    def _of(self, corpus: CorpusRef) -> list[Stored]:
        stored = (one for leg in self._legs for one in leg.collections.values())
        return [one for one in stored if one.manifest.corpus == corpus]


def words(text: str) -> list[str]:
    """Lower-case words, without a plural's final s."""
    return [word.removesuffix("s") for word in re.findall(r"\w+", text.lower())]


def _best_dense(hits: list[DenseHit], limit: int) -> list[DenseHit]:
    return best(hits, limit, score=lambda hit: hit.cosine, name=lambda hit: hit.passage.evidence_id)


def _best_sparse(hits: list[SparseHit], limit: int) -> list[SparseHit]:
    return best(hits, limit, score=lambda hit: hit.score, name=lambda hit: hit.passage.evidence_id)
