"""Two engines' aliases as one catalogue: a generation serves only where both name it."""

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.names import oldest_first
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.errors import IndexUnavailable
from claimstream.ports.stores import Catalogue

Named = Manifest | IndexUnavailable | None
"""What one engine says serves a corpus: a build, nothing, or that it is down."""


class PairedCatalogue:
    """A catalogue over the dense leg's and the sparse leg's own.

    While both name different generations (a promotion under way, or an alias moved by hand) the last pair that
    agreed goes on serving in this process.
    """

    def __init__(self, dense: Catalogue, sparse: Catalogue) -> None:
        self._dense, self._sparse = dense, sparse
        self._agreed: dict[CorpusRef, Manifest] = {}

    def in_service(self, corpus: CorpusRef) -> Manifest | None:
        """The manifest that both name, else the last one that both named; None where neither knows the corpus.

        With one engine down that is the last agreement, or what the other engine names. Raises IndexUnavailable
        where both are down, or they disagree, and no agreement was seen before.
        """
        dense, sparse = _ask(self._dense, corpus), _ask(self._sparse, corpus)
        if isinstance(dense, IndexUnavailable) or isinstance(sparse, IndexUnavailable):
            return self._with_an_engine_down(corpus, dense, sparse)
        if dense is None and sparse is None:
            self._agreed.pop(corpus, None)
            return None
        if dense is not None and sparse is not None and _same_build(dense, sparse):
            self._agreed[corpus] = dense
        if corpus not in self._agreed:
            raise IndexUnavailable(
                f"the aliases of {corpus} disagree (dense: {_name(dense)}, sparse: {_name(sparse)}): "
                "build it again with `claimstream index`, or point both to one generation"
            )
        return self._agreed[corpus]

    def _with_an_engine_down(
        self,
        corpus: CorpusRef,
        dense: Named,
        sparse: Named,
    ) -> Manifest | None:
        if corpus in self._agreed:
            return self._agreed[corpus]
        for answer in (dense, sparse):
            if not isinstance(answer, IndexUnavailable):
                return answer
        raise IndexUnavailable(f"neither engine says what serves {corpus}; dense: {dense}; sparse: {sparse}")

    def generations(self, corpus: CorpusRef) -> list[Manifest]:
        """All builds that either leg knows, oldest first."""
        builds = {one.generation: one for leg in (self._sparse, self._dense) for one in leg.generations(corpus)}
        return oldest_first(builds.values())

    def promote(self, manifest: Manifest) -> None:
        """Point both aliases to this generation, one after the other; calling it again completes a half."""
        self._dense.promote(manifest)
        self._sparse.promote(manifest)

    def corpora(self) -> list[CorpusRef]:
        """All corpora that both legs serve, in order."""
        return sorted(set(self._dense.corpora()) & set(self._sparse.corpora()), key=str)


def _ask(catalogue: Catalogue, corpus: CorpusRef) -> Named:
    try:
        return catalogue.in_service(corpus)
    except IndexUnavailable as error:
        return error


def _same_build(one: Manifest, other: Manifest) -> bool:
    return (one.generation, one.embedder, one.chunker) == (other.generation, other.embedder, other.chunker)


def _name(manifest: Manifest | None) -> str:
    return "none" if manifest is None else manifest.generation
