"""The dense leg on a Qdrant server, or on the client's own memory with the very same calls."""

from collections.abc import Collection, Sequence

import numpy as np
from qdrant_client import models

from claimstream.adapters.qdrant.connection import Connection, answering, of_corpus
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import NameGeneration, collection_of
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.ranking import EXACT_BELOW, best, fetch_past_ties, ordered_score
from claimstream.domain.evidence.records import PASSAGE_FIELDS, manifest_record, passage_record, read_passage
from claimstream.errors import ConfigurationError
from claimstream.ports.stores import DenseHit, Vector

MANIFEST_KEY = "claimstream"
"""Where a collection's metadata keeps its manifest."""


class QdrantDense:
    """Vectors of all generations, a collection each; exact below 50,000 passages, by HNSW above."""

    def __init__(self, connection: Connection, *, name_of: NameGeneration = collection_of) -> None:
        self._reads, self._writes = connection.reads, connection.writes
        self._connection = connection
        self._name_of = name_of

    def create(self, manifest: Manifest) -> None:
        """Make the empty collection of a generation. Raises ConfigurationError where it exists."""
        name = self._name_of(manifest)
        with answering(name):
            exists = self._writes.collection_exists(name)
        if exists:
            raise ConfigurationError(f"a generation is already there: {name}; build the next one, or drop this one")
        with answering(name):
            self._writes.create_collection(
                name,
                vectors_config=models.VectorParams(size=manifest.dimension, distance=models.Distance.COSINE),
                metadata={MANIFEST_KEY: manifest_record(manifest)},
            )
            for field in ("tenant", "corpus"):
                self._writes.create_payload_index(name, field, models.PayloadSchemaType.KEYWORD, wait=True)

    def upsert(self, manifest: Manifest, passages: Sequence[Passage], vectors: Vector) -> None:
        """Write passages with their unit vectors; searchable on return."""
        points = [
            models.PointStruct(id=passage.point_id, vector=vector.tolist(), payload=passage_record(passage))
            for passage, vector in zip(passages, vectors, strict=True)
        ]
        with answering(self._name_of(manifest)):
            self._writes.upsert(self._name_of(manifest), points, wait=True)

    def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
        """The best passages of each query, by (cosine, evidence id), within the connection's time limit."""
        if not len(vectors):
            return []
        rows = [vector.tolist() for vector in vectors]

        def ask(number: int) -> list[list[models.ScoredPoint]]:
            requests = [_nearest(manifest, row, number) for row in rows]
            timeout = self._connection.server_timeout
            answers = self._reads.query_batch_points(self._name_of(manifest), requests, timeout=timeout)
            return [answer.points for answer in answers]

        with answering(self._name_of(manifest)):
            found = fetch_past_ties(ask, limit, score=lambda point: point.score)
        return [
            best(
                [DenseHit(read_passage(point.payload or {}), ordered_score(point.score)) for point in points],
                limit,
                score=lambda hit: hit.cosine,
                name=lambda hit: hit.passage.evidence_id,
            )
            for points in found
        ]

    def vectors(self, manifest: Manifest, evidence_ids: Collection[str]) -> dict[str, Vector]:
        """The unit vectors of these passages; unknown ids are left out."""
        if not evidence_ids:
            return {}
        with answering(self._name_of(manifest)):
            records, _ = self._reads.scroll(
                self._name_of(manifest),
                scroll_filter=of_corpus(manifest.corpus, list(evidence_ids)),
                limit=len(evidence_ids),
                with_payload=["evidence_id"],
                with_vectors=True,
                timeout=self._connection.server_timeout,
            )
        return {
            (record.payload or {})["evidence_id"]: np.asarray(record.vector, dtype=np.float32) for record in records
        }

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""
        chosen = models.FilterSelector(filter=of_corpus(manifest.corpus, list(evidence_ids)))
        with answering(self._name_of(manifest)):
            self._writes.delete(self._name_of(manifest), chosen, wait=True)

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""
        with answering(self._name_of(manifest)):
            self._writes.delete_collection(self._name_of(manifest))

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""
        with answering(self._name_of(manifest)):
            chosen = of_corpus(manifest.corpus)
            return self._reads.count(self._name_of(manifest), count_filter=chosen, exact=True).count

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _nearest(manifest: Manifest, row: list[float], limit: int) -> models.QueryRequest:
    return models.QueryRequest(
        query=row,
        filter=of_corpus(manifest.corpus),
        limit=limit,
        params=models.SearchParams(exact=manifest.passages < EXACT_BELOW),
        with_payload=list(PASSAGE_FIELDS),
    )
