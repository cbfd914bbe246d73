"""One claim before its passages: raw scores, then the layers that may take support away, then the rule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from claimstream.contracts.messages import Label, Reason
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.domain.judging.decision import Decision, decide
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.thresholds import WIDEN_MARGIN, Thresholds
from claimstream.domain.judging.verdict import Finding, Omitted

LEAST_GRANT = 0.3
"""Below this entailment a passage grants nothing, whatever the conditions in it."""

Raw = Sequence[Scores | None]
"""Along the retrieved passages; None where a passage is below the floor and was not judged."""


def judge(
    retrieved: Sequence[Retrieved],
    raw: Raw,
    omitted: Mapping[int, Sequence[Omitted]],
    thresholds: Thresholds,
    *,
    strict: bool = False,
) -> Finding:
    """The finding for one claim. `omitted`: position of a passage -> conditions the claim leaves out of it."""
    scores = [
        without_support(value) if value is not None and omitted.get(index) else value
        for index, value in enumerate(raw)
    ]
    decision = decide([value for value in scores if value is not None], thresholds, strict=strict)
    mattering = {index: found for index, found in omitted.items() if _matters(raw[index])}
    return Finding(
        decision=_explained(decision, mattering),
        retrieved=retrieved,
        scores=scores,
        raw=raw,
        omitted=_reported(decision.label, mattering),
    )


def _matters(scores: Scores | None) -> bool:
    """Whether a passage comes near enough to granting the claim for its conditions to be worth a word."""
    return scores is not None and scores.entailment >= LEAST_GRANT


def without_support(scores: Scores) -> Scores:
    """What is left of a passage that grants the claim only under a condition: its entailment is neutral."""
    return Scores(0.0, scores.neutral + scores.entailment, scores.contradiction)


def suspects(raw: Raw, thresholds: Thresholds) -> list[int]:
    """The passages whose conditions matter: all that might support, and the one that contradicts most."""
    judged = [(index, scores) for index, scores in enumerate(raw) if scores is not None]
    if not judged:
        return []
    best = max(judged, key=lambda item: item[1].entailment)[0]
    worst = max(judged, key=lambda item: item[1].contradiction)[0]
    close = {index for index, scores in judged if scores.entailment >= thresholds.entailment - WIDEN_MARGIN}
    return sorted(close | {best, worst})


def to_widen(finding: Finding, thresholds: Thresholds) -> int | None:
    """The position of the passage whose parent deserves one look, or None."""
    decision = finding.decision
    if decision.label is not Label.NOT_ENOUGH_INFO or decision.supporting is None:
        return None
    if not thresholds.nearly_entailed(decision.entailment):
        return None
    return [index for index, scores in enumerate(finding.scores) if scores is not None][decision.supporting]


def _explained(decision: Decision, omitted: Mapping[int, Sequence[Omitted]]) -> Decision:
    """NOT_ENOUGH_INFO where a condition was dropped says so first."""
    if decision.label is not Label.NOT_ENOUGH_INFO or not any(omitted.values()):
        return decision
    return replace(decision, reasons=(Reason.DROPPED_CONDITION,))


def _reported(label: Label, omitted: Mapping[int, Sequence[Omitted]]) -> tuple[Omitted, ...]:
    """All distinct conditions, unless another passage supports the claim without them."""
    if label is Label.SUPPORTED:
        return ()
    return tuple(dict.fromkeys(item for index in sorted(omitted) for item in omitted[index]))
