"""What the loop tells about itself: spans closed, metrics counted."""

from collections.abc import Collection
from typing import Any

from claimstream.ports.broker import Channel
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import (
    CONSUMER_LAG,
    DEAD_LETTERS,
    PAUSED_TENANTS,
    QUEUE_AGE,
    STAGE_SECONDS,
    Metrics,
)
from claimstream.ports.tracing import Stage
from claimstream.streaming.assembler import Entry
from claimstream.streaming.handling import Result
from claimstream.streaming.outcomes import DeadLetter, Drop
from claimstream.streaming.settlement import Settlement


class Reporter:
    """Counts what was published at once, and how the loop stands every few seconds."""

    def __init__(self, clock: Clock, metrics: Metrics, every_seconds: float) -> None:
        self._clock = clock
        self._metrics = metrics
        self._every_seconds = every_seconds
        self._last: float | None = None

    def published(self, settlement: Settlement[Any], start_ns: int) -> None:
        """Close the spans of a published batch and count its dead letters."""
        end_ns = self._clock.time_ns()
        self._metrics.observe(STAGE_SECONDS, (end_ns - start_ns) / 1e9, {"stage": Stage.PUBLISH})
        for entry, result in settlement.settled:
            entry.span.child(Stage.PUBLISH.span_name, start_ns, end_ns)
            self._settled(entry, result, end_ns)

    def _settled(self, entry: Entry[Any], result: Result, end_ns: int) -> None:
        if isinstance(result, DeadLetter):
            self._metrics.add(DEAD_LETTERS, labels={"tenant": entry.tenant, "reason": result.reason})
            entry.span.end(end_ns, {"claimstream.outcome": "dead_letter"}, error=result.reason)
            return
        outcome = "dropped" if isinstance(result, Drop) else "published"
        entry.span.end(end_ns, {"claimstream.outcome": outcome})

    def step(self, channel: Channel, paused_tenants: Collection[str], oldest: float | None) -> None:
        """Set the gauges when it is time."""
        now = self._clock.monotonic()
        if self._last is not None and now - self._last < self._every_seconds:
            return
        self._last = now
        self._metrics.set(PAUSED_TENANTS, len(paused_tenants))
        self._metrics.set(QUEUE_AGE, 0.0 if oldest is None else now - oldest)
        self._metrics.clear(CONSUMER_LAG)
        for partition, records in channel.lag().items():
            labels = {"topic": partition.topic, "partition": str(partition.number)}
            self._metrics.set(CONSUMER_LAG, records, labels)
