"""The catalogue in process: a manifest a generation, and a pointer file that is replaced atomically."""

from claimstream.adapters.edge import manifests
from claimstream.adapters.edge.data import DataFolder
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import oldest_first
from claimstream.domain.evidence.passage import CorpusRef

POINTER = "current"


class EdgeCatalogue:
    """`{root}/{tenant}/{corpus}/current` holds the name of the generation in service.

    One pointer serves both legs, so they cannot name different generations.
    """

    def __init__(self, data: DataFolder) -> None:
        self._data = data

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest of the generation in service, or None for an unknown corpus. Raises IndexUnavailable."""
        folder = self._data.corpus(corpus)
        try:
            generation = (folder / POINTER).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        return manifests.read(folder / generation / manifests.MANIFEST)

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds of a corpus, oldest first; an unfinished one shows the counts it was created with."""
        paths = self._data.corpus(corpus).glob(f"*/{manifests.MANIFEST}")
        return oldest_first(manifests.read(path) for path in paths)

    def promote(self, manifest: Manifest) -> None:
        """Keep the manifest and put its generation into service."""
        manifests.write(self._data.generation(manifest), manifest)
        manifests.replace(self._data.corpus(manifest.corpus) / POINTER, manifest.generation)

    def corpora(self) -> list[CorpusRef]:
        """All corpora with a generation in service, in order."""
        paths = (path.relative_to(self._data.root) for path in self._data.root.glob(f"*/*/{POINTER}"))
        return sorted((CorpusRef(*path.parts[:2]) for path in paths), key=str)
