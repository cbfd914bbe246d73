"""Marks of paused tenants in memory."""

from collections.abc import Mapping


class MemoryPauseStore:
    """Forgets with the process."""

    def __init__(self, marks: Mapping[str, str] | None = None) -> None:
        self._marks = dict(marks or {})

    def paused(self) -> Mapping[str, str]:
        """A copy of the marks."""
        return dict(self._marks)

    def pause(self, tenant: str, reason: str) -> None:
        """Set the mark."""
        self._marks[tenant] = reason

    def resume(self, tenant: str) -> bool:
        """Remove the mark."""
        return self._marks.pop(tenant, None) is not None
