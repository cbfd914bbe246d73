"""A circuit breaker: after failures in a row a dependency is left alone for a while, then tried once."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BreakerPolicy:
    """When to stop asking, and for how long."""

    failures: int = 3
    """Failures in a row that open it."""
    open_seconds: float = 10.0
    """How long it stays open before one call may try again."""


class Breaker:
    """The state of one dependency. `now` is monotonic seconds; not thread-safe."""

    def __init__(self, policy: BreakerPolicy) -> None:
        self._policy = policy
        self._failed = 0
        self._opened_at: float | None = None

    def allows(self, now: float) -> bool:
        """Whether a call may be made: always while closed, and once open as a trial after the pause."""
        return self._opened_at is None or now - self._opened_at >= self._policy.open_seconds

    def succeeded(self) -> None:
        """The call was answered: closed, and the count begins anew."""
        self._failed = 0
        self._opened_at = None

    def failed(self, now: float) -> None:
        """The call was not answered: opens at the policy's count, and again after a trial that failed."""
        self._failed += 1
        if self._failed >= self._policy.failures:
            self._opened_at = now
