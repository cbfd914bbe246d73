"""Telemetry that is off: silent, but it does not break anybody's trace."""

import pytest

from claimstream.contracts.codec import TRACEPARENT
from claimstream.ports.broker import Partition, Record
from claimstream.ports.metrics import CONSUMER_LAG, DEAD_LETTERS, STAGE_SECONDS
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.ports.tracing import Evaluation

SOUND = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


@pytest.mark.parametrize(("header", "onward"), [(SOUND, SOUND), ("nonsense", None), (None, None)])
def test_a_sound_header_is_handed_on(header: str | None, onward: str | None) -> None:
    headers = ((TRACEPARENT, header.encode()),) if header else ()
    record = Record(partition=Partition("bot.responses", 0), offset=1, key=None, value=None, headers=headers)

    assert NullTracer().process(record, 100).traceparent == onward


def test_every_call_is_taken() -> None:
    tracer, metrics = NullTracer(), NullMetrics()
    span = tracer.batch([], 100)
    span.child("nli", 110, 120)
    evaluation = Evaluation(response_id="r-1", score_value=None, score_label="", explanation="")
    tracer.evaluation(span, evaluation, 130)
    span.end(200, {"claims": 1}, error="schema")
    metrics.add(DEAD_LETTERS)
    metrics.observe(STAGE_SECONDS, 1.0)
    metrics.set(CONSUMER_LAG, 1)
    metrics.clear(CONSUMER_LAG)

    assert span.traceparent is None
