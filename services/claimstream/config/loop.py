"""The loop's numbers that an operator may want to move."""

from pathlib import Path

from pydantic import Field

from claimstream.config.block import Block


class LoopSettings(Block):
    """A micro-batch is judged when it is full or old enough; smaller ones answer sooner, larger ones fill a GPU."""

    batch_records: int = Field(default=4, ge=1)
    """A CPU judges as many a second in fours as in sixteens and answers sooner; a GPU wants 64."""
    batch_bytes: int = Field(default=64 * 1024, ge=1024)
    batch_age_seconds: float = Field(default=0.1, gt=0)
    drain_seconds: float = Field(default=10.0, gt=0)
    """How long a rebalance or a shutdown waits for the batch in flight."""
    dead_letter_run: int = Field(default=25, ge=1)
    """One more dead letter in a row than this pauses a tenant's input."""
    dead_letter_ratio: float = Field(default=0.5, gt=0, le=1)
    """So large a share of a tenant's recent records pauses its input."""
    state_dir: Path = Path(".claimstream/state")
    """The health file and the marks of paused tenants."""
