"""Telemetry that is off: null objects of the two ports.

They stand beside the ports because they need nothing else: the loop, the services and every test may take them
as defaults without reaching up to an adapter or a fake.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from claimstream.contracts.codec import TRACEPARENT, header
from claimstream.contracts.traceparent import parse_traceparent
from claimstream.ports.broker import Record
from claimstream.ports.metrics import Labels, Metric
from claimstream.ports.tracing import Attributes, Evaluation, Span


class NullMetrics:
    """Measures nothing."""

    def add(self, metric: Metric, amount: float = 1, labels: Labels | None = None) -> None:
        """Do nothing."""

    def observe(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Do nothing."""

    def set(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Do nothing."""

    def clear(self, metric: Metric) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class NullSpan:
    """Records nothing; hands on the header it was given."""

    traceparent: str | None = None

    def child(self, name: str, start_ns: int, end_ns: int, attributes: Attributes | None = None) -> None:
        """Do nothing."""

    def end(self, end_ns: int, attributes: Attributes | None = None, error: str | None = None) -> None:
        """Do nothing."""


class NullTracer:
    """Traces nothing, but hands a record's well-formed `traceparent` on, so that the trace goes on behind us."""

    def process(self, record: Record, start_ns: int) -> Span:  # noqa: ARG002  the port's signature
        """A span that only carries the record's own header."""
        parent = parse_traceparent(header(record.headers, TRACEPARENT))
        return NullSpan(str(parent) if parent else None)

    def batch(self, spans: Sequence[Span], start_ns: int) -> Span:  # noqa: ARG002  the port's signature
        """A span that carries nothing."""
        return NullSpan()

    def evaluation(self, span: Span, evaluation: Evaluation, time_ns: int) -> None:
        """Do nothing."""
