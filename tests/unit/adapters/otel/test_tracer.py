"""What OpenTelemetry gets in the words of its conventions, and what it never gets."""

import json

import pytest
from opentelemetry._logs import SeverityNumber
from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, InMemoryLogRecordExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import StatusCode, get_tracer_provider

from claimstream.adapters.otel import OtelTracer
from claimstream.contracts.traceparent import parse_traceparent
from claimstream.ports.broker import Partition, Record
from claimstream.ports.off import NullSpan
from claimstream.ports.tracing import Evaluation
from otel_capture import OtelCapture, capture_traces

SECRET = "Refunds are available within 30 days of purchase."


def record(key: bytes | None = b"r-1", value: bytes | None = None) -> Record:
    return Record(partition=Partition("bot.responses", 3), offset=7, key=key, value=value)


def evaluation(score: float | None = 0.75) -> Evaluation:
    return Evaluation(
        response_id="r-1",
        score_value=score,
        score_label="CONTRADICTED",
        explanation="value_conflict acme/policies/refunds.md#0@g1.0f1e2d3c4b5a",
    )


@pytest.fixture
def otel() -> OtelCapture:
    return capture_traces(group="claimstream-verifier")


def emitted(otel: OtelCapture) -> ReadableLogRecord:
    (log,) = otel.log_exporter.get_finished_logs()
    return log


def test_a_process_span_has_the_messaging_conventions_attributes(otel: OtelCapture) -> None:
    otel.tracer.process(record(value=b'{"text": 1}'), 100).end(200)

    (span,) = otel.spans()
    assert span.attributes == {
        "messaging.system": "kafka",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": "bot.responses",
        "messaging.destination.partition.id": "3",
        "messaging.kafka.offset": 7,
        "messaging.kafka.message.key": "r-1",
        "messaging.message.body.size": 11,
        "messaging.consumer.group.name": "claimstream-verifier",
    }


def test_a_record_without_a_value_is_a_tombstone(otel: OtelCapture) -> None:
    otel.tracer.process(record(), 100).end(200)

    (span,) = otel.spans()
    assert span.attributes["messaging.kafka.message.tombstone"] is True
    assert "messaging.message.body.size" not in span.attributes


@pytest.mark.parametrize("key", [None, b"", SECRET.encode(), b"\xff\xfe", b"a" * 257, "Grüße".encode(), b"a\n"])
def test_a_key_that_could_be_content_stays_out(otel: OtelCapture, key: bytes | None) -> None:
    otel.tracer.process(record(key), 100).end(200)

    (span,) = otel.spans()
    assert "messaging.kafka.message.key" not in span.attributes


def test_an_error_is_a_status_and_a_type(otel: OtelCapture) -> None:
    otel.tracer.process(record(), 100).end(200, error="schema")

    (span,) = otel.span_exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {})["error.type"] == "schema"


def test_the_evaluation_event_has_the_genai_conventions_attributes(otel: OtelCapture) -> None:
    span = otel.tracer.process(record(), 100)
    otel.tracer.evaluation(span, evaluation(), 150)

    log = emitted(otel).log_record
    assert log.event_name == "gen_ai.evaluation.result"
    assert dict(log.attributes or {}) == {
        "gen_ai.evaluation.name": "faithfulness",
        "gen_ai.evaluation.score.value": 0.75,
        "gen_ai.evaluation.score.label": "CONTRADICTED",
        "gen_ai.evaluation.explanation": "value_conflict acme/policies/refunds.md#0@g1.0f1e2d3c4b5a",
        "gen_ai.response.id": "r-1",
    }
    assert (log.timestamp, log.severity_number, log.body) == (150, SeverityNumber.INFO, None)


def test_no_checked_claim_gives_a_label_and_no_number(otel: OtelCapture) -> None:
    otel.tracer.evaluation(otel.tracer.process(record(), 100), evaluation(score=None), 150)

    attributes = dict(emitted(otel).log_record.attributes or {})
    assert "gen_ai.evaluation.score.value" not in attributes
    assert attributes["gen_ai.evaluation.score.label"] == "CONTRADICTED"


def test_an_evaluation_without_any_span_is_still_emitted(otel: OtelCapture) -> None:
    otel.tracer.evaluation(NullSpan(), evaluation(), 150)

    assert emitted(otel).log_record.trace_id == 0


def test_the_text_of_a_response_reaches_no_span_and_no_event(
    otel: OtelCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    value = json.dumps({"text": SECRET}).encode()
    span = otel.tracer.process(record(SECRET.encode(), value), 100)
    span.child("nli", 110, 120)
    otel.tracer.evaluation(span, evaluation(), 150)
    otel.tracer.batch([span], 100).end(300)
    span.end(200)

    told = [span.to_json() for span in otel.span_exporter.get_finished_spans()] + [emitted(otel).to_json()]
    assert len(told) == 4
    assert not any("Refunds" in text for text in told)


def test_a_sampler_that_drops_still_hands_the_trace_on() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    span = OtelTracer(provider, LoggerProvider(shutdown_on_exit=False), group="g").process(record(), 100)
    span.end(200)
    provider.shutdown()

    context = parse_traceparent(span.traceparent)
    assert context is not None
    assert not context.sampled
    assert exporter.get_finished_spans() == ()


def test_the_threads_own_context_is_never_a_parent(otel: OtelCapture) -> None:
    outer = TracerProvider(shutdown_on_exit=False).get_tracer("somebody else")
    with outer.start_as_current_span("outer"):
        span = otel.tracer.process(record(), 100)
        span.child("nli", 110, 120)
        span.end(200)
        otel.tracer.batch([], 100).end(200)

    parents = {one.name: one.parent_id for one in otel.spans()}
    context = parse_traceparent(span.traceparent)
    assert context is not None
    assert parents == {"process bot.responses": None, "nli": context.span_id, "micro-batch": None}


def test_nothing_global_is_set(otel: OtelCapture) -> None:
    otel.tracer.process(record(), 100).end(200)

    assert not isinstance(get_tracer_provider(), TracerProvider)


def test_shutdown_flushes_what_waits_in_a_batch() -> None:
    spans, logs = InMemorySpanExporter(), InMemoryLogRecordExporter()
    tracers, loggers = TracerProvider(shutdown_on_exit=False), LoggerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(BatchSpanProcessor(spans, schedule_delay_millis=3_600_000))
    loggers.add_log_record_processor(BatchLogRecordProcessor(logs, schedule_delay_millis=3_600_000))
    tracer = OtelTracer(tracers, loggers, group="g")
    span = tracer.process(record(), 100)
    tracer.evaluation(span, evaluation(), 150)
    span.end(200)
    assert (spans.get_finished_spans(), logs.get_finished_logs()) == ((), ())

    tracers.shutdown()
    loggers.shutdown()

    assert (len(spans.get_finished_spans()), len(logs.get_finished_logs())) == (1, 1)
