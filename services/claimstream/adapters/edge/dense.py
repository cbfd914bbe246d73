"""The dense leg in process: exact cosine over an Edge shard."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np
import qdrant_edge as edge

from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.shards import Shards, answering, count, of_corpus, read_passages
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.ranking import best, fetch_past_ties, ordered_score
from claimstream.domain.evidence.records import passage_record
from claimstream.ports.stores import DenseHit, Vector

VECTOR = "dense"


class EdgeDense:
    """Vectors of all generations, a shard each. Searches exactly whatever the size: it never builds HNSW."""

    def __init__(self, data: DataFolder, *, folder_of: Callable[[Manifest], Path] | None = None) -> None:
        self._folder_of = folder_of or data.generation
        self._shards = Shards()

    def create(self, manifest: Manifest) -> None:
        """Make the empty shard of a generation. Raises ConfigurationError where it exists."""
        vectors = {VECTOR: edge.EdgeVectorParams(size=manifest.dimension, distance=edge.Distance.Cosine)}
        self._shards.create(self._path(manifest), manifest, edge.EdgeConfig(vectors=vectors))

    def upsert(self, manifest: Manifest, passages: Sequence[Passage], vectors: Vector) -> None:
        """Write passages with their unit vectors; on disk and searchable on return."""
        points = [
            edge.Point(passage.point_id, {VECTOR: vector.tolist()}, passage_record(passage))
            for passage, vector in zip(passages, vectors, strict=True)
        ]
        shard = self._shards.get(self._path(manifest))
        with answering(self._path(manifest)):
            shard.update(edge.UpdateOperation.upsert_points(points))
            shard.flush()

    def search(self, manifest: Manifest, vectors: Vector, limit: int) -> list[list[DenseHit]]:
        """The best passages of each query, by (cosine, evidence id)."""
        shard = self._shards.get(self._path(manifest))

        def ask(number: int) -> list[list[edge.ScoredPoint]]:
            return shard.query_batch(
                edge.QueryBatchRequest([_nearest(manifest, vector.tolist(), number) for vector in vectors])
            )

        with answering(self._path(manifest)):
            found = fetch_past_ties(ask, limit, score=lambda point: point.score)
            passages = read_passages(shard, found)
        hits = (
            [DenseHit(passages[hit.id], ordered_score(hit.score)) for hit in of_one if hit.id in passages]
            for of_one in found
        )
        return [
            best(of_one, limit, score=lambda hit: hit.cosine, name=lambda hit: hit.passage.evidence_id)
            for of_one in hits
        ]

    def vectors(self, manifest: Manifest, evidence_ids: Collection[str]) -> dict[str, Vector]:
        """The unit vectors of these passages; unknown ids are left out."""
        if not evidence_ids:
            return {}
        request = edge.ScrollRequest(
            limit=len(evidence_ids),
            filter=of_corpus(manifest.corpus, evidence_ids),
            with_payload=["evidence_id"],
            with_vector=[VECTOR],
        )
        shard = self._shards.get(self._path(manifest))
        with answering(self._path(manifest)):
            records, _ = shard.scroll(request)
        return dict(_named_vector(record) for record in records)

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""
        shard = self._shards.get(self._path(manifest))
        with answering(self._path(manifest)):
            shard.update(edge.UpdateOperation.delete_points_by_filter(of_corpus(manifest.corpus, evidence_ids)))
            shard.flush()

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""
        self._shards.drop(self._path(manifest))

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""
        shard = self._shards.get(self._path(manifest))
        with answering(self._path(manifest)):
            return count(shard, manifest)

    def close(self) -> None:
        """Flush and close all shards."""
        self._shards.close()

    def _path(self, manifest: Manifest) -> Path:
        return self._folder_of(manifest) / VECTOR


def _nearest(manifest: Manifest, vector: list[float], limit: int) -> edge.QueryRequest:
    return edge.QueryRequest(
        limit=limit,
        query=edge.Query.Nearest(vector, using=VECTOR),
        filter=of_corpus(manifest.corpus),
        with_payload=False,
        params=edge.SearchParams(exact=True),
    )


def _named_vector(record: edge.Record) -> tuple[str, Vector]:
    payload, vector = record.payload, record.vector
    if payload is None or not isinstance(vector, dict):
        raise TypeError(f"point {record.id} came without its payload and vector")
    return payload["evidence_id"], np.asarray(vector[VECTOR], dtype=np.float32)
