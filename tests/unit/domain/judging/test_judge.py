"""One claim before its passages: what takes support away, and what deserves a second look."""

from collections.abc import Sequence

import pytest

from claimstream.contracts.messages import Label, Reason
from claimstream.domain.judging.judge import judge, suspects, to_widen, without_support
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import Thresholds
from claimstream.domain.judging.verdict import Omitted
from judged import retrieved

DEFAULT = Thresholds()
GRANTS = Scores(0.9, 0.1, 0.0)
DENIES = Scores(0.0, 0.1, 0.9)
NEARLY = Scores(0.7, 0.3, 0.0)
SILENT = Scores(0.1, 0.8, 0.1)
CONDITION = Omitted(evidence_id="a#0", text="subject to approval", start=10, end=29)


def label_of(raw: Sequence[Scores | None], omitted: dict[int, Sequence[Omitted]] | None = None) -> Label:
    return judge([retrieved(i) for i in range(len(raw))], raw, omitted or {}, DEFAULT).decision.label


@pytest.mark.parametrize(
    ("raw", "omitted", "label"),
    [
        ([GRANTS], {}, Label.SUPPORTED),
        ([GRANTS], {0: [CONDITION]}, Label.NOT_ENOUGH_INFO),
        ([GRANTS, GRANTS], {0: [CONDITION]}, Label.SUPPORTED),
        ([GRANTS, DENIES], {0: [CONDITION]}, Label.CONTRADICTED),
        ([DENIES], {0: [CONDITION]}, Label.CONTRADICTED),
        ([GRANTS], {0: []}, Label.SUPPORTED),
        ([None, GRANTS], {}, Label.SUPPORTED),
        ([None, None], {}, Label.NOT_ENOUGH_INFO),
        ([GRANTS, None, DENIES], {}, Label.DISPUTED),
    ],
)
def test_a_dropped_condition_takes_support_and_nothing_else(
    raw: list[Scores | None], omitted: dict[int, Sequence[Omitted]], label: Label
) -> None:
    assert label_of(raw, omitted) is label


def test_says_which_condition_was_dropped_and_keeps_the_raw_scores() -> None:
    finding = judge([retrieved(0)], [GRANTS], {0: [CONDITION, CONDITION]}, DEFAULT)
    assert finding.decision.reasons == (Reason.DROPPED_CONDITION,)
    assert finding.omitted == (CONDITION,)
    assert finding.raw == [GRANTS]
    assert finding.scores == [without_support(GRANTS)]


def test_support_from_elsewhere_reports_no_condition() -> None:
    assert judge([retrieved(0), retrieved(1)], [GRANTS, GRANTS], {0: [CONDITION]}, DEFAULT).omitted == ()


def test_what_is_left_without_support_is_still_a_distribution() -> None:
    left = without_support(Scores(0.6, 0.3, 0.1))
    assert left == pytest.approx((0.0, 0.9, 0.1))


@pytest.mark.parametrize(
    ("raw", "positions"),
    [
        ([], []),
        ([None, None], []),
        ([SILENT, GRANTS, None, DENIES], [1, 3]),
        ([GRANTS, NEARLY, GRANTS, SILENT], [0, 1, 2, 3]),
        ([SILENT, SILENT], [0]),
    ],
)
def test_conditions_matter_where_a_passage_may_decide(raw: list[Scores | None], positions: list[int]) -> None:
    assert suspects(raw, DEFAULT) == positions


@pytest.mark.parametrize(
    ("raw", "position"),
    [
        ([NEARLY], 0),
        ([None, SILENT, NEARLY], 2),
        ([GRANTS], None),
        ([SILENT], None),
        ([NEARLY, DENIES], None),
        ([None], None),
    ],
)
def test_only_what_is_nearly_entailed_is_looked_at_again(raw: list[Scores | None], position: int | None) -> None:
    finding = judge([retrieved(i) for i in range(len(raw))], raw, {}, DEFAULT)
    assert to_widen(finding, DEFAULT) == position
