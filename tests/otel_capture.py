"""OpenTelemetry with the SDK's in-memory exporters, read back in the form of the memory fakes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from opentelemetry import trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    HistogramDataPoint,
    InMemoryMetricReader,
    Metric,
    NumberDataPoint,
)
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from claimstream.adapters.otel import OtelMetrics, OtelTracer
from claimstream.contracts.traceparent import TraceContext
from claimstream.ports.tracing import Attributes
from claimstream.testing.telemetry import FinishedSpan

Point = NumberDataPoint | HistogramDataPoint


@dataclass
class OtelCapture:
    """An OtelTracer on in-memory exporters."""

    tracer: OtelTracer
    span_exporter: InMemorySpanExporter
    log_exporter: InMemoryLogRecordExporter
    providers: tuple[TracerProvider, LoggerProvider]

    def spans(self) -> list[FinishedSpan]:
        return [_finished(span) for span in self.span_exporter.get_finished_spans()]

    def shutdown(self) -> None:
        for provider in self.providers:
            provider.shutdown()


def capture_traces(group: str = "claimstream") -> OtelCapture:
    span_exporter, log_exporter = InMemorySpanExporter(), InMemoryLogRecordExporter()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(span_exporter))
    loggers = LoggerProvider(shutdown_on_exit=False)
    loggers.add_log_record_processor(SimpleLogRecordProcessor(log_exporter))
    return OtelCapture(OtelTracer(tracers, loggers, group=group), span_exporter, log_exporter, (tracers, loggers))


@dataclass
class MetricsCapture:
    """OtelMetrics on an in-memory reader."""

    metrics: OtelMetrics
    reader: InMemoryMetricReader
    provider: MeterProvider

    def exported(self) -> dict[str, Metric]:
        data = self.reader.get_metrics_data()
        if data is None:
            return {}
        return {
            metric.name: metric
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def points(self, name: str, labels: Mapping[str, str]) -> list[Point]:
        metric = self.exported().get(name)
        points = cast("list[Point]", list(metric.data.data_points)) if metric else []
        return [point for point in points if labels.items() <= dict(point.attributes or {}).items()]


def capture_metrics() -> MetricsCapture:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    return MetricsCapture(OtelMetrics(provider), reader, provider)


def _context(context: trace.SpanContext) -> TraceContext:
    return TraceContext(
        trace.format_trace_id(context.trace_id), trace.format_span_id(context.span_id), int(context.trace_flags)
    )


def _finished(span: ReadableSpan) -> FinishedSpan:
    assert span.context is not None
    return FinishedSpan(
        name=span.name,
        kind=span.kind.name,
        context=_context(span.context),
        parent_id=trace.format_span_id(span.parent.span_id) if span.parent else None,
        start_ns=span.start_time or 0,
        end_ns=span.end_time or 0,
        attributes=cast("Attributes", dict(span.attributes or {})),
        links=tuple(_context(link.context) for link in span.links),
        error=span.status.description,
    )
