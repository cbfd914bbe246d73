"""The decision rule: contradiction is looked at before entailment, always."""

from collections.abc import Sequence
from dataclasses import dataclass

from claimstream.contracts.messages import Label, Reason
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One label; `supporting` and `contradicting` index the passages with the best score, where there are any."""

    label: Label
    reasons: tuple[Reason, ...]
    entailment: float = 0.0
    contradiction: float = 0.0
    supporting: int | None = None
    contradicting: int | None = None


def decide(scores: Sequence[Scores], thresholds: Thresholds, *, strict: bool = False) -> Decision:
    """The label for one claim from the scores of the passages that may judge it, best fused first.

    Raising a contradiction never creates SUPPORTED; raising an entailment never creates CONTRADICTED, unless
    `strict`, where both past their thresholds is CONTRADICTED when the contradiction is the larger (first seed).
    """
    if not scores:
        return Decision(label=Label.NOT_ENOUGH_INFO, reasons=(Reason.NO_EVIDENCE,))
    supporting = _argmax([s.entailment for s in scores])
    contradicting = _argmax([s.contradiction for s in scores])
    e, c = scores[supporting].entailment, scores[contradicting].contradiction
    label = _label(e, c, thresholds, strict)
    return Decision(
        label=label,
        reasons=() if label is not Label.NOT_ENOUGH_INFO else (_why_not(scores),),
        entailment=e,
        contradiction=c,
        supporting=supporting,
        contradicting=contradicting,
    )


def _label(e: float, c: float, thresholds: Thresholds, strict: bool) -> Label:
    entailed, contradicted = e >= thresholds.entailment, c >= thresholds.contradiction
    if contradicted and entailed:
        if strict:
            return Label.CONTRADICTED if c > e else Label.SUPPORTED
        return Label.DISPUTED
    if contradicted:
        return Label.CONTRADICTED
    return Label.SUPPORTED if entailed else Label.NOT_ENOUGH_INFO


def _why_not(scores: Sequence[Scores]) -> Reason:
    """`below_threshold` where some passage leans to a side, `neutral` where all are silent."""
    leans = any(max(s.entailment, s.contradiction) > s.neutral for s in scores)
    return Reason.BELOW_THRESHOLD if leans else Reason.NEUTRAL


def _argmax(values: Sequence[float]) -> int:
    """The first of the largest: ties go to the better fused rank."""
    return max(range(len(values)), key=lambda index: (values[index], -index))
