"""A finding in writing: ids that repeat, roles of passages, scores before and after the checks."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimstream.contracts.messages import EvidenceRole, Label
from claimstream.domain.judging.judge import judge
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import Thresholds
from claimstream.domain.judging.verdict import Omitted, claim_verdict, verdict_id
from judged import claim, response, retrieved, versions

GRANTS = Scores(0.9, 0.1, 0.0)
DENIES = Scores(0.0, 0.1, 0.9)
CONSIDERED, SUPPORTS, CONTRADICTS = EvidenceRole.CONSIDERED, EvidenceRole.SUPPORTS, EvidenceRole.CONTRADICTS


def test_judging_twice_gives_the_same_id() -> None:
    assert verdict_id(response(), 0, versions()) == verdict_id(response(text="Other words."), 0, versions())


@pytest.mark.parametrize("field", ["model", "embedder", "generation", "thresholds", "policy", "code"])
def test_another_configuration_gives_another_id(field: str) -> None:
    assert verdict_id(response(), 0, versions()) != verdict_id(response(), 0, versions(**{field: "other"}))


Place = tuple[str, str, int]
name = st.text(max_size=6).map(lambda text: text.replace("\x1f", ""))
places = st.tuples(name, name, st.integers(0, 3))
"""Tenant, response id and claim; the fields' own patterns keep the separator out of the names."""


@given(places, places)
def test_ids_are_equal_only_for_equal_places(one: Place, other: Place) -> None:
    assert (_id(*one) == _id(*other)) == (one == other)


def _id(tenant: str, response_id: str, index: int) -> str:
    return verdict_id(response(response_id=response_id, tenant=tenant), index, versions())


@pytest.mark.parametrize(
    ("raw", "label", "roles"),
    [
        ([GRANTS, None], Label.SUPPORTED, [SUPPORTS, CONSIDERED]),
        ([None, DENIES], Label.CONTRADICTED, [CONSIDERED, CONTRADICTS]),
        ([DENIES, None, GRANTS], Label.DISPUTED, [CONTRADICTS, CONSIDERED, SUPPORTS]),
        ([None], Label.NOT_ENOUGH_INFO, [CONSIDERED]),
    ],
)
def test_the_passages_that_decided_say_so(
    raw: Sequence[Scores | None], label: Label, roles: list[EvidenceRole]
) -> None:
    finding = judge([retrieved(i) for i in range(len(raw))], raw, {}, Thresholds())
    verdict = claim_verdict(response(), claim(), finding, versions())
    assert verdict.label is label
    assert [evidence.role for evidence in verdict.evidence] == roles
    assert [evidence.entailment for evidence in verdict.evidence] == [s.entailment if s else None for s in raw]


def test_raw_scores_stand_beside_those_after_the_checks() -> None:
    condition = Omitted(evidence_id="acme/help/a.md#0@g1.0", text="with approval", start=3, end=16)
    finding = judge([retrieved(0)], [GRANTS], {0: [condition]}, Thresholds())
    verdict = claim_verdict(response(), claim(), finding, versions())
    assert (verdict.raw_entailment, verdict.entailment) == (0.9, 0.0)
    assert verdict.evidence[-1].role is EvidenceRole.OMITTED_CONDITION
    assert verdict.evidence[-1].text == "with approval"


def test_without_a_judged_passage_there_are_no_scores() -> None:
    verdict = claim_verdict(response(), claim(), judge([], [], {}, Thresholds()), versions())
    assert (verdict.entailment, verdict.contradiction, verdict.raw_entailment) == (None, None, None)
