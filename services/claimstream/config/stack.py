"""The servers that run on this machine without Docker."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from claimstream.config.block import Block


class StackSettings(Block):
    """Where the servers live and listen; port 0 picks a free one."""

    data_dir: Path = Path("~/.local/state/claimstream/stack")
    """One folder a server: data, log, pid."""
    cache_dir: Path = Path("~/.cache/claimstream/stack")
    """The servers' jars, by version; safe to delete."""
    kafka_port: int = Field(default=9092, ge=0, le=65535)
    opensearch_port: int = Field(default=9200, ge=0, le=65535)
    start_timeout_seconds: float = Field(default=60.0, gt=0)
    stop_grace_seconds: float = Field(default=20.0, ge=0)
    kafka_properties: Mapping[str, str] = {}
    """Broker properties that win over the packaged ones."""
