"""All claims of a micro-batch before their passages: one call to the model, then the layers and the rule."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claimstream.contracts.messages import Reason
from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.domain.judging.judge import judge, suspects, to_widen
from claimstream.domain.judging.scores import Scores
from claimstream.domain.judging.verdict import Finding, Omitted
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
            nearly = [self._to_widen(finding) for finding in findings]
        wanted = {index: position for index, position in enumerate(nearly) if position is not None}
        if wanted:
            wider = self._widened([(hearings[index], position) for index, position in wanted.items()], watch)
            for index, finding in zip(wanted, wider, strict=True):
                if finding.decision.label is not findings[index].decision.label:
                    findings[index] = replace(finding, reasons=(Reason.WIDENED_TO_PARENT,))
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
        return judge(hearing.case.retrieved, hearing.raw, hearing.omitted, rules.thresholds, strict=rules.strict)

    def _to_widen(self, finding: Finding) -> int | None:
        position = to_widen(finding, self._rules.thresholds)
        if position is None:
            return None
        passage = finding.retrieved[position].passage
        return position if passage.parent_text not in ("", passage.text) else None

    def _widened(self, asked: Sequence[tuple[_Hearing, int]], watch: Stopwatch) -> list[Finding]:
        """Judge these once more with the parent in the place of the passage at the position given."""
        with watch.stage(Stage.NLI):
            pairs = [Pair(hearing.passage(at).parent_text, hearing.case.claim.text) for hearing, at in asked]
            scores = self._scorer.score(pairs)
        with watch.stage(Stage.DECISION):
            questions = [Question.of_parent(hearing.case.claim, hearing.passage(at)) for hearing, at in asked]
            for (hearing, at), value, conditions in zip(asked, scores, self._left_out(questions), strict=True):
                hearing.raw[at] = value
                hearing.omitted[at] = conditions
            return [self._judge(hearing) for hearing, _ in asked]
