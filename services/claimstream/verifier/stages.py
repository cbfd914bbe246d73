"""Where the time of a micro-batch goes: named stretches of the wall clock, for spans and for the histogram."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from claimstream.ports.clock import Clock
from claimstream.ports.metrics import STAGE_SECONDS, Metrics
from claimstream.ports.tracing import Attributes


@dataclass(frozen=True, slots=True)
class Stage:
    """One finished stretch; wall-clock nanoseconds."""

    name: str
    start_ns: int
    end_ns: int
    attributes: Attributes = field(default_factory=dict)


class Stopwatch:
    """Collects the stages of one micro-batch in the order they end."""

    def __init__(self, clock: Clock, metrics: Metrics) -> None:
        self._clock = clock
        self._metrics = metrics
        self.stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str, **attributes: str | int | float | bool) -> Iterator[None]:
        """Time the body; a body that raises leaves no stage."""
        start = self._clock.time_ns()
        yield
        self.record(Stage(name, start, self._clock.time_ns(), attributes))

    def record(self, stage: Stage) -> None:
        """Add a stretch that somebody else timed."""
        self.stages.append(stage)
        self._metrics.observe(STAGE_SECONDS, (stage.end_ns - stage.start_ns) / 1e9, {"stage": stage.name})
