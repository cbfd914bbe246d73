"""Telemetry from the standard variables: off by default, refused with a reason, exported to a real collector."""

import gzip
import socket
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from claimstream import __version__
from claimstream.adapters.otel import OtelMetrics, OtelTracer, Telemetry, telemetry_from_environment
from claimstream.errors import ConfigurationError
from claimstream.ports.broker import Partition, Record
from claimstream.ports.metrics import PAUSED_TENANTS, QUEUE_AGE
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.ports.tracing import Evaluation, Tracer

PARENT = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)


class Collector(ThreadingHTTPServer):
    """The receiving end of OTLP over HTTP: keeps bodies by path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiver)
        self.bodies: dict[str, bytes] = {}


class _Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert isinstance(self.server, Collector)
        self.server.bodies[self.path] = body
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def telemetry() -> Telemetry:
    return telemetry_from_environment(service="claimstream-verifier", group="g")


def trace_one(tracer: Tracer) -> str | None:
    headers = (("traceparent", PARENT.encode()),)
    record = Record(partition=Partition("bot.responses", 0), offset=1, key=b"r-1", value=b"{}", headers=headers)
    span = tracer.process(record, 100)
    event = Evaluation(response_id="r-1", score_value=1.0, score_label="SUPPORTED", explanation="")
    tracer.evaluation(span, event, 150)
    span.end(200)
    return span.traceparent


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_SERVICE_NAME": "verifier", "OTEL_TRACES_SAMPLER": "always_on"},
        {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"},
        {"OTEL_SDK_DISABLED": " TRUE ", "OTEL_TRACES_EXPORTER": "otlp"},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_LOGS_EXPORTER": "none"},
    ],
)
def test_it_is_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    off = telemetry()

    assert isinstance(off.tracer, NullTracer)
    assert isinstance(off.metrics, NullMetrics)
    assert off.described == "traces: off, metrics: off, logs: off"
    off.shutdown()


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER .*'zipkin'.* otlp, console, none"),
        ({"OTEL_TRACES_EXPORTER": "prometheus"}, "OTEL_TRACES_EXPORTER .*'prometheus'"),
        ({"OTEL_METRICS_EXPORTER": "statsd"}, "choose from otlp, console, none, prometheus"),
        ({"OTEL_LOGS_EXPORTER": "otlp,file"}, "OTEL_LOGS_EXPORTER .*'file'"),
        (
            {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'.*http/protobuf",
        ),
        (
            {"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT": "many"},
            "localhost:many.*OTEL_EXPORTER_PROMETHEUS_PORT",
        ),
        (
            {"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT": "70000"},
            "localhost:70000.*OTEL_EXPORTER_PROMETHEUS_PORT",
        ),
    ],
)
def test_what_cannot_work_is_refused_with_the_variable(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], message: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=message):
        telemetry()


def test_a_prometheus_port_in_use_is_refused(monkeypatch: pytest.MonkeyPatch, collector: Collector) -> None:
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "prometheus")
    monkeypatch.setenv("OTEL_EXPORTER_PROMETHEUS_HOST", "127.0.0.1")
    monkeypatch.setenv("OTEL_EXPORTER_PROMETHEUS_PORT", str(collector.server_port))
    with pytest.raises(ConfigurationError, match="in use"):
        telemetry()


def test_an_endpoint_alone_turns_all_signals_on_and_shutdown_flushes(
    monkeypatch: pytest.MonkeyPatch, collector: Collector
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
    on = telemetry()
    assert on.described == "traces: otlp, metrics: otlp, logs: otlp"
    assert isinstance(on.metrics, OtelMetrics)
    trace_one(on.tracer)
    on.metrics.set(QUEUE_AGE, 3)
    assert on.shutdown(timeout_seconds=60) is True

    traces = ExportTraceServiceRequest.FromString(collector.bodies["/v1/traces"])
    metrics = ExportMetricsServiceRequest.FromString(collector.bodies["/v1/metrics"])
    logs = ExportLogsServiceRequest.FromString(collector.bodies["/v1/logs"])
    (span,) = traces.resource_spans[0].scope_spans[0].spans
    assert (span.name, span.trace_id.hex()) == ("process bot.responses", "ab" * 16)
    (metric,) = metrics.resource_metrics[0].scope_metrics[0].metrics
    assert (metric.name, metric.gauge.data_points[0].as_double) == ("claimstream.queue.age", 3)
    (event,) = logs.resource_logs[0].scope_logs[0].log_records
    assert (event.event_name, event.span_id) == ("gen_ai.evaluation.result", span.span_id)
    resource = {item.key: item.value.string_value for item in traces.resource_spans[0].resource.attributes}
    assert resource["service.name"] == "claimstream-verifier"
    assert resource["service.version"] == __version__


def test_a_collector_that_never_answers_does_not_hold_the_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "2")
        on = telemetry()
        trace_one(on.tracer)

        assert on.shutdown(timeout_seconds=0.05) is False


def test_the_operator_names_the_service(monkeypatch: pytest.MonkeyPatch, collector: Collector) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"http://127.0.0.1:{collector.server_port}/traces")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "support-verifier")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
    on = telemetry()
    assert on.described == "traces: otlp, metrics: off, logs: off"
    trace_one(on.tracer)
    on.shutdown()

    traces = ExportTraceServiceRequest.FromString(collector.bodies["/traces"])
    resource = {item.key: item.value.string_value for item in traces.resource_spans[0].resource.attributes}
    assert resource["service.name"] == "support-verifier"
    assert resource["deployment.environment.name"] == "test"


def test_the_sampler_is_the_environments(monkeypatch: pytest.MonkeyPatch, collector: Collector) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"http://127.0.0.1:{collector.server_port}/traces")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    on = telemetry()
    onward = trace_one(on.tracer)
    on.shutdown()

    assert collector.bodies == {}
    assert onward is not None
    assert onward.endswith("-00")


def test_events_without_traces_keep_the_records_own_span(
    monkeypatch: pytest.MonkeyPatch, collector: Collector
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", f"http://127.0.0.1:{collector.server_port}/logs")
    on = telemetry()
    onward = trace_one(on.tracer)
    on.shutdown()

    (event,) = (
        ExportLogsServiceRequest.FromString(collector.bodies["/logs"]).resource_logs[0].scope_logs[0].log_records
    )
    assert onward == PARENT
    assert (event.trace_id.hex(), event.span_id.hex()) == ("ab" * 16, "cd" * 8)


def test_the_console_shows_all_signals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for signal in ("TRACES", "METRICS", "LOGS"):
        monkeypatch.setenv(f"OTEL_{signal}_EXPORTER", "console")
    on = telemetry()
    assert isinstance(on.tracer, OtelTracer)
    trace_one(on.tracer)
    on.metrics.set(QUEUE_AGE, 3)
    on.shutdown()

    shown = capsys.readouterr().err
    for expected in ("process bot.responses", "gen_ai.evaluation.result", "claimstream.queue.age"):
        assert expected in shown


def test_prometheus_reads_a_page_that_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    from claimstream.adapters.otel.prometheus import PrometheusEndpoint

    opened: list[PrometheusEndpoint] = []
    original = PrometheusEndpoint.from_environment

    def remember() -> PrometheusEndpoint:
        opened.append(original())
        return opened[0]

    monkeypatch.setattr(PrometheusEndpoint, "from_environment", remember)
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "prometheus")
    monkeypatch.setenv("OTEL_EXPORTER_PROMETHEUS_HOST", "127.0.0.1")
    monkeypatch.setenv("OTEL_EXPORTER_PROMETHEUS_PORT", "0")
    on = telemetry()
    on.metrics.set(PAUSED_TENANTS, 2)
    url = f"http://127.0.0.1:{opened[0].port}/metrics"
    with urllib.request.urlopen(url, timeout=10) as page:
        assert "claimstream_tenants_paused 2.0" in page.read().decode().splitlines()

    on.shutdown()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=10).close()
