"""Where the passages are: one block an engine, and how many passages a claim gets."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from claimstream.config.block import Block


def _without_login(url: str) -> str:
    """A login in a URL would be printed with it."""
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ValueError("a login does not belong into the URL: set username and password, or api_key")
    return url


Url = Annotated[str, AfterValidator(_without_login)]


class EmbeddedSettings(Block):
    """Both legs in this process, their files under one folder; one process owns it."""

    kind: Literal["embedded"] = "embedded"
    data_dir: Path = Path(".claimstream")


class QdrantSettings(Block):
    """A Qdrant server."""

    kind: Literal["qdrant"] = "qdrant"
    url: Url = "http://127.0.0.1:6333"
    api_key: SecretStr | None = None
    timeout_seconds: float = Field(default=2.0, gt=0)


class OpenSearchSettings(Block):
    """An OpenSearch cluster."""

    kind: Literal["opensearch"] = "opensearch"
    url: Url = "http://127.0.0.1:9200"
    username: str | None = None
    password: SecretStr | None = None
    ca_file: Path | None = None
    verify_certificates: bool = True
    timeout_seconds: float = Field(default=2.0, gt=0)


DenseSettings = Annotated[EmbeddedSettings | QdrantSettings, Field(discriminator="kind")]
SparseSettings = Annotated[EmbeddedSettings | OpenSearchSettings, Field(discriminator="kind")]


class RetrievalSettings(Block):
    """The two legs and the fusion."""

    dense: DenseSettings = EmbeddedSettings()
    sparse: SparseSettings = EmbeddedSettings()
    candidates: int = Field(default=50, ge=1, le=1000)
    """Passages a leg."""
    judged: int = Field(default=5, ge=1, le=50)
    """Fused passages that the NLI model sees."""
    leg_timeout_seconds: float = Field(default=2.0, gt=0)
