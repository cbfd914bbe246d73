"""Which models judge and embed, and what they run on."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from claimstream.config.block import Block

Provider = Literal["tensorrt", "cuda", "cpu"]


class ModelSettings(Block):
    """`nli` and `embedder` name a packaged model or a folder of the same form."""

    nli: str = "nli-e5-small"
    embedder: str = "minilm-l6"
    providers: tuple[Provider, ...] = ("tensorrt", "cuda", "cpu")
    threads: int | None = Field(default=None, ge=1)
    """None: what the affinity and the cgroup allow."""
    token_budget: int | None = Field(default=None, ge=512)
    """Tokens of one batch, padding included. None: 512 on a CPU, where less stays in the cache, 4096 on a GPU."""
    score_cache: int = Field(default=20_000, ge=0)
    """Pairs whose scores are remembered; about 200 bytes each."""
    engine_cache: Path | None = None
    """Where TensorRT keeps its built engines; without it they are built at every start."""
