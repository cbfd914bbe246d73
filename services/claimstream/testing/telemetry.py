"""Telemetry as plain values: metrics and traces that a test can read back."""

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from claimstream.contracts.codec import TRACEPARENT, header
from claimstream.contracts.traceparent import TraceContext, parse_traceparent
from claimstream.ports.broker import Record
from claimstream.ports.metrics import Instrument, Labels, Metric, check_call
from claimstream.ports.tracing import Attributes, Evaluation, Span, Stage

STAGE_SPANS = frozenset(stage.span_name for stage in Stage)
"""The children of a complete trace."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One call: an amount for a counter, a value for the others."""

    metric: Metric
    value: float
    labels: Mapping[str, str]


class MemoryMetrics:
    """Keeps every call in order; refuses the wrong instrument or labels, as the port promises."""

    def __init__(self) -> None:
        self.measurements: list[Measurement] = []
        self._lock = threading.Lock()

    def add(self, metric: Metric, amount: float = 1, labels: Labels | None = None) -> None:
        """Add to a counter."""
        if amount < 0:
            raise ValueError(f"{metric.name} is a counter and cannot go down by {amount}")
        self._keep(metric, Instrument.COUNTER, amount, labels)

    def observe(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Put a value into a histogram."""
        self._keep(metric, Instrument.HISTOGRAM, value, labels)

    def set(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Set a gauge."""
        self._keep(metric, Instrument.GAUGE, value, labels)

    def clear(self, metric: Metric) -> None:
        """Forget the values of a gauge."""
        check_call(metric, Instrument.GAUGE, dict.fromkeys(metric.labels, ""))
        with self._lock:
            self.measurements[:] = [one for one in self.measurements if one.metric is not metric]

    def values(self, metric: Metric, **labels: str) -> list[float]:
        """What was given to a metric, in order, under all label sets that include these."""
        return [
            one.value
            for one in tuple(self.measurements)
            if one.metric is metric and labels.items() <= one.labels.items()
        ]

    def total(self, metric: Metric, **labels: str) -> float:
        """The sum of a counter over all label sets that include these."""
        return sum(self.values(metric, **labels))

    def last(self, metric: Metric, **labels: str) -> float | None:
        """The latest value of a gauge, or None where it was never set."""
        return next(reversed(self.values(metric, **labels)), None)

    def _keep(self, metric: Metric, instrument: Instrument, value: float, labels: Labels | None) -> None:
        check_call(metric, instrument, labels)
        with self._lock:
            self.measurements.append(Measurement(metric, value, dict(labels or {})))


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedSpan:
    """A span that was ended; times in wall-clock nanoseconds, ids in hexadecimal."""

    name: str
    kind: str
    context: TraceContext
    parent_id: str | None
    start_ns: int
    end_ns: int
    attributes: Attributes = field(default_factory=dict)
    links: tuple[TraceContext, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmittedEvaluation:
    """An evaluation event with the span that it belongs to."""

    evaluation: Evaluation
    parent: TraceContext
    time_ns: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The finished spans of one trace that hang under one process span."""

    root: FinishedSpan
    children: tuple[FinishedSpan, ...]

    def missing(self, expected: Iterable[str] = STAGE_SPANS) -> set[str]:
        """The names among `expected` that no child has; empty: the trace is complete."""
        return set(expected) - {child.name for child in self.children}

    def strays(self) -> list[FinishedSpan]:
        """Children outside the root's own time, or that end before they start."""
        root = self.root
        return [
            child for child in self.children if not root.start_ns <= child.start_ns <= child.end_ns <= root.end_ns
        ]


def traces(spans: Iterable[FinishedSpan]) -> dict[str, Trace]:
    """One trace a process span, by trace id. A response judged twice in one trace raises ValueError."""
    spans = tuple(spans)
    found: dict[str, Trace] = {}
    for root in (span for span in spans if span.kind == "CONSUMER"):
        if root.context.trace_id in found:
            raise ValueError(f"two process spans in trace {root.context.trace_id}")
        children = tuple(
            span
            for span in spans
            if span.context.trace_id == root.context.trace_id and span.parent_id == root.context.span_id
        )
        found[root.context.trace_id] = Trace(root, children)
    return found


class MemoryTracer:
    """Keeps finished spans and events; its ids are counted from `seed`, so that a test repeats."""

    def __init__(self, seed: int = 1) -> None:
        self.spans: list[FinishedSpan] = []
        self.evaluations: list[EmittedEvaluation] = []
        self._ids = itertools.count(seed)

    def process(self, record: Record, start_ns: int) -> Span:
        """The span of one record, child of its `traceparent`."""
        topic, partition = record.partition
        attributes: dict[str, str | int] = {
            "messaging.destination.name": topic,
            "messaging.destination.partition.id": str(partition),
            "messaging.kafka.offset": record.offset,
        }
        parent = parse_traceparent(header(record.headers, TRACEPARENT))
        return MemorySpan(self, f"process {topic}", "CONSUMER", start_ns, parent=parent, attributes=attributes)

    def batch(self, spans: Sequence[Span], start_ns: int) -> Span:
        """A trace of its own with links to these spans."""
        links = tuple(context for span in spans if (context := parse_traceparent(span.traceparent)))
        attributes = {"messaging.batch.message_count": len(spans)}
        return MemorySpan(self, "micro-batch", "INTERNAL", start_ns, attributes=attributes, links=links)

    def evaluation(self, span: Span, evaluation: Evaluation, time_ns: int) -> None:
        """Keep the event under the bot's span, or under this one; a foreign span raises ValueError."""
        parent = parse_traceparent(evaluation.parent) or parse_traceparent(span.traceparent)
        if parent is None:
            raise ValueError(f"the evaluation of {evaluation.response_id} has no span of this tracer")
        self.evaluations.append(EmittedEvaluation(evaluation=evaluation, parent=parent, time_ns=time_ns))

    def traces(self) -> dict[str, Trace]:
        """One trace a process span, by trace id."""
        return traces(tuple(self.spans))

    def open_context(self, parent: TraceContext | None) -> TraceContext:
        """A new span's context: in the parent's trace and sampled like it, or in a new trace."""
        trace_id = parent.trace_id if parent else f"{next(self._ids):032x}"
        return TraceContext(trace_id, f"{next(self._ids):016x}", parent.flags if parent else 1)


class MemorySpan:
    """An open span of a MemoryTracer; only sampled spans are kept."""

    def __init__(
        self,
        tracer: MemoryTracer,
        name: str,
        kind: str,
        start_ns: int,
        *,
        attributes: Attributes,
        parent: TraceContext | None = None,
        links: tuple[TraceContext, ...] = (),
    ) -> None:
        self._tracer = tracer
        self._ended = False
        self.context = tracer.open_context(parent)
        self._opened = FinishedSpan(
            name=name,
            kind=kind,
            context=self.context,
            parent_id=parent.span_id if parent else None,
            start_ns=start_ns,
            end_ns=start_ns,
            attributes=attributes,
            links=links,
        )

    @property
    def traceparent(self) -> str | None:
        """The header that continues this span."""
        return str(self.context)

    def child(self, name: str, start_ns: int, end_ns: int, attributes: Attributes | None = None) -> None:
        """Keep a finished child."""
        span = MemorySpan(
            self._tracer, name, "INTERNAL", start_ns, parent=self.context, attributes=attributes or {}
        )
        span.end(end_ns)

    def end(self, end_ns: int, attributes: Attributes | None = None, error: str | None = None) -> None:
        """Keep the span. Ending twice raises ValueError."""
        if self._ended:
            raise ValueError(f"the span {self._opened.name} was ended twice")
        self._ended = True
        attributes = {**self._opened.attributes, **(attributes or {})}
        if self.context.sampled:
            self._tracer.spans.append(replace(self._opened, end_ns=end_ns, attributes=attributes, error=error))
