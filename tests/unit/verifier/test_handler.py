"""What the handler publishes, counts and traces; and what it never says."""

from claimstream.contracts.messages import ClaimVerdictV1, ResponseVerdictV1
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS
from claimstream.ports.broker import Partition, Record
from claimstream.ports.metrics import DEGRADED, RESPONSES, VERDICTS
from claimstream.streaming.outcomes import Publish, Received
from claimstream.testing.telemetry import MemoryMetrics, MemoryTracer
from claimstream.verifier.handler import VerifyHandler, evaluation
from courtroom import CONTRADICTED, ENTAILED, Courtroom, answer

REFUNDS = "Refunds are available within 30 days of purchase."


def received(tracer: MemoryTracer, text: str) -> Received:  # type: ignore[type-arg]
    record = Record(partition=Partition("bot.responses", 0), offset=7, key=b"r1", value=b"{}")
    return Received(answer(text), record, tracer.process(record, 1), 2)


def test_claims_in_order_then_the_response_under_one_key() -> None:
    metrics, tracer = MemoryMetrics(), MemoryTracer()
    room = Courtroom(lambda _: ENTAILED, metrics=metrics)
    room.hold({"refunds.md": REFUNDS})
    handler = VerifyHandler(room.verifier, clock=room.clock, metrics=metrics, tracer=tracer)
    (outcome,) = handler([received(tracer, f"Hello! {REFUNDS}")])
    assert isinstance(outcome, Publish)
    assert [m.topic for m in outcome.messages] == [CLAIM_VERDICTS.name] * 2 + [RESPONSE_VERDICTS.name]
    assert {m.key for m in outcome.messages} == {"r1"}
    claims = [m.message for m in outcome.messages if isinstance(m.message, ClaimVerdictV1)]
    (verdict,) = [m.message for m in outcome.messages if isinstance(m.message, ResponseVerdictV1)]
    assert [c.claim_index for c in claims] == [0, 1]
    assert [ref.verdict_id for ref in verdict.claims] == [c.verdict_id for c in claims]


def test_counts_by_label_state_and_missing_leg() -> None:
    metrics, tracer = MemoryMetrics(), MemoryTracer()
    room = Courtroom(lambda _: ENTAILED, metrics=metrics)
    room.hold({"refunds.md": REFUNDS})
    room.dense.failure = "down"
    handler = VerifyHandler(room.verifier, clock=room.clock, metrics=metrics, tracer=tracer)
    handler([received(tracer, REFUNDS)])
    who = {"tenant": "acme", "bot": "support", "model": "m1"}
    assert metrics.total(VERDICTS, **(who | {"label": "SUPPORTED"})) == 1
    assert metrics.total(RESPONSES, **(who | {"state": "degraded"})) == 1
    assert metrics.total(DEGRADED, tenant="acme", leg="dense") == 1


def test_an_evaluation_has_ids_and_reasons_but_no_words_of_the_answer() -> None:
    room = Courtroom(lambda _: CONTRADICTED)
    (passage,) = room.hold({"refunds.md": REFUNDS})
    (judged,) = room.verifier.verify([answer("Refunds are available within 90 days of purchase.")]).judged
    found = evaluation(answer("…"), judged)
    assert (found.score_value, found.score_label) == (0.0, "CONTRADICTED")
    assert passage.evidence_id in found.explanation
    assert "90" not in found.explanation.replace(passage.evidence_id, "")
    assert "purchase" not in found.explanation


def test_nothing_checked_is_a_state_not_a_number() -> None:
    room = Courtroom()
    room.hold({"refunds.md": REFUNDS})
    (judged,) = room.verifier.verify([answer("Hello!")]).judged
    assert (evaluation(answer("Hello!"), judged).score_value, judged.response.state.value) == (
        None,
        "no_checked_claim",
    )
