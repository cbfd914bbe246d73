"""Time, passed in."""

from typing import Protocol


class Clock(Protocol):
    """Two clocks: one to measure with, one to write down."""

    def monotonic(self) -> float:
        """Seconds that never go back; only differences mean anything."""

    def time_ns(self) -> int:
        """Wall-clock nanoseconds since the epoch, UTC."""

    def sleep(self, seconds: float) -> None:
        """Wait; a fake clock moves forward at once."""
