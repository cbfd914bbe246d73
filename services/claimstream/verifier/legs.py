"""Asks a retrieval leg beside the others: in a thread of its own, with a time limit and a circuit breaker."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NoAnswer
from dataclasses import dataclass
from typing import Generic, TypeVar

from claimstream.errors import IndexUnavailable
from claimstream.ports.clock import Clock
from claimstream.streaming.breaker import Breaker, BreakerPolicy

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LegCall:
    """When a leg was asked, for its span; `error` says why it gave nothing."""

    leg: str
    start_ns: int
    end_ns: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a leg gave, or None with the reason in `call.error`."""

    value: T | None
    call: LegCall


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """A call under way: `future` is None where the leg was not asked, for the reason given."""

    future: Future[tuple[T, int]] | None
    """The value, and the moment at which it was there."""
    start_ns: int
    started: float
    """Monotonic seconds: the time limit counts from here, not from the waiting."""
    reason: str = ""


class Leg:
    """One leg. `ask` and `answer` belong to one thread; the work itself runs in the leg's own thread.

    A call that outlives its time limit goes on in that thread; until it ends the leg counts as down, so that
    calls never pile up behind an engine that hangs.
    """

    def __init__(self, name: str, clock: Clock, timeout_seconds: float, policy: BreakerPolicy) -> None:
        self.name = name
        self._clock = clock
        self._timeout_seconds = timeout_seconds
        self._breaker = Breaker(policy)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"leg-{name}")
        self._late: Future[object] | None = None

    def ask(self, work: Callable[[], T]) -> Asked[T]:
        """Start the work, unless the breaker is open or an earlier call still hangs."""
        now_ns, now = self._clock.time_ns(), self._clock.monotonic()
        if self._late is not None and not self._late.done():
            return Asked(None, now_ns, now, "an earlier call has not ended")
        self._late = None
        if not self._breaker.allows(now):
            return Asked(None, now_ns, now, "left alone after repeated failures")
        return Asked(self._pool.submit(self._timed, work), now_ns, now)

    def answer(self, asked: Asked[T]) -> Answer[T]:
        """Wait for the work, up to the leg's time limit. Errors other than IndexUnavailable are raised."""
        if asked.future is None:
            return self._nothing(asked, asked.reason)
        try:
            value, end_ns = asked.future.result(self._remaining(asked))
        except NoAnswer:
            self._late = asked.future  # type: ignore[assignment]  # Future is invariant; only done() is used
            return self._failed(asked, f"no answer within {self._timeout_seconds:g} s")
        except IndexUnavailable as error:
            return self._failed(asked, str(error))
        self._breaker.succeeded()
        return Answer(value, LegCall(self.name, asked.start_ns, end_ns))

    def close(self) -> None:
        """Let the thread end; a call under way is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _timed(self, work: Callable[[], T]) -> tuple[T, int]:
        return work(), self._clock.time_ns()

    def _remaining(self, asked: Asked[T]) -> float:
        return max(0.0, self._timeout_seconds - (self._clock.monotonic() - asked.started))

    def _failed(self, asked: Asked[T], reason: str) -> Answer[T]:
        self._breaker.failed(self._clock.monotonic())
        return self._nothing(asked, reason)

    def _nothing(self, asked: Asked[T], reason: str) -> Answer[T]:
        return Answer(None, LegCall(self.name, asked.start_ns, self._clock.time_ns(), reason))
