"""The decision rule, as a table and as two promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimstream.contracts.messages import Label, Reason
from claimstream.domain.judging.decision import decide
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import PRESETS, Thresholds, for_model
from claimstream.errors import ModelRefused

DEFAULT = Thresholds()
SUPPORTED, CONTRADICTED = Label.SUPPORTED, Label.CONTRADICTED
DISPUTED, UNKNOWN = Label.DISPUTED, Label.NOT_ENOUGH_INFO


def scores(entailment: float, contradiction: float) -> Scores:
    return Scores(entailment, 1 - entailment - contradiction, contradiction)


@pytest.mark.parametrize(
    ("passages", "label", "strict_label"),
    [
        ([(0.75, 0.0)], SUPPORTED, SUPPORTED),
        ([(0.7499, 0.0)], UNKNOWN, UNKNOWN),
        ([(0.0, 0.70)], CONTRADICTED, CONTRADICTED),
        ([(0.0, 0.6999)], UNKNOWN, UNKNOWN),
        ([(0.78, 0.0), (0.0, 0.85)], DISPUTED, CONTRADICTED),  # the order of the first seed, SPEC section 10
        ([(0.90, 0.0), (0.0, 0.85)], DISPUTED, SUPPORTED),
        ([(0.85, 0.0), (0.0, 0.85)], DISPUTED, SUPPORTED),
        ([(0.74, 0.0), (0.0, 0.85)], CONTRADICTED, CONTRADICTED),
        ([(0.78, 0.0), (0.0, 0.69)], SUPPORTED, SUPPORTED),
        ([(0.1, 0.1), (0.8, 0.1), (0.2, 0.2)], SUPPORTED, SUPPORTED),
        ([(0.3, 0.3)], UNKNOWN, UNKNOWN),
    ],
)
def test_the_rule(passages: list[tuple[float, float]], label: Label, strict_label: Label) -> None:
    given_scores = [scores(e, c) for e, c in passages]
    assert decide(given_scores, DEFAULT).label is label
    assert decide(given_scores, DEFAULT, strict=True).label is strict_label


@pytest.mark.parametrize("preset", PRESETS.values())
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("order", [1, -1])
def test_entailed_by_one_and_contradicted_by_another_is_never_supported(
    preset: float, strict: bool, order: int
) -> None:
    """SPEC section 10, row `order`: with the seed's recorded scores, under every preset, in both ranks."""
    passages = [scores(0.78, 0.02), scores(0.05, 0.85)][::order]
    assert decide(passages, Thresholds(entailment=preset), strict=strict).label is not SUPPORTED


def test_names_the_passages_that_decided() -> None:
    decision = decide([scores(0.2, 0.1), scores(0.8, 0.0), scores(0.0, 0.9)], DEFAULT)
    assert (decision.supporting, decision.contradicting) == (1, 2)
    assert (decision.entailment, decision.contradiction) == (0.8, 0.9)


def test_of_equals_the_better_fused_decides() -> None:
    decision = decide([scores(0.8, 0.1), scores(0.8, 0.1)], DEFAULT)
    assert (decision.supporting, decision.contradicting) == (0, 0)


@pytest.mark.parametrize(
    ("passages", "reason"),
    [
        ([], Reason.NO_EVIDENCE),
        ([(0.2, 0.2)], Reason.NEUTRAL),
        ([(0.6, 0.2)], Reason.BELOW_THRESHOLD),
        ([(0.1, 0.1), (0.2, 0.6)], Reason.BELOW_THRESHOLD),
    ],
)
def test_not_enough_information_says_why(passages: list[tuple[float, float]], reason: Reason) -> None:
    decision = decide([scores(e, c) for e, c in passages], DEFAULT)
    assert decision.label is UNKNOWN
    assert decision.reasons == (reason,)


probability = st.floats(0, 1)
passage = st.tuples(probability, probability).map(lambda pair: Scores(pair[0], 0.0, pair[1]))
"""The rule looks at two numbers a passage; they need not add up here."""


@given(st.lists(passage, min_size=1, max_size=5), st.data(), st.booleans())
def test_raising_a_contradiction_never_creates_support(
    passages: list[Scores], data: st.DataObject, strict: bool
) -> None:
    before = decide(passages, DEFAULT, strict=strict).label
    index = data.draw(st.integers(0, len(passages) - 1))
    raised = data.draw(st.floats(passages[index].contradiction, 1))
    after = [*passages]
    after[index] = passages[index]._replace(contradiction=raised)
    label = decide(after, DEFAULT, strict=strict).label
    assert label is not SUPPORTED or before is SUPPORTED


@given(st.lists(passage, min_size=1, max_size=5), st.data())
def test_raising_an_entailment_never_creates_contradiction(passages: list[Scores], data: st.DataObject) -> None:
    before = decide(passages, DEFAULT).label
    index = data.draw(st.integers(0, len(passages) - 1))
    raised = data.draw(st.floats(passages[index].entailment, 1))
    after = [*passages]
    after[index] = passages[index]._replace(entailment=raised)
    label = decide(after, DEFAULT).label
    assert label is not CONTRADICTED or before is CONTRADICTED


def test_thresholds_belong_to_a_model() -> None:
    uncalibrated, calibrated = Thresholds(), Thresholds(model_hash="abc")
    assert for_model(uncalibrated, "abc") is uncalibrated
    assert for_model(calibrated, "abc") is calibrated
    assert (str(uncalibrated), str(calibrated)) == ("0.75/0.7 uncalibrated", "0.75/0.7 calibrated@abc")
    with pytest.raises(ModelRefused, match=r"calibrated on model abc, the one in use is def.*calibrate again"):
        for_model(calibrated, "def")


@pytest.mark.parametrize(("entailment", "nearly"), [(0.64, False), (0.66, True), (0.74, True), (0.75, False)])
def test_nearly_entailed_is_within_a_tenth_below(entailment: float, nearly: bool) -> None:
    assert DEFAULT.nearly_entailed(entailment) is nearly
