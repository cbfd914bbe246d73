"""Waiting longer after each failure, up to a bound, with jitter that the caller passes in."""

from collections.abc import Callable
from dataclasses import dataclass, field

from claimstream.ports.clock import Clock

Jitter = Callable[[], float]
"""Returns a number from 0 up to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How long to wait after the n-th failure in a row."""

    first_seconds: float = 0.25
    factor: float = 2.0
    most_seconds: float = 15.0

    def delay_seconds(self, failures: int, jitter: float) -> float:
        """Half of the exponential step for certain, the other half by `jitter` (0 to 1)."""
        step = min(self.most_seconds, self.first_seconds * self.factor ** min(failures - 1, 30))
        return step * (0.5 + 0.5 * jitter)


@dataclass(slots=True)
class Retry:
    """The failures of one kind of work, and when it may be tried again."""

    policy: Backoff
    clock: Clock
    jitter: Jitter
    failures: int = 0
    reason: str = ""
    _not_before: float = field(default=0.0, repr=False)

    def failed(self, reason: str) -> float:
        """Count a failure; returns the seconds until the next try."""
        self.failures += 1
        self.reason = reason
        delay = self.policy.delay_seconds(self.failures, self.jitter())
        self._not_before = self.clock.monotonic() + delay
        return delay

    def succeeded(self) -> None:
        """Forget the failures."""
        self.failures = 0
        self.reason = ""
        self._not_before = 0.0

    @property
    def failing(self) -> bool:
        """Whether the last try failed."""
        return self.failures > 0

    @property
    def due(self) -> bool:
        """Whether it may be tried now."""
        return not self.failing or self.clock.monotonic() >= self._not_before
