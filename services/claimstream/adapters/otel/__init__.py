"""OpenTelemetry: spans, the evaluation event and metrics, by OTLP, on the console and for Prometheus.

Content capture is left out entirely: no setting, `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` included,
puts the text of a response, a claim or a passage into a span or an event.
"""

from claimstream.adapters.otel.environment import Telemetry, telemetry_from_environment
from claimstream.adapters.otel.metrics import OtelMetrics
from claimstream.adapters.otel.tracer import OtelTracer

__all__ = ["OtelMetrics", "OtelTracer", "Telemetry", "telemetry_from_environment"]
