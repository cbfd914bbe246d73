"""A micro-batch through the verifier: states, labels, evidence, and one call an engine for all claims."""

from collections.abc import Mapping

import pytest

from claimstream.contracts.messages import EvidenceRole, Label, Reason, ResponseState
from claimstream.domain.claims.blocks import Limits
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import Thresholds
from claimstream.errors import IndexUnavailable, ModelRefused
from claimstream.verifier.rules import Rules
from courtroom import CONTRADICTED, ENTAILED, NEUTRAL, Courtroom, Rule, answer

REFUNDS = "Refunds are available within 30 days of purchase."
SHIPPING = "Orders ship within 2 working days."


def by_premise(scores: Mapping[str, Scores]) -> Rule:
    """The scores of the first premise that contains the words; neutral otherwise."""
    return lambda pair: next((value for words, value in scores.items() if words in pair.premise), NEUTRAL)


def test_a_claim_is_supported_by_the_passage_that_entails_it() -> None:
    room = Courtroom(by_premise({"30 days": ENTAILED}))
    refunds, _ = room.hold({"refunds.md": REFUNDS, "shipping.md": SHIPPING})
    (judged,) = room.verifier.verify([answer(REFUNDS)]).judged
    (claim,) = judged.claims
    assert (claim.label, claim.quote) == (Label.SUPPORTED, REFUNDS)
    assert [e.id for e in claim.evidence if e.role is EvidenceRole.SUPPORTS] == [refunds.evidence_id]
    assert (claim.entailment, claim.contradiction) == (0.95, 0.01)
    assert judged.response.state is ResponseState.CHECKED
    assert judged.response.labels == {"SUPPORTED": 1}
    assert refunds.evidence_id in judged.response.evidence_ids


def test_documents_that_disagree_make_a_dispute_with_both_ids() -> None:
    room = Courtroom(by_premise({"30 days": ENTAILED, "14 days": CONTRADICTED}))
    old, new = room.hold({"old.md": REFUNDS, "new.md": "Refunds are available within 14 days of purchase."})
    (claim,) = room.verifier.verify([answer(REFUNDS)]).judged[0].claims
    roles = {e.role: e.id for e in claim.evidence}
    assert claim.label is Label.DISPUTED
    assert roles[EvidenceRole.SUPPORTS] == old.evidence_id
    assert roles[EvidenceRole.CONTRADICTS] == new.evidence_id


@pytest.mark.parametrize(
    ("text", "changes", "state", "label", "reason"),
    [
        (
            "Hello! How can I help you today?",
            {},
            ResponseState.NO_CHECKED_CLAIM,
            Label.NOT_CHECKED,
            "not_checkable",
        ),
        ("", {}, ResponseState.NO_CHECKED_CLAIM, None, None),
        (REFUNDS, {"corpus": "other"}, ResponseState.UNKNOWN_CORPUS, Label.NOT_CHECKED, "unknown_corpus"),
        (REFUNDS, {"corpus": None}, ResponseState.UNKNOWN_CORPUS, Label.NOT_CHECKED, "unknown_corpus"),
        (REFUNDS, {"tenant": "rival"}, ResponseState.UNKNOWN_CORPUS, Label.NOT_CHECKED, "unknown_corpus"),
        ("Zebras graze quietly.", {}, ResponseState.CHECKED, Label.NOT_ENOUGH_INFO, "no_evidence"),
    ],
)
def test_states(
    text: str, changes: dict[str, str | None], state: ResponseState, label: Label | None, reason: str | None
) -> None:
    room = Courtroom()
    room.hold({"refunds.md": REFUNDS})
    (judged,) = room.verifier.verify([answer(text, **changes)]).judged
    assert judged.response.state is state
    assert {claim.label for claim in judged.claims} == ({label} if label else set())
    assert {r for claim in judged.claims for r in claim.reasons} == ({Reason(reason)} if reason else set())


def test_too_much_text_is_judged_up_to_the_bound() -> None:
    room = Courtroom(rules=Rules(limits=Limits(max_text_bytes=64 * 1024, max_claims=3)))
    room.hold({"refunds.md": REFUNDS})
    (judged,) = room.verifier.verify([answer(" ".join(f"Plan {n} costs {n} dollars." for n in range(10)))]).judged
    assert judged.response.state is ResponseState.TOO_LARGE
    assert judged.response.detail
    assert len(judged.claims) == 3


