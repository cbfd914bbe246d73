"""Which tenants' input is paused: a mark that outlives the process, set by the loop and removed by a person."""

from collections.abc import Mapping
from typing import Protocol


class PauseStore(Protocol):
    """Marks of paused tenants."""

    def paused(self) -> Mapping[str, str]:
        """The paused tenants with the reason of each."""

    def pause(self, tenant: str, reason: str) -> None:
        """Set the mark; a second time replaces the reason."""

    def resume(self, tenant: str) -> bool:
        """Remove the mark; False when there was none."""
