"""Where the time of a micro-batch goes: named stretches of the wall clock, for spans and for the histogram."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from claimstream.ports.clock import Clock
from claimstream.ports.metrics import STAGE_SECONDS, Metrics
from claimstream.ports.tracing import Stage


@dataclass(frozen=True, slots=True)
class Stretch:
    """One finished stage of a micro-batch; wall-clock nanoseconds. A stage may come more than once."""

    stage: Stage
    start_ns: int
    end_ns: int

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.end_ns - self.start_ns) / 1e9


class Stopwatch:
    """Collects the stretches of one micro-batch in the order they end."""

    def __init__(self, clock: Clock, metrics: Metrics) -> None:
        self._clock = clock
        self._metrics = metrics
        self.stretches: list[Stretch] = []

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        """Time the body; a body that raises leaves no stretch."""
        start = self._clock.time_ns()
        yield
        self.record(Stretch(stage, start, self._clock.time_ns()))

    def record(self, stretch: Stretch) -> None:
        """Add a stretch that somebody else timed."""
        self.stretches.append(stretch)
        self._metrics.observe(STAGE_SECONDS, stretch.seconds, {"stage": stretch.stage.value})
