"""The retrieval engines from settings, behind their ports; each leg may be embedded or a server.

A server's client is imported with the first leg that needs it: the one of Qdrant alone takes a second.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pydantic import SecretStr

from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse
from claimstream.config.retrieval import EmbeddedSettings, OpenSearchSettings, QdrantSettings, RetrievalSettings
from claimstream.errors import ConfigurationError
from claimstream.ports.stores import Catalogue, DenseLeg, SparseLeg
from claimstream.streaming.catalogue import PairedCatalogue

L = TypeVar("L", DenseLeg, SparseLeg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """Both legs and the catalogue over their aliases."""

    dense: DenseLeg
    sparse: SparseLeg
    catalogue: Catalogue
    resources: ExitStack

    def close(self) -> None:
        """Let go of files and connections, the last opened first. Idempotent."""
        self.resources.close()


def open_engines(settings: RetrievalSettings) -> Engines:
    """Open what the settings name; servers are not asked anything yet. Raises ConfigurationError."""
    with ExitStack() as opening:
        dense, sparse, catalogue = _open(settings, opening)
        return Engines(dense=dense, sparse=sparse, catalogue=catalogue, resources=opening.pop_all())


def _open(settings: RetrievalSettings, opened: ExitStack) -> tuple[DenseLeg, SparseLeg, Catalogue]:
    data = _data_folder(settings, opened)
    dense, dense_names = _dense(settings.dense, data, opened)
    sparse, sparse_names = _sparse(settings.sparse, data, opened)
    if dense_names is None and sparse_names is None:
        return dense, sparse, EdgeCatalogue(_required(data))
    return (
        dense,
        sparse,
        PairedCatalogue(
            dense_names or EdgeCatalogue(_required(data)), sparse_names or EdgeCatalogue(_required(data))
        ),
    )


def _data_folder(settings: RetrievalSettings, opened: ExitStack) -> DataFolder | None:
    """The folder of the embedded legs, which share one."""
    folders = {leg.data_dir for leg in (settings.dense, settings.sparse) if isinstance(leg, EmbeddedSettings)}
    if len(folders) > 1:
        raise ConfigurationError(
            f"the embedded legs name different folders ({', '.join(map(str, sorted(folders)))}): name one for both"
        )
    if not folders:
        return None
    data = DataFolder(folders.pop())
    opened.callback(data.close)
    return data


def _dense(
    settings: EmbeddedSettings | QdrantSettings, data: DataFolder | None, opened: ExitStack
) -> tuple[DenseLeg, Catalogue | None]:
    if isinstance(settings, EmbeddedSettings):
        return _closing(EdgeDense(_required(data)), opened), None
    from claimstream.adapters.qdrant import connection as qdrant  # noqa: PLC0415  see above
    from claimstream.adapters.qdrant.catalogue import QdrantCatalogue  # noqa: PLC0415
    from claimstream.adapters.qdrant.dense import QdrantDense  # noqa: PLC0415

    connection = qdrant.connect(
        settings.url, api_key=_secret(settings.api_key), timeout_seconds=settings.timeout_seconds
    )
    return _closing(QdrantDense(connection), opened), QdrantCatalogue(connection)


def _sparse(
    settings: EmbeddedSettings | OpenSearchSettings, data: DataFolder | None, opened: ExitStack
) -> tuple[SparseLeg, Catalogue | None]:
    if isinstance(settings, EmbeddedSettings):
        return _closing(EdgeSparse(_required(data)), opened), None
    from claimstream.adapters.opensearch import connection as opensearch  # noqa: PLC0415  see above
    from claimstream.adapters.opensearch.catalogue import OpenSearchCatalogue  # noqa: PLC0415
    from claimstream.adapters.opensearch.sparse import OpenSearchSparse  # noqa: PLC0415

    connection = opensearch.connect(
        settings.url,
        username=settings.username,
        password=_secret(settings.password),
        ca_file=settings.ca_file,
        verify_certificates=settings.verify_certificates,
        timeout_seconds=settings.timeout_seconds,
    )
    return _closing(OpenSearchSparse(connection), opened), OpenSearchCatalogue(connection)


def _closing(leg: L, opened: ExitStack) -> L:
    opened.callback(partial(type(leg).close, leg))
    return leg


def _required(data: DataFolder | None) -> DataFolder:
    if data is None:
        raise ConfigurationError("an embedded leg needs a data folder: set data_dir")
    return data


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