def test_a_claim_below_the_floor_meets_no_model() -> None:
    room = Courtroom(floor=0.99)
    room.hold({"refunds.md": REFUNDS})
    (claim,) = room.verifier.verify([answer("Refunds take a while.")]).judged[0].claims
    assert claim.reasons == [Reason.NO_EVIDENCE]
    assert [e.role for e in claim.evidence] == [EvidenceRole.CONSIDERED]
    assert room.scorer.calls == []


def test_one_leg_down_is_said_and_counted_apart() -> None:
    room = Courtroom(by_premise({"30 days": ENTAILED}))
    room.hold({"refunds.md": REFUNDS})
    room.sparse.failure = "down"
    (judged,) = room.verifier.verify([answer(REFUNDS)]).judged
    assert judged.degraded == ("sparse",)
    assert judged.response.state is ResponseState.DEGRADED
    assert judged.claims[0].label is Label.SUPPORTED
    assert Reason.DEGRADED in judged.claims[0].reasons


def test_both_legs_down_judges_nothing() -> None:
    room = Courtroom()
    room.hold({"refunds.md": REFUNDS})
    room.sparse.failure = room.dense.failure = "down"
    with pytest.raises(IndexUnavailable):
        room.verifier.verify([answer(REFUNDS)])


def test_a_micro_batch_is_one_call_a_reading_whatever_its_size() -> None:
    room = Courtroom()
    room.hold({"refunds.md": REFUNDS, "shipping.md": SHIPPING})
    answers = [answer(f"{REFUNDS} {SHIPPING}", response_id=f"r{n}") for n in range(5)]
    judged = room.verifier.verify(answers).judged
    assert [one.response.response_id for one in judged] == [f"r{n}" for n in range(5)]
    assert all(len(one.claims) == 2 for one in judged)
    assert len(room.scorer.calls) == 2  # the sentences of all, then the wholes for claims that none entails


def test_a_tenant_never_meets_another_tenants_passage() -> None:
    room = Courtroom(by_premise({"30 days": ENTAILED, "14 days": CONTRADICTED}))
    room.hold({"refunds.md": REFUNDS}, tenant="acme")
    room.hold({"refunds.md": "Refunds are available within 14 days of purchase."}, tenant="rival")
    ours, theirs = room.verifier.verify([answer(REFUNDS), answer(REFUNDS, tenant="rival")]).judged
    assert (ours.claims[0].label, theirs.claims[0].label) == (Label.SUPPORTED, Label.CONTRADICTED)
    assert {e.id.split("/")[0] for e in ours.claims[0].evidence} == {"acme"}
    assert {e.id.split("/")[0] for e in theirs.claims[0].evidence} == {"rival"}


def test_a_dropped_condition_takes_the_support_away() -> None:
    text = "Enterprise customers may request an extension of up to 60 days, subject to approval."
    room = Courtroom(lambda _: ENTAILED)
    (passage,) = room.hold({"refunds.md": f"{REFUNDS} {text}"})
    (claim,) = room.verifier.verify([answer("Refunds have an extension of up to 60 days.")]).judged[0].claims
    assert claim.label is Label.NOT_ENOUGH_INFO
    assert claim.reasons == [Reason.DROPPED_CONDITION]
    omitted = [e for e in claim.evidence if e.role is EvidenceRole.OMITTED_CONDITION]
    assert {e.text for e in omitted} == {"Enterprise customers", "subject to approval"}
    assert all(passage.text[e.start : e.end] == e.text for e in omitted)
    assert (claim.raw_entailment, claim.entailment) == (0.95, 0.0)


def test_the_condition_check_can_be_switched_off() -> None:
    text = "Enterprise customers may request an extension of up to 60 days, subject to approval."
    room = Courtroom(lambda _: ENTAILED, rules=Rules(check_conditions=False))
    room.hold({"refunds.md": text})
    (claim,) = room.verifier.verify([answer("Refunds have an extension of up to 60 days.")]).judged[0].claims
    assert claim.label is Label.SUPPORTED
    assert "conditions-off" in claim.versions.thresholds


NEARLY = Scores(0.70, 0.28, 0.02)
OTHERS = "Ask us anything. We are here all week."


def premises_of(room: Courtroom) -> list[list[str]]:
    return [[pair.premise for pair in call] for call in room.scorer.calls]


