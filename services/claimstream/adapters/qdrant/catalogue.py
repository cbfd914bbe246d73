"""The dense half of the catalogue: Qdrant's aliases, and manifests in the collections' metadata."""

from qdrant_client import models

from claimstream.adapters.qdrant.connection import Connection, answering
from claimstream.adapters.qdrant.dense import MANIFEST_KEY
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import PREFIX, alias_of, collection_of, oldest_first
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.domain.evidence.records import manifest_record, read_manifest
from claimstream.errors import IndexUnavailable


class QdrantCatalogue:
    """What Qdrant's aliases say is in service. Needs a server of 1.16 or newer, for collection metadata."""

    def __init__(self, connection: Connection) -> None:
        self._reads, self._writes = connection.reads, connection.writes

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest of the collection that the alias names, or None where there is no alias."""
        collection = self._aliases().get(alias_of(corpus))
        if collection is None:
            return None
        manifest = self._manifest(collection)
        if manifest is None:
            raise IndexUnavailable(
                f"the Qdrant alias {alias_of(corpus)} names {collection}, which claimstream did not build: "
                "point it to a generation, or build one with `claimstream index`"
            )
        return manifest

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds of a corpus, oldest first; an unfinished one shows the counts it was created with."""
        with answering(alias_of(corpus)):
            names = [one.name for one in self._reads.get_collections().collections]
        own = (name for name in names if name.startswith(f"{alias_of(corpus)}-"))
        return oldest_first(manifest for manifest in map(self._manifest, own) if manifest is not None)

    def promote(self, manifest: Manifest) -> None:
        """Keep the manifest and point the alias to its collection, in one step for those who search."""
        alias, collection = alias_of(manifest.corpus), collection_of(manifest)
        operations: list[models.AliasOperations] = []
        if alias in self._aliases():
            operations.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias)))
        create = models.CreateAlias(alias_name=alias, collection_name=collection)
        operations.append(models.CreateAliasOperation(create_alias=create))
        with answering(collection):
            self._writes.update_collection(collection, metadata={MANIFEST_KEY: manifest_record(manifest)})
            self._writes.update_collection_aliases(operations)

    def corpora(self) -> list[CorpusRef]:
        """All corpora with an alias, in order."""
        ours = [name for alias, name in self._aliases().items() if alias.startswith(f"{PREFIX}-")]
        manifests = map(self._manifest, ours)
        return sorted((manifest.corpus for manifest in manifests if manifest is not None), key=str)

    def _aliases(self) -> dict[str, str]:
        with answering("the aliases"):
            return {one.alias_name: one.collection_name for one in self._reads.get_aliases().aliases}

    def _manifest(self, collection: str) -> Manifest | None:
        with answering(collection):
            metadata = self._reads.get_collection(collection).config.metadata or {}
        return read_manifest(metadata[MANIFEST_KEY]) if MANIFEST_KEY in metadata else None
