"""What every tracer must do: the fake and OpenTelemetry with its in-memory exporters."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from claimstream.contracts.codec import TRACEPARENT, Headers
from claimstream.contracts.traceparent import TraceContext, parse_traceparent
from claimstream.ports.broker import Partition, Record
from claimstream.ports.tracing import Evaluation, Stage, Tracer
from claimstream.testing.telemetry import FinishedSpan, MemoryTracer, traces
from otel_capture import capture_traces

TRACE_ID, SPAN_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SAMPLED, UNSAMPLED = f"00-{TRACE_ID}-{SPAN_ID}-01", f"00-{TRACE_ID}-{SPAN_ID}-00"
BOT = f"00-{'ab' * 16}-{'cd' * 8}-01"


@dataclass
class Subject:
    """A tracer and how to read back what it did."""

    tracer: Tracer
    spans: Callable[[], list[FinishedSpan]]
    evaluation_parents: Callable[[], list[tuple[str, str]]]


@pytest.fixture(params=["memory", "otel"])
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    if request.param == "memory":
        memory = MemoryTracer()
        yield Subject(
            memory,
            lambda: memory.spans,
            lambda: [(one.parent.trace_id, one.parent.span_id) for one in memory.evaluations],
        )
        return
    otel = capture_traces()
    yield Subject(
        otel.tracer,
        otel.spans,
        lambda: [
            (f"{log.log_record.trace_id:032x}", f"{log.log_record.span_id:016x}")
            for log in otel.log_exporter.get_finished_logs()
        ],
    )
    otel.shutdown()


def record(traceparent: str | bytes | None = None, offset: int = 7) -> Record:
    headers: Headers = ()
    if traceparent is not None:
        raw = traceparent.encode() if isinstance(traceparent, str) else traceparent
        headers = ((TRACEPARENT, raw),)
    return Record(partition=Partition("bot.responses", 3), offset=offset, key=b"r-1", value=b"{}", headers=headers)


def context_of(header: str | None) -> TraceContext:
    context = parse_traceparent(header)
    assert context is not None
    return context


def test_a_process_span_continues_the_records_trace(subject: Subject) -> None:
    span = subject.tracer.process(record(SAMPLED), 100)
    span.end(200)

    (done,) = subject.spans()
    assert (done.name, done.kind) == ("process bot.responses", "CONSUMER")
    assert (done.context.trace_id, done.parent_id) == (TRACE_ID, SPAN_ID)
    assert (done.start_ns, done.end_ns) == (100, 200)
    assert done.attributes["messaging.destination.name"] == "bot.responses"
    assert done.attributes["messaging.destination.partition.id"] == "3"
    assert done.attributes["messaging.kafka.offset"] == 7


def test_the_traceparent_names_the_span_itself(subject: Subject) -> None:
    span = subject.tracer.process(record(SAMPLED), 100)
    before = span.traceparent
    span.end(200)

    (done,) = subject.spans()
    assert before == span.traceparent == str(done.context)
    assert done.context.span_id != SPAN_ID


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "nonsense",
        b"\xff\xfe",
        f"ff-{TRACE_ID}-{SPAN_ID}-01",
        f"00-{TRACE_ID}-{SPAN_ID}-01-more",
        f"00-{TRACE_ID.upper()}-{SPAN_ID}-01",
        f"00-{'0' * 32}-{SPAN_ID}-01",
        f"00-{TRACE_ID}-{'0' * 16}-01",
        f"00-{TRACE_ID}-{SPAN_ID}",
    ],
)
def test_without_a_sound_header_a_new_trace_starts(subject: Subject, header: str | bytes | None) -> None:
    subject.tracer.process(record(header), 100).end(200)

    (done,) = subject.spans()
    assert done.parent_id is None
    assert done.context.trace_id != TRACE_ID
    assert parse_traceparent(str(done.context)) == done.context


def test_two_new_traces_differ(subject: Subject) -> None:
    headers = {subject.tracer.process(record(), 100).traceparent for _ in range(20)}

    assert len({context_of(header).trace_id for header in headers}) == 20


def test_an_unsampled_trace_is_not_recorded_but_goes_on(subject: Subject) -> None:
    span = subject.tracer.process(record(UNSAMPLED), 100)
    span.child("nli", 110, 120)
    span.end(200, {"claims": 2}, error="schema")

    onward = context_of(span.traceparent)
    assert (onward.trace_id, onward.sampled) == (TRACE_ID, False)
    assert subject.spans() == []


def test_children_hang_under_their_span_with_their_own_times(subject: Subject) -> None:
    span = subject.tracer.process(record(SAMPLED), 100)
    for number, stage in enumerate(Stage):
        span.child(stage.span_name, 110 + number, 120 + number, {"stage": str(stage)})
    span.end(200)

    (trace,) = traces(subject.spans()).values()
    assert trace.missing() == set()
    assert trace.strays() == []
    times = {child.name: (child.start_ns, child.end_ns) for child in trace.children}
    assert times["claims"] == (110, 120)
    assert times["retrieval sparse"] == (112, 122)
    assert {child.attributes["stage"] for child in trace.children} == set(Stage)


def test_attributes_and_errors_are_added_at_the_end(subject: Subject) -> None:
    subject.tracer.process(record(), 100).end(200, {"claims": 2}, error="schema")

    (done,) = subject.spans()
    assert done.attributes["claims"] == 2
    assert done.error == "schema"


def test_a_batch_is_a_trace_of_its_own_with_links(subject: Subject) -> None:
    members = [subject.tracer.process(record(SAMPLED), 100), subject.tracer.process(record(UNSAMPLED), 100)]
    subject.tracer.batch(members, 100).end(300)

    (done,) = subject.spans()
    assert done.parent_id is None
    assert done.context.trace_id != TRACE_ID
    assert [str(link) for link in done.links] == [member.traceparent for member in members]
    assert done.attributes["messaging.batch.message_count"] == 2


@pytest.mark.parametrize(
    ("parent", "expected"),
    [(BOT, ("ab" * 16, "cd" * 8)), (None, None), ("nonsense", None)],
    ids=["the bot's span", "no bot", "malformed"],
)
def test_an_evaluation_belongs_to_the_bots_span_or_else_to_ours(
    subject: Subject, parent: str | None, expected: tuple[str, str] | None
) -> None:
    span = subject.tracer.process(record(SAMPLED), 100)
    evaluation = Evaluation(response_id="r-1", score_value=1.0, score_label="pass", explanation="", parent=parent)
    subject.tracer.evaluation(span, evaluation, 150)

    ours = context_of(span.traceparent)
    assert subject.evaluation_parents() == [expected or (ours.trace_id, ours.span_id)]
