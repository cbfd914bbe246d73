"""All claims of a micro-batch before their passages: one call to the model, then the layers and the rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from claimstream.contracts.messages import Reason
from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.domain.judging.judge import judge, suspects, to_widen
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.verdict import Finding, Omitted
from claimstream.domain.typed.alignment import leans_on
from claimstream.ports.models import EntailmentScorer, Pair
from claimstream.ports.tracing import Stage
from claimstream.verifier.conditions import ConditionCheck, Question
from claimstream.verifier.rules import Rules
from claimstream.verifier.stages import Stopwatch


@dataclass(frozen=True, slots=True)
class Case:
    """A claim and the passages that were found for it, best fused first."""

    claim: Claim
    retrieved: tuple[Retrieved, ...] = ()


RawScores = list[Scores | None]
"""Along a case's passages; None below the floor."""


@dataclass(slots=True)
class _Hearing:
    """A case being judged: what is known of it so far. `omitted`: position of a passage -> conditions left out."""

    case: Case
    raw: RawScores
    omitted: dict[int, Sequence[Omitted]] = field(default_factory=dict)

    def passage(self, position: int) -> Passage:
        return self.case.retrieved[position].passage


@dataclass(frozen=True, slots=True)
class _Look:
    """Another premise for the nearly entailed claim `number`, in the place of the passage at `position`."""

    number: int
    hearing: _Hearing
    position: int
    premise: str
    reason: Reason
    question: Question


class Judge:
    """Turns cases into findings. Called from one thread at a time."""

    def __init__(self, scorer: EntailmentScorer, conditions: ConditionCheck, rules: Rules) -> None:
        self._scorer = scorer
        self._conditions = conditions
        self._rules = rules

    def findings(self, cases: Sequence[Case], watch: Stopwatch) -> list[Finding]:
        """One finding a case, in order. Raises ModelUnavailable."""
        with watch.stage(Stage.NLI):
            hearings = self._score(cases)
        with watch.stage(Stage.DECISION):
            self._look_for_conditions(hearings)
            findings = [self._judge(hearing) for hearing in hearings]
            looks = self._second_looks(hearings, findings)
        if looks:
            self._look_again(looks, findings, watch)
        return findings

    def _score(self, cases: Sequence[Case]) -> list[_Hearing]:
        """All pairs of all cases in one call to the model."""
        pairs = [
            Pair(item.passage.text, case.claim.text)
            for case in cases
            for item in case.retrieved
            if item.above_floor
        ]
        scores = iter(self._scorer.score(pairs) if pairs else ())
        return [
            _Hearing(case, [next(scores) if item.above_floor else None for item in case.retrieved])
            for case in cases
        ]

    def _look_for_conditions(self, hearings: Sequence[_Hearing]) -> None:
        asked = [
            (hearing, position)
            for hearing in hearings
            for position in suspects(hearing.raw, self._rules.thresholds)
        ]
        questions = [Question.of_passage(h.case.claim, h.passage(position)) for h, position in asked]
        for (hearing, position), conditions in zip(asked, self._left_out(questions), strict=True):
            if conditions:
                hearing.omitted[position] = conditions

    def _left_out(self, questions: Sequence[Question]) -> Sequence[Sequence[Omitted]]:
        return self._conditions.omitted(questions) if self._rules.check_conditions else [()] * len(questions)

    def _judge(self, hearing: _Hearing) -> Finding:
        rules = self._rules
        raw, omitted = tuple(hearing.raw), dict(hearing.omitted)  # as they are now: a second look changes them
        return judge(hearing.case.retrieved, raw, omitted, rules.thresholds, strict=rules.strict)

    def _second_looks(self, hearings: Sequence[_Hearing], findings: Sequence[Finding]) -> list[_Look]:
        """What else is worth reading for the claims that are nearly entailed: at most two premises each."""
        return [
            look
            for number, (hearing, finding) in enumerate(zip(hearings, findings, strict=True))
            if (position := to_widen(finding, self._rules.thresholds)) is not None
            for look in _premises(number, hearing, position)
        ]

    def _look_again(self, looks: Sequence[_Look], findings: list[Finding], watch: Stopwatch) -> None:
        """Judge these cases once more with the premise that entails most; what changes no label changes nothing."""
        with watch.stage(Stage.NLI):
            scores = self._scorer.score([Pair(look.premise, look.hearing.case.claim.text) for look in looks])
        with watch.stage(Stage.DECISION):
            left_out = self._left_out([look.question for look in looks])
            best: dict[int, tuple[_Look, Scores, Sequence[Omitted]]] = {}
            for look, value, conditions in zip(looks, scores, left_out, strict=True):
                if look.number not in best or value.entailment > best[look.number][1].entailment:
                    best[look.number] = (look, value, conditions)
            for number, (look, value, conditions) in best.items():
                look.hearing.raw[look.position] = value
                look.hearing.omitted[look.position] = conditions
                finding = self._judge(look.hearing)
                if finding.decision.label is not findings[number].decision.label:
                    findings[number] = replace(finding, reasons=(look.reason,))


def _premises(number: int, hearing: _Hearing, position: int) -> Iterator[_Look]:
    """The parent of the passage, and the one sentence of the passage that the claim leans on, where they differ."""
    claim, passage = hearing.case.claim, hearing.passage(position)
    if passage.parent_text not in ("", passage.text):
        question = Question.of_parent(claim, passage)
        yield _Look(number, hearing, position, passage.parent_text, Reason.WIDENED_TO_PARENT, question)
    span = leans_on(claim.text, passage.text)
    if span is not None and span != (0, len(passage.text)):
        sentence = passage.text[slice(*span)]
        question = Question.of_passage(claim, passage)
        yield _Look(number, hearing, position, sentence, Reason.NARROWED_TO_SENTENCE, question)
