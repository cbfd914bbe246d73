"""The clock of the machine."""

import time


class SystemClock:
    """Real time."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()

    def time_ns(self) -> int:
        """Nanoseconds since the epoch, UTC."""
        return time.time_ns()

    def sleep(self, seconds: float) -> None:
        """Really wait."""
        time.sleep(max(0.0, seconds))
