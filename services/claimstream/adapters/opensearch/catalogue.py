"""The sparse half of the catalogue: OpenSearch's aliases, and manifests in the indices' `_meta`."""

from typing import Any

from opensearchpy.exceptions import NotFoundError

from claimstream.adapters.opensearch.connection import Connection, answering
from claimstream.adapters.opensearch.sparse import MANIFEST_KEY
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import PREFIX, alias_of, collection_of, oldest_first
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.domain.evidence.records import manifest_record, read_manifest
from claimstream.errors import IndexUnavailable


class OpenSearchCatalogue:
    """What OpenSearch's aliases say is in service."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._indices = connection.client.indices

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest of the index that the alias names, or None where there is no alias."""
        alias = alias_of(corpus)
        try:
            with answering(alias):
                mappings = self._mappings(alias, missing_is_error=True)
        except IndexUnavailable as error:
            if isinstance(error.__cause__, NotFoundError):
                return None
            raise
        manifests = list(_manifests(mappings).values())
        if len(manifests) != 1:
            raise IndexUnavailable(
                f"the OpenSearch alias {alias} names {', '.join(sorted(mappings))}: "
                "point it to one generation that claimstream built"
            )
        return manifests[0]

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds of a corpus, oldest first; an unfinished one shows the counts it was created with."""
        with answering(alias_of(corpus)):
            return oldest_first(_manifests(self._mappings(f"{alias_of(corpus)}-*")).values())

    def promote(self, manifest: Manifest) -> None:
        """Keep the manifest and point the alias to its index, in one step for those who search."""
        alias, index = alias_of(manifest.corpus), collection_of(manifest)
        kept = {"_meta": {MANIFEST_KEY: manifest_record(manifest)}}
        remove = {"remove": {"index": f"{alias}-*", "alias": alias, "must_exist": False}}
        actions = {"actions": [remove, {"add": {"index": index, "alias": alias}}]}
        with answering(index):
            self._indices.put_mapping(index=index, body=kept, params=self._connection.patient)
            self._indices.update_aliases(body=actions, params=self._connection.patient)

    def corpora(self) -> list[CorpusRef]:
        """All corpora with an alias, in order."""
        with answering("the aliases"):
            aliased = self._indices.get_alias(index=f"{PREFIX}-*")
            served = {name for name, entry in aliased.items() if entry["aliases"]}
            manifests = _manifests(self._mappings(f"{PREFIX}-*"))
        return sorted((manifest.corpus for name, manifest in manifests.items() if name in served), key=str)

    def _mappings(self, name: str, *, missing_is_error: bool = False) -> dict[str, Any]:
        params = {} if missing_is_error else {"allow_no_indices": "true", "ignore_unavailable": "true"}
        answer: dict[str, Any] = self._indices.get_mapping(index=name, params=params)
        return answer


def _manifests(mappings: dict[str, Any]) -> dict[str, Manifest]:
    """The manifests of those indices that have one, by index name."""
    metas = {name: entry["mappings"].get("_meta", {}) for name, entry in mappings.items()}
    return {name: read_manifest(meta[MANIFEST_KEY]) for name, meta in metas.items() if MANIFEST_KEY in meta}
