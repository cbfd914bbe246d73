"""The tracing port over an OpenTelemetry tracer and logger, in the words of the semantic conventions.

Messaging: https://opentelemetry.io/docs/specs/semconv/messaging/kafka/ (development).
Evaluation: https://github.com/open-telemetry/semantic-conventions-genai (development).
"""

import re
from collections.abc import Sequence

from opentelemetry import trace
from opentelemetry._logs import LoggerProvider, LogRecord, SeverityNumber
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, TracerProvider

from claimstream import __version__
from claimstream.contracts.codec import TRACEPARENT, header
from claimstream.contracts.traceparent import TraceContext, parse_traceparent
from claimstream.ports.broker import Record
from claimstream.ports.tracing import Attributes, Evaluation, Span

_KEY_IS_AN_ID = re.compile(r"[A-Za-z0-9._:/@#+=-]{1,256}", re.ASCII)
"""A key with a space or more than this could be content, and stays out of the trace."""


class OtelTracer:
    """Spans and evaluation events on these providers; nothing global is set or read.

    Parents come from records and arguments alone: the ambient context of the thread is ignored.
    """

    def __init__(self, tracers: TracerProvider, loggers: LoggerProvider, *, group: str) -> None:
        self._tracer = tracers.get_tracer("claimstream", __version__)
        self._logger = loggers.get_logger("claimstream", __version__)
        self._group = group

    def process(self, record: Record, start_ns: int) -> Span:
        """The span of one record, child of its `traceparent`."""
        span = self._tracer.start_span(
            f"process {record.partition.topic}",
            _context(parse_traceparent(header(record.headers, TRACEPARENT))),
            SpanKind.CONSUMER,
            _record_attributes(record, self._group),
            start_time=start_ns,
        )
        return OtelSpan(self._tracer, span)

    def batch(self, spans: Sequence[Span], start_ns: int) -> Span:
        """A trace of its own with links to these spans."""
        contexts = (parse_traceparent(span.traceparent) for span in spans)
        span = self._tracer.start_span(
            "micro-batch",
            Context(),
            attributes={
                "messaging.system": "kafka",
                "messaging.batch.message_count": len(spans),
                "messaging.consumer.group.name": self._group,
            },
            links=[Link(_span_context(context)) for context in contexts if context],
            start_time=start_ns,
        )
        return OtelSpan(self._tracer, span)

    def evaluation(self, span: Span, evaluation: Evaluation, time_ns: int) -> None:
        """Emit `gen_ai.evaluation.result` under the bot's span, or under this one."""
        parent = parse_traceparent(evaluation.parent) or parse_traceparent(span.traceparent)
        attributes: dict[str, str | float] = {
            "gen_ai.evaluation.name": "faithfulness",
            "gen_ai.evaluation.score.label": evaluation.score_label,
            "gen_ai.evaluation.explanation": evaluation.explanation,
            "gen_ai.response.id": evaluation.response_id,
        }
        if evaluation.score_value is not None:
            attributes["gen_ai.evaluation.score.value"] = evaluation.score_value
        self._logger.emit(
            LogRecord(
                timestamp=time_ns,
                observed_timestamp=time_ns,
                context=_context(parent),
                severity_number=SeverityNumber.INFO,
                attributes=attributes,
                event_name="gen_ai.evaluation.result",
            )
        )


class OtelSpan:
    """An open span of an OtelTracer."""

    def __init__(self, tracer: trace.Tracer, span: trace.Span) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def traceparent(self) -> str | None:
        """The header that continues this span, also where it is not sampled."""
        context = self._span.get_span_context()
        if not context.is_valid:
            return None
        trace_id, span_id = trace.format_trace_id(context.trace_id), trace.format_span_id(context.span_id)
        return str(TraceContext(trace_id, span_id, int(context.trace_flags)))

    def child(self, name: str, start_ns: int, end_ns: int, attributes: Attributes | None = None) -> None:
        """Record a finished child."""
        context = trace.set_span_in_context(self._span, Context())
        self._tracer.start_span(name, context, attributes=attributes, start_time=start_ns).end(end_ns)

    def end(self, end_ns: int, attributes: Attributes | None = None, error: str | None = None) -> None:
        """Close the span; an error becomes its status and `error.type`."""
        if attributes:
            self._span.set_attributes(attributes)
        if error is not None:
            self._span.set_attribute("error.type", error)
            self._span.set_status(Status(StatusCode.ERROR, error))
        self._span.end(end_ns)


def _record_attributes(record: Record, group: str) -> dict[str, str | int | bool]:
    """What the messaging conventions ask of a consumer's span, and nothing of the record's content."""
    attributes: dict[str, str | int | bool] = {
        "messaging.system": "kafka",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": record.partition.topic,
        "messaging.destination.partition.id": str(record.partition.number),
        "messaging.kafka.offset": record.offset,
        "messaging.consumer.group.name": group,
    }
    key = (record.key or b"").decode("utf-8", errors="replace")
    if _KEY_IS_AN_ID.fullmatch(key):
        attributes["messaging.kafka.message.key"] = key
    if record.value is None:
        attributes["messaging.kafka.message.tombstone"] = True
    else:
        attributes["messaging.message.body.size"] = len(record.value)
    return attributes


def _span_context(context: TraceContext) -> SpanContext:
    """The same, as the SDK has it; it came in a header, so it is remote."""
    flags = TraceFlags(context.flags)
    return SpanContext(int(context.trace_id, 16), int(context.span_id, 16), is_remote=True, trace_flags=flags)


def _context(parent: TraceContext | None) -> Context:
    """A context that holds this parent, or nothing: a new trace."""
    if parent is None:
        return Context()
    return trace.set_span_in_context(trace.NonRecordingSpan(_span_context(parent)), Context())
