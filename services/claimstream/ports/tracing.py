"""Traces: one a response, its context carried from record to record through headers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimstream.ports.broker import Record

Attributes = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The `gen_ai.evaluation.result` event of one response; `explanation` never holds response text."""

    response_id: str
    score_value: float | None
    score_label: str
    explanation: str
    parent: str | None = None
    """The bot's own span as a traceparent, where it came along."""


class Span(Protocol):
    """An open span; children are recorded after the fact, with their own times."""

    @property
    def traceparent(self) -> str | None:
        """The W3C header that continues this span, or None where tracing is off."""

    def child(self, name: str, start_ns: int, end_ns: int, attributes: Attributes | None = None) -> None:
        """Record a finished child. Times are wall-clock nanoseconds."""

    def end(self, end_ns: int, attributes: Attributes | None = None, error: str | None = None) -> None:
        """Close the span; an error marks it failed."""


class Tracer(Protocol):
    """Opens the spans of the loop."""

    def process(self, record: Record, start_ns: int) -> Span:
        """The span of one record's processing (kind CONSUMER), child of the record's `traceparent`."""

    def batch(self, spans: Sequence[Span], start_ns: int) -> Span:
        """The span of a micro-batch, a trace of its own with links to the responses in it."""

    def evaluation(self, span: Span, evaluation: Evaluation, time_ns: int) -> None:
        """Emit the evaluation event of one response."""
