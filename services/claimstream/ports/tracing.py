"""Traces: one a response, its context carried from record to record through headers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from claimstream.ports.broker import Record

Attributes = Mapping[str, str | int | float | bool]
"""Bounded values and ids. Never text of a response, a claim or a passage: traces leave the house."""


class Stage(StrEnum):
    """The steps of the pipeline: the label `stage` of the durations, and the children of every process span."""

    CLAIMS = "claims"
    DENSE = "dense"
    SPARSE = "sparse"
    NLI = "nli"
    DECISION = "decision"
    PUBLISH = "publish"

    @property
    def span_name(self) -> str:
        """How the step is called in a trace: a leg says that it is retrieval."""
        return f"retrieval {self}" if self in (Stage.DENSE, Stage.SPARSE) else str(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The `gen_ai.evaluation.result` event of one response; `explanation` never holds response text."""

    response_id: str
    score_value: float | None
    score_label: str
    explanation: str
    parent: str | None = None
    """The bot's own span as a traceparent, where it came along; a malformed one counts as none."""


class Span(Protocol):
    """An open span; children are recorded after the fact, with their own times."""

    @property
    def traceparent(self) -> str | None:
        """The W3C header that continues this span; where tracing is off the record's own one, or None."""

    def child(self, name: str, start_ns: int, end_ns: int, attributes: Attributes | None = None) -> None:
        """Record a finished child. Times are wall-clock nanoseconds."""

    def end(self, end_ns: int, attributes: Attributes | None = None, error: str | None = None) -> None:
        """Close the span, once. An error marks it failed: a short stable code, as the reason of a dead letter."""


class Tracer(Protocol):
    """Opens the spans of the loop. Safe to use from several threads."""

    def process(self, record: Record, start_ns: int) -> Span:
        """The span of one record's processing (kind CONSUMER), child of the record's `traceparent`.

        Without a header, or with a malformed one, it starts a new trace.
        """

    def batch(self, spans: Sequence[Span], start_ns: int) -> Span:
        """The span of a micro-batch, a trace of its own with links to the responses in it."""

    def evaluation(self, span: Span, evaluation: Evaluation, time_ns: int) -> None:
        """Emit the evaluation event of one response, under `evaluation.parent` or else under the span."""