def test_the_sentence_that_the_claim_leans_on_is_read_first() -> None:
    room = Courtroom(lambda pair: ENTAILED if pair.premise == REFUNDS else NEUTRAL)
    (passage,) = room.hold({"refunds.md": f"{OTHERS} {REFUNDS} {OTHERS}"})
    (claim,) = room.verifier.verify([answer("You have 30 days for refunds.")]).judged[0].claims
    (evidence,) = claim.evidence
    assert claim.label is Label.SUPPORTED
    assert passage.text[evidence.premise_start : evidence.premise_end] == REFUNDS
    assert premises_of(room) == [[REFUNDS]]


def test_a_claim_that_needs_the_whole_passage_gets_it() -> None:
    text = f"{REFUNDS} {OTHERS}"
    room = Courtroom(lambda pair: ENTAILED if pair.premise == text else NEUTRAL)
    (passage,) = room.hold({"refunds.md": text})
    (claim,) = room.verifier.verify([answer("You have 30 days for refunds.")]).judged[0].claims
    (evidence,) = claim.evidence
    assert claim.label is Label.SUPPORTED
    assert (evidence.premise_start, evidence.premise_end) == (0, len(passage.text))
    assert premises_of(room) == [[REFUNDS], [text]]


def test_what_contradicts_is_read_in_sentences_alone() -> None:
    text = f"{REFUNDS} {OTHERS}"
    room = Courtroom(lambda pair: CONTRADICTED if pair.premise == text else NEUTRAL)
    room.hold({"refunds.md": text})
    (claim,) = room.verifier.verify([answer("You have 30 days for refunds.")]).judged[0].claims
    assert claim.label is Label.NOT_ENOUGH_INFO


def test_no_support_of_the_whole_hides_what_a_sentence_contradicts() -> None:
    text = f"{REFUNDS} {OTHERS}"
    room = Courtroom(lambda pair: ENTAILED if pair.premise == text else CONTRADICTED)
    room.hold({"refunds.md": text})
    (claim,) = room.verifier.verify([answer("You have 30 days for refunds.")]).judged[0].claims
    assert claim.label is Label.DISPUTED
    assert claim.raw_contradiction == CONTRADICTED.contradiction


def test_a_passage_that_was_not_read_has_no_scores() -> None:
    room = Courtroom(lambda pair: ENTAILED if pair.premise == REFUNDS else NEUTRAL)
    room.hold({"refunds.md": REFUNDS, "team.md": "Questions of all kinds are answered by our team, within reason."})
    (claim,) = room.verifier.verify([answer("Refunds are available within 30 days of purchase.")]).judged[0].claims
    read = {pair.premise for call in room.scorer.calls for pair in call}
    assert {e.text for e in claim.evidence if e.entailment is not None} == read
    assert any(e.entailment is None for e in claim.evidence)


@pytest.mark.parametrize(
    ("parent", "label", "reason"),
    [
        ("our promise", Label.SUPPORTED, Reason.WIDENED_TO_PARENT),
        ("", Label.NOT_ENOUGH_INFO, Reason.BELOW_THRESHOLD),
    ],
)
def test_a_claim_that_is_nearly_entailed_gets_the_parent(parent: str, label: Label, reason: Reason) -> None:
    room = Courtroom(lambda pair: ENTAILED if "our promise" in pair.premise else NEARLY)
    (passage,) = room.hold({"refunds.md": f"{REFUNDS}||{REFUNDS} This is {parent or 'it'}."})
    (claim,) = room.verifier.verify([answer("You have 30 days for refunds.")]).judged[0].claims
    assert (claim.label, claim.reasons) == (label, [reason])
    assert claim.evidence[0].id == passage.evidence_id
    assert premises_of(room) == [[REFUNDS], [f"{REFUNDS} This is {parent or 'it'}."]]


def test_verdict_ids_depend_on_response_claim_and_configuration_alone() -> None:
    def ids(rules: Rules, text: str = REFUNDS) -> list[str]:
        room = Courtroom(rules=rules)
        room.hold({"refunds.md": REFUNDS})
        return [claim.verdict_id for claim in room.verifier.verify([answer(text)]).judged[0].claims]

    assert ids(Rules()) == ids(Rules())
    assert ids(Rules()) != ids(Rules(thresholds=Thresholds(entailment=0.85)))
    assert len(set(ids(Rules(), f"{REFUNDS} {SHIPPING}"))) == 2


def test_thresholds_of_another_model_are_refused() -> None:
    with pytest.raises(ModelRefused, match="calibrated on model another"):
        Courtroom(rules=Rules(thresholds=Thresholds(model_hash="another")))
