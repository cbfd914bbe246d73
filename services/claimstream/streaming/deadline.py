"""One moment by which leaving must be over; a revoke and a shutdown share it."""

from dataclasses import dataclass

from claimstream.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on a monotonic clock."""

    clock: Clock
    at: float

    @classmethod
    def after(cls, clock: Clock, seconds: float) -> "Deadline":
        """The moment `seconds` from now."""
        return cls(clock, clock.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - self.clock.monotonic())

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.remaining() == 0.0
