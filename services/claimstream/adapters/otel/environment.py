"""Telemetry as the standard `OTEL_*` variables ask for it; off where they ask for nothing.

A signal (TRACES, METRICS, LOGS) is on when `OTEL_<SIGNAL>_EXPORTER` names an exporter other than `none`, or, where
that is not set, when `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_<SIGNAL>_ENDPOINT` is: then by OTLP.
`OTEL_SDK_DISABLED=true` turns all off. The SDK itself reads the rest: endpoints, headers, certificates, time-outs,
sampler, batch sizes, resource attributes. The console is standard error: commands keep standard output for results.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, ConsoleLogRecordExporter, LogRecordExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.trace import NoOpTracerProvider

from claimstream import __version__
from claimstream.adapters.otel.metrics import OtelMetrics
from claimstream.adapters.otel.prometheus import PrometheusEndpoint
from claimstream.adapters.otel.tracer import OtelTracer
from claimstream.errors import ConfigurationError
from claimstream.ports.metrics import Metrics
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.ports.tracing import Tracer


@dataclass(frozen=True, slots=True, kw_only=True)
class Telemetry:
    """The two ports, what is on (for the line that a service prints at start), and what ends them."""

    tracer: Tracer
    metrics: Metrics
    described: str
    closers: Sequence[Callable[[], object]] = ()

    def shutdown(self, timeout_seconds: float = 5.0) -> bool:
        """Send what waits and end; called once. False when a collector did not take it in time: that is lost.

        The exporters' own time-outs and retries add up to half a minute, which no service has when it is told to
        stop; so they run beside each other, in threads that die with the process.
        """
        threads = [threading.Thread(target=closer, daemon=True) for closer in self.closers]
        for thread in threads:
            thread.start()
        end = time.monotonic() + timeout_seconds
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)


class Signal(StrEnum):
    """The three signals, as in the names of their variables."""

    TRACES = "TRACES"
    METRICS = "METRICS"
    LOGS = "LOGS"


def telemetry_from_environment(*, service: str, group: str) -> Telemetry:
    """Telemetry of one process, read from the environment now; null objects where it is off.

    `service` names the process unless the environment does; the SDK tells instances apart by a random id.
    Raises ConfigurationError for an exporter or protocol that is not here, or a Prometheus port in use.
    """
    wanted = {signal: _exporters(signal) for signal in Signal}
    closers: list[Callable[[], object]] = []
    resource = _resource(service)
    metrics: Metrics = NullMetrics()
    tracer: Tracer = NullTracer()
    if wanted[Signal.METRICS]:
        metrics = OtelMetrics(_meters(wanted[Signal.METRICS], resource, closers))
    if wanted[Signal.TRACES] or wanted[Signal.LOGS]:
        # Without traces the no-op provider hands a record's own context on, as NullTracer does.
        on = bool(wanted[Signal.TRACES])
        tracers = _tracers(wanted[Signal.TRACES], resource, closers) if on else NoOpTracerProvider()
        tracer = OtelTracer(tracers, _loggers(wanted[Signal.LOGS], resource, closers), group=group)
    described = ", ".join(f"{signal.lower()}: {'+'.join(names) or 'off'}" for signal, names in wanted.items())
    return Telemetry(tracer=tracer, metrics=metrics, described=described, closers=tuple(closers))


def _exporters(signal: Signal) -> list[str]:
    """The exporters that the environment asks for; none of them twice."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return []
    variable = f"OTEL_{signal}_EXPORTER"
    value = os.environ.get(variable, "").strip()
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")
    if not value:
        value = "otlp" if any(os.environ.get(name) for name in endpoints) else "none"
    names = list(dict.fromkeys(name.strip().lower() for name in value.split(",")))
    known = ["otlp", "console", "none"] + ["prometheus"] * (signal is Signal.METRICS)
    for name in names:
        if name not in known:
            raise ConfigurationError(f"{variable} names the exporter {name!r}; choose from {', '.join(known)}")
    if "otlp" in names:
        _check_protocol(signal)
    return [name for name in names if name != "none"]


def _check_protocol(signal: Signal) -> None:
    """Only OTLP over HTTP is installed; another protocol would be ignored silently."""
    for variable in (f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        protocol = os.environ.get(variable, "").strip()
        if protocol not in ("", "http/protobuf"):
            raise ConfigurationError(
                f"{variable} is {protocol!r}; claimstream speaks http/protobuf (port 4318 of a collector): set that"
            )


def _resource(service: str) -> Resource:
    """The environment's attributes before ours: the operator names the service."""
    found = Resource.create({SERVICE_VERSION: __version__})
    unnamed = str(found.attributes[SERVICE_NAME]).startswith("unknown_service")
    return found.merge(Resource({SERVICE_NAME: service})) if unnamed else found


def _tracers(names: list[str], resource: Resource, closers: list[Callable[[], object]]) -> TracerProvider:
    """A provider with a batching processor an exporter; the SDK's thread does the sending."""
    made: dict[str, Callable[[], SpanExporter]] = {
        "otlp": OTLPSpanExporter,
        "console": lambda: ConsoleSpanExporter(out=sys.stderr),
    }
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    for name in names:
        provider.add_span_processor(BatchSpanProcessor(made[name]()))
    closers.append(provider.shutdown)
    return provider


def _loggers(names: list[str], resource: Resource, closers: list[Callable[[], object]]) -> LoggerProvider:
    """As `_tracers`, for the evaluation events."""
    made: dict[str, Callable[[], LogRecordExporter]] = {
        "otlp": OTLPLogExporter,
        "console": lambda: ConsoleLogRecordExporter(out=sys.stderr),
    }
    provider = LoggerProvider(resource=resource, shutdown_on_exit=False)
    for name in names:
        provider.add_log_record_processor(BatchLogRecordProcessor(made[name]()))
    closers.append(provider.shutdown)
    return provider


def _meters(names: list[str], resource: Resource, closers: list[Callable[[], object]]) -> MeterProvider:
    """A provider with a reader an exporter; Prometheus is served over HTTP and read on demand."""
    readers: list[MetricReader] = []
    for name in names:
        if name == "prometheus":
            endpoint = PrometheusEndpoint.from_environment()
            readers.append(endpoint.reader)
            closers.append(endpoint.close)
        else:
            exporter = OTLPMetricExporter() if name == "otlp" else ConsoleMetricExporter(out=sys.stderr)
            readers.append(PeriodicExportingMetricReader(exporter))
    provider = MeterProvider(readers, resource, shutdown_on_exit=False)
    closers.append(provider.shutdown)
    return provider
