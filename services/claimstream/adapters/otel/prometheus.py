"""The metrics for Prometheus: a page over HTTP, on a registry of its own."""

import os
import threading
from dataclasses import dataclass
from wsgiref.simple_server import WSGIServer

from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics.export import MetricReader
from prometheus_client import CollectorRegistry, start_http_server

from claimstream.errors import ConfigurationError

HOST = "OTEL_EXPORTER_PROMETHEUS_HOST"
PORT = "OTEL_EXPORTER_PROMETHEUS_PORT"


@dataclass(frozen=True, slots=True)
class PrometheusEndpoint:
    """A running page; the provider that gets `reader` fills it and ends the reader."""

    reader: MetricReader
    server: WSGIServer
    thread: threading.Thread

    @classmethod
    def from_environment(cls) -> "PrometheusEndpoint":
        """Serve at the standard variables' host and port (localhost:9464); port 0 takes a free one.

        Raises ConfigurationError for a port that is no number or in use.
        """
        host, port = os.environ.get(HOST) or "localhost", os.environ.get(PORT) or "9464"
        registry = CollectorRegistry()
        try:
            server, thread = start_http_server(int(port), host, registry)
        except (OSError, ValueError, OverflowError) as error:
            raise ConfigurationError(
                f"cannot serve Prometheus at {host}:{port} ({error}): set {HOST} and {PORT} to a free address"
            ) from error
        # Scope labels would put our version on every series, so that each release begins all of them anew.
        return cls(PrometheusMetricReader(scope_info_enabled=False, registry=registry), server, thread)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server.server_port)

    def close(self) -> None:
        """Stop serving and free the port."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
