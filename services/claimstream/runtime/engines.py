"""The retrieval engines from settings, behind their ports."""

from collections.abc import Callable
from dataclasses import dataclass

from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse
from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.errors import ConfigurationError
from claimstream.ports.stores import Catalogue, DenseLeg, SparseLeg


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """Both legs and the catalogue; `close` lets go of files and connections, in the right order."""

    dense: DenseLeg
    sparse: SparseLeg
    catalogue: Catalogue
    close: Callable[[], None]


def open_engines(settings: RetrievalSettings) -> Engines:
    """Open what the settings name. Raises ConfigurationError, IndexUnavailable."""
    if isinstance(settings.dense, EmbeddedSettings) and isinstance(settings.sparse, EmbeddedSettings):
        return embedded(settings.dense)
    raise ConfigurationError("not yet")


def embedded(settings: EmbeddedSettings) -> Engines:
    """Both legs in this process."""
    data = DataFolder(settings.data_dir)
    dense, sparse = EdgeDense(data), EdgeSparse(data)

    def close() -> None:
        dense.close()
        sparse.close()
        data.close()

    return Engines(dense=dense, sparse=sparse, catalogue=EdgeCatalogue(data), close=close)
