"""A clock that a test moves."""

import threading

START_NS = 1_767_225_600_000_000_000
"""2026-01-01T00:00:00Z."""


class FakeClock:
    """Stands still until somebody sleeps on it or moves it."""

    def __init__(self, start_ns: int = START_NS) -> None:
        self._lock = threading.Lock()
        self._start_ns = start_ns
        self._elapsed_ns = 0

    def monotonic(self) -> float:
        """Seconds that were slept so far."""
        return self._elapsed_ns / 1e9

    def time_ns(self) -> int:
        """The start plus what was slept."""
        return self._start_ns + self._elapsed_ns

    def sleep(self, seconds: float) -> None:
        """Move forward at once; a negative time moves nothing."""
        with self._lock:
            self._elapsed_ns += max(0, round(seconds * 1e9))
