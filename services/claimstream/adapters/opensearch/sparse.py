"""The sparse leg on OpenSearch: BM25 with the English analyser, one `_msearch` for all queries."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from opensearchpy import helpers

from claimstream.adapters.opensearch.connection import Connection, answering, refusal
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import NameGeneration, collection_of
from claimstream.domain.evidence.passage import CorpusRef, Passage, point_id
from claimstream.domain.evidence.ranking import best, ordered_score
from claimstream.domain.evidence.records import (
    PASSAGE_FIELDS,
    manifest_record,
    passage_record,
    read_passage,
    searched_words,
)
from claimstream.errors import ConfigurationError, IndexUnavailable
from claimstream.ports.stores import SparseHit

MANIFEST_KEY = "claimstream"
"""Where an index's `_meta` keeps its manifest."""

WORDS = "words"
MAX_QUERY_WORDS = 256
"""A query of more distinct words than 1,024 is refused whole by the engine; no claim has so many."""

GONE = 404
"""Of a delete: somebody else was faster."""

DELETED_AT_ONCE = 1000
"""Passages looked up in one search before they are deleted; the engine answers 10,000 at most."""

WRITE_RETRIES = 4
"""Of a batch that the cluster is too busy for (429), with 1 s, 2 s, 4 s, 8 s between."""

_KEYWORDS = ("evidence_id", "tenant", "corpus", "doc_id")


