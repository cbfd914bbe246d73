"""The fakes' own promises, beyond the conformance suites: reading back, and catching a caller's mistakes."""

import pytest

from claimstream.ports.broker import Partition, Record
from claimstream.ports.metrics import BATCH_FILL, VERDICTS
from claimstream.ports.off import NullSpan
from claimstream.ports.tracing import Evaluation, Stage
from claimstream.testing.telemetry import STAGE_SPANS, MemoryMetrics, MemoryTracer


def record(offset: int, traceparent: bytes | None = None) -> Record:
    headers = (("traceparent", traceparent),) if traceparent else ()
    return Record(partition=Partition("bot.responses", 0), offset=offset, key=None, value=b"{}", headers=headers)


def test_a_complete_trace_misses_nothing() -> None:
    tracer = MemoryTracer()
    for offset in range(3):
        span = tracer.process(record(offset), 100)
        for stage in Stage:
            span.child(stage.span_name, 110, 120)
        span.end(200)

    found = tracer.traces()
    assert len(found) == 3
    assert [trace.missing() for trace in found.values()] == [set()] * 3
    assert [trace.strays() for trace in found.values()] == [[]] * 3


def test_an_incomplete_trace_says_what_it_misses_and_what_strays() -> None:
    tracer = MemoryTracer()
    span = tracer.process(record(0), 100)
    span.child("claims", 90, 120)
    span.child("nli", 130, 125)
    span.end(200)

    (trace,) = tracer.traces().values()
    assert trace.missing() == STAGE_SPANS - {"claims", "nli"}
    assert [child.name for child in trace.strays()] == ["claims", "nli"]


def test_two_process_spans_in_one_trace_are_no_complete_trace() -> None:
    tracer = MemoryTracer()
    parent = b"00-" + b"ab" * 16 + b"-" + b"cd" * 8 + b"-01"
    for offset in range(2):
        tracer.process(record(offset, parent), 100).end(200)

    with pytest.raises(ValueError, match="two process spans"):
        tracer.traces()


def test_a_span_ends_once() -> None:
    span = MemoryTracer().process(record(0), 100)
    span.end(200)
    with pytest.raises(ValueError, match="ended twice"):
        span.end(200)


def test_an_evaluation_needs_a_span() -> None:
    event = Evaluation(response_id="r-1", score_value=1.0, score_label="pass", explanation="")
    with pytest.raises(ValueError, match="r-1 has no span"):
        MemoryTracer().evaluation(NullSpan(), event, 100)


def test_two_tracers_with_other_seeds_never_share_ids() -> None:
    one, other = MemoryTracer(), MemoryTracer(seed=1_000)

    assert one.process(record(0), 100).traceparent != other.process(record(0), 100).traceparent


def test_measurements_are_read_back_by_part_of_their_labels() -> None:
    metrics = MemoryMetrics()
    labels = {"tenant": "acme", "bot": "helpdesk", "model": "m", "label": "SUPPORTED"}
    metrics.add(VERDICTS, 2, labels)
    metrics.add(VERDICTS, 1, labels | {"label": "CONTRADICTED"})
    metrics.observe(BATCH_FILL, 0.5)
    metrics.observe(BATCH_FILL, 0.25)

    assert metrics.total(VERDICTS) == 3
    assert metrics.total(VERDICTS, label="SUPPORTED", tenant="acme") == 2
    assert metrics.total(VERDICTS, tenant="globex") == 0
    assert metrics.values(BATCH_FILL) == [0.5, 0.25]
