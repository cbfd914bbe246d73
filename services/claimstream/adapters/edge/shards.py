"""Open Edge shards, one a generation and leg, kept open between calls."""

import shutil
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import qdrant_edge as edge

from claimstream.adapters.edge import manifests
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef, Passage, point_id
from claimstream.domain.evidence.records import PASSAGE_FIELDS, read_passage
from claimstream.errors import ConfigurationError, IndexUnavailable


class Shards:
    """Opens each shard once; safe for calls from several threads."""

    def __init__(self) -> None:
        self._open: dict[Path, edge.EdgeShard] = {}
        self._guard = threading.Lock()

    def create(
        self, path: Path, manifest: Manifest, config: edge.EdgeConfig, indexes: Sequence[edge.UpdateOperation] = ()
    ) -> None:
        """Make an empty shard, its manifest beside it. Raises ConfigurationError where there is one."""
        with self._guard:
            if path.exists():
                raise ConfigurationError(
                    f"a generation is already there: {path}; build the next one, or drop this one first"
                )
            with answering(path):
                path.mkdir(parents=True)
                shard = edge.EdgeShard.create(str(path), config)
                for operation in (*indexes, *_filter_indexes()):
                    shard.update(operation)
                shard.flush()
            manifests.write(path.parent, manifest)
            self._open[path] = shard

    def get(self, path: Path) -> edge.EdgeShard:
        """The open shard. Raises IndexUnavailable where there is none or it cannot be read."""
        with self._guard:
            if path not in self._open:
                if not path.exists():
                    raise IndexUnavailable(f"no generation at {path}: build one with `claimstream index`")
                with answering(path):
                    self._open[path] = edge.EdgeShard.load(str(path))
            return self._open[path]

    def drop(self, path: Path) -> None:
        """Remove a shard, and the generation's folder after its last shard; a missing one is ignored."""
        with self._guard:
            shard = self._open.pop(path, None)
            if shard is not None:
                shard.close()
            shutil.rmtree(path, ignore_errors=True)
            if not any(other.is_dir() for other in path.parent.glob("*")):
                shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Flush and close all shards. Idempotent."""
        with self._guard:
            for shard in self._open.values():
                shard.flush()
                shard.close()
            self._open.clear()


@contextmanager
def answering(path: Path) -> Iterator[None]:
    """Turn an error of Edge into IndexUnavailable; Edge has no types of its own and raises bare `Exception`s."""
    try:
        yield
    except Exception as error:
        if type(error) is not Exception:  # ours, or a mistake in a call: not the engine's
            raise
        raise IndexUnavailable(f"the embedded index at {path} failed: {error}; is its disk full?") from error


def of_corpus(corpus: CorpusRef, evidence_ids: Collection[str] | None = None) -> edge.Filter:
    """The filter of every call: this tenant's corpus, and these passages of it where some are named."""
    conditions: list[edge.ConditionType] = [
        edge.FieldCondition("tenant", match=edge.MatchValue(corpus.tenant)),
        edge.FieldCondition("corpus", match=edge.MatchValue(corpus.corpus)),
    ]
    if evidence_ids is not None:
        conditions.append(edge.HasIdCondition({point_id(name) for name in evidence_ids}))
    return edge.Filter(must=conditions)


def read_passages(shard: edge.EdgeShard, hits: Sequence[Sequence[edge.ScoredPoint]]) -> dict[object, Passage]:
    """The passages of all hits by point id, each read once: queries of one batch find many in common."""
    wanted = list({hit.id for hits_of_one in hits for hit in hits_of_one})
    records = shard.retrieve(wanted, with_payload=list(PASSAGE_FIELDS), with_vector=False) if wanted else []
    return {record.id: read_passage(record.payload) for record in records if record.payload}


def count(shard: edge.EdgeShard, manifest: Manifest) -> int:
    """How many passages of the manifest's corpus the shard holds."""
    return shard.count(edge.CountRequest(exact=True, filter=of_corpus(manifest.corpus)))


def _filter_indexes() -> list[edge.UpdateOperation]:
    keyword = edge.PayloadSchemaType.Keyword
    return [edge.UpdateOperation.create_field_index(name, keyword) for name in ("tenant", "corpus")]