class OpenSearchSparse:
    """The words of all generations, an index of one shard each, so that scores do not depend on the shard."""

    def __init__(self, connection: Connection, *, name_of: NameGeneration = collection_of) -> None:
        self._connection = connection
        self._client = connection.client
        self._name_of = name_of

    def create(self, manifest: Manifest) -> None:
        """Make the empty index of a generation. Raises ConfigurationError where it exists."""
        name = self._name_of(manifest)
        with answering(name):
            exists = self._client.indices.exists(index=name)
        if exists:
            raise ConfigurationError(f"a generation is already there: {name}; build the next one, or drop this one")
        with answering(name):
            self._client.indices.create(index=name, body=_index_body(manifest), params=self._connection.patient)

    def upsert(self, manifest: Manifest, passages: Sequence[Passage]) -> None:
        """Write passages; searchable on return."""
        name = self._name_of(manifest)
        with answering(name):
            if not self._client.indices.exists(index=name):  # a bulk write would make one, without our mapping
                raise IndexUnavailable(refusal(name, GONE, "no such index"))
            self._write(name, _index_actions(name, passages))
            self._client.indices.refresh(index=name, params=self._connection.patient)

    def search(self, manifest: Manifest, texts: Sequence[str], limit: int) -> list[list[SparseHit]]:
        """The best passages of each query, by (score, evidence id), within the client's time limit."""
        if not texts:
            return []
        name = self._name_of(manifest)
        body = [line for text in texts for line in _search_lines(name, manifest.corpus, text, limit)]
        with answering(name):
            responses = self._client.msearch(body=body)["responses"]
        return [_hits(name, response, limit) for response in responses]

    def delete(self, manifest: Manifest, evidence_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""
        name = self._name_of(manifest)
        with answering(name):
            for at in range(0, len(evidence_ids), DELETED_AT_ONCE):
                own = self._own(manifest, evidence_ids[at : at + DELETED_AT_ONCE])
                self._write(name, ({"_op_type": "delete", "_index": name, "_id": one} for one in own))
            self._client.indices.refresh(index=name, params=self._connection.patient)

    def drop(self, manifest: Manifest) -> None:
        """Remove a whole generation; a missing one is ignored."""
        name = self._name_of(manifest)
        with answering(name):
            params = self._connection.patient | {"ignore_unavailable": "true"}
            self._client.indices.delete(index=name, params=params)

    def count(self, manifest: Manifest) -> int:
        """How many passages of the manifest's corpus are there."""
        name = self._name_of(manifest)
        with answering(name):
            query = {"query": {"bool": {"filter": _of_corpus(manifest.corpus)}}}
            return int(self._client.count(index=name, body=query)["count"])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _write(self, name: str, actions: Iterator[dict[str, Any]]) -> None:
        """Write in bulk, waiting while the cluster is busy. The error never quotes a document."""
        written = helpers.streaming_bulk(
            self._client,
            actions,
            raise_on_error=False,  # else the helper raises before it retries
            max_retries=WRITE_RETRIES,
            initial_backoff=1,
            params=self._connection.patient,
        )
        items = (next(iter(item.values())) for ok, item in written if not ok)
        failed = [item for item in items if item["status"] != GONE]
        if failed:
            reason = failed[0].get("error", {}).get("type", "unknown")
            raise IndexUnavailable(refusal(f"{len(failed)} writes to {name}", failed[0]["status"], reason))

    def _own(self, manifest: Manifest, evidence_ids: Sequence[str]) -> list[str]:
        """The document ids of those passages that are there and belong to the manifest's corpus."""
        chosen = {"ids": {"values": [point_id(one) for one in evidence_ids]}}
        query = {"bool": {"filter": [*_of_corpus(manifest.corpus), chosen]}}
        body = {"query": query, "size": len(evidence_ids), "_source": False}
        found = self._client.search(index=self._name_of(manifest), body=body, params=self._connection.patient)
        return [hit["_id"] for hit in found["hits"]["hits"]]


def _index_body(manifest: Manifest) -> dict[str, Any]:
    properties: dict[str, Any] = {name: {"type": "keyword"} for name in _KEYWORDS}
    properties[WORDS] = {"type": "text", "analyzer": "english"}
    return {
        "settings": {"number_of_shards": 1, "auto_expand_replicas": "0-1"},
        "mappings": {
            "dynamic": False,  # the other fields are kept and returned, never searched
            "_meta": {MANIFEST_KEY: manifest_record(manifest)},
            "properties": properties,
        },
    }


def _index_actions(name: str, passages: Sequence[Passage]) -> Iterator[dict[str, Any]]:
    for passage in passages:
        source = passage_record(passage) | {WORDS: searched_words(passage)}
        yield {"_op_type": "index", "_index": name, "_id": passage.point_id, "_source": source}


def _search_lines(name: str, corpus: CorpusRef, text: str, limit: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and body of one search. The preference keeps it on one copy, whose statistics do not change."""
    words = " ".join(re.findall(r"\w+", text)[:MAX_QUERY_WORDS])
    query = {"bool": {"must": [{"match": {WORDS: {"query": words}}}], "filter": _of_corpus(corpus)}}
    body = {
        "query": query,
        "size": limit,
        "sort": [{"_score": "desc"}, {"evidence_id": "asc"}],
        "track_total_hits": False,
        "_source": list(PASSAGE_FIELDS),
    }
    return {"index": name, "preference": "claimstream"}, body


def _of_corpus(corpus: CorpusRef) -> list[dict[str, Any]]:
    return [{"term": {"tenant": corpus.tenant}}, {"term": {"corpus": corpus.corpus}}]


def _hits(name: str, response: dict[str, Any], limit: int) -> list[SparseHit]:
    """The hits of one answer. Raises IndexUnavailable where this one failed or is not of all shards."""
    if "error" in response:
        reason = response["error"].get("reason") if isinstance(response["error"], dict) else response["error"]
        raise IndexUnavailable(refusal(name, int(response.get("status", 500)), reason))
    if response["timed_out"] or response["_shards"]["failed"]:
        raise IndexUnavailable(f"OpenSearch answered for {name} in part only: see its log for failed shards")
    hits = [
        SparseHit(read_passage(hit["_source"]), ordered_score(float(hit["_score"])))
        for hit in response["hits"]["hits"]
    ]
    return best(hits, limit, score=lambda hit: hit.score, name=lambda hit: hit.passage.evidence_id)
