"""All claims of a micro-batch before their passages: one call to the model, then the layers and the rule."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claimstream.contracts.messages import Reason
from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.domain.judging.judge import judge, suspects, to_widen
from claimstream.domain.judging.premises import WHOLE_PASSAGES, Heard, first_premise, with_support
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


@dataclass(slots=True)
class _Hearing:
    """A case being judged: what is known of it so far, along its passages; None: below the floor, or not read."""

    case: Case
    heard: list[Heard | None]
    omitted: dict[int, Sequence[Omitted]] = field(default_factory=dict)
    """Position of a passage -> the conditions that the claim leaves out of it."""

    @property
    def raw(self) -> list[Scores | None]:
        return [None if one is None else one.scores for one in self.heard]

    @property
    def entailment(self) -> float:
        """The best so far."""
        return max((one.scores.entailment for one in self.heard if one is not None), default=0.0)

    def passage(self, position: int) -> Passage:
        return self.case.retrieved[position].passage


@dataclass(frozen=True, slots=True)
class _Reading:
    """One premise to be read: the stretch of the passage at this position of a hearing."""

    hearing: _Hearing
    position: int
    start: int
    end: int

    @property
    def pair(self) -> Pair:
        return Pair(self.hearing.passage(self.position).text[self.start : self.end], self.hearing.case.claim.text)


class Judge:
    """Turns cases into findings. Called from one thread at a time."""

    def __init__(self, scorer: EntailmentScorer, conditions: ConditionCheck, rules: Rules) -> None:
        self._scorer = scorer
        self._conditions = conditions
        self._rules = rules

    def findings(self, cases: Sequence[Case], watch: Stopwatch) -> list[Finding]:
        """One finding a case, in order. Raises ModelUnavailable."""
        with watch.stage(Stage.NLI):
            hearings = [_hearing(case) for case in cases]
            self._read_sentences(hearings)
            self._read_wholes([one for one in hearings if one.entailment < self._rules.thresholds.entailment])
        with watch.stage(Stage.DECISION):
            self._look_for_conditions(hearings)
            findings = [self._judge(hearing) for hearing in hearings]
            wanted = {n: at for n, one in enumerate(findings) if (at := self._to_widen(one)) is not None}
        if wanted:
            wider = self._widened([(hearings[number], at) for number, at in wanted.items()], watch)
            for number, finding in zip(wanted, wider, strict=True):
                if finding.decision.label is not findings[number].decision.label:
                    findings[number] = replace(finding, reasons=(Reason.WIDENED_TO_PARENT,))
        return findings

    def _read_sentences(self, hearings: Sequence[_Hearing]) -> None:
        """The sentence that each claim leans on, of every relevant passage, in one call to the model."""
        readings = [
            _Reading(hearing, position, *span)
            for hearing in hearings
            for position in _relevant(hearing)
            if (span := first_premise(hearing.case.claim.text, hearing.passage(position).text)) is not None
        ]
        for reading, scores in zip(readings, self._score(readings), strict=True):
            reading.hearing.heard[reading.position] = Heard(scores, reading.start, reading.end)

    def _read_wholes(self, hearings: Sequence[_Hearing]) -> None:
        """The passages as wholes, for claims that no sentence entails."""
        readings = [
            _Reading(hearing, position, 0, len(hearing.passage(position).text))
            for hearing in hearings
            for position in _nearest(hearing)
        ]
        fresh = [one for one in readings if not _was_read(one)]
        for reading, scores in zip(fresh, self._score(fresh), strict=True):
            before = reading.hearing.heard[reading.position]
            reading.hearing.heard[reading.position] = with_support(before, scores, reading.start, reading.end)

    def _score(self, readings: Sequence[_Reading]) -> list[Scores]:
        return self._scorer.score([reading.pair for reading in readings]) if readings else []

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
        found = judge(
            hearing.case.retrieved, hearing.raw, dict(hearing.omitted), rules.thresholds, strict=rules.strict
        )
        return replace(found, heard=tuple(hearing.heard))

    def _to_widen(self, finding: Finding) -> int | None:
        position = to_widen(finding, self._rules.thresholds)
        if position is None:
            return None
        passage = finding.retrieved[position].passage
        return position if passage.parent_text not in ("", passage.text) else None

    def _widened(self, asked: Sequence[tuple[_Hearing, int]], watch: Stopwatch) -> list[Finding]:
        """Judge these once more with the support that the parent of the passage at the position gives."""
        with watch.stage(Stage.NLI):
            pairs = [Pair(hearing.passage(at).parent_text, hearing.case.claim.text) for hearing, at in asked]
            scores = self._scorer.score(pairs)
        with watch.stage(Stage.DECISION):
            questions = [Question.of_parent(hearing.case.claim, hearing.passage(at)) for hearing, at in asked]
            for (hearing, at), value, conditions in zip(asked, scores, self._left_out(questions), strict=True):
                passage = hearing.passage(at)
                start = passage.parent_start - passage.start
                end = start + len(passage.parent_text)
                hearing.heard[at] = with_support(hearing.heard[at], value, start, end)
                hearing.omitted[at] = conditions
            return [self._judge(hearing) for hearing, _ in asked]


def _hearing(case: Case) -> _Hearing:
    """Nothing read yet."""
    return _Hearing(case, [None] * len(case.retrieved))


def _relevant(hearing: _Hearing) -> list[int]:
    """The positions of the passages that may judge."""
    return [position for position, one in enumerate(hearing.case.retrieved) if one.above_floor]


def _nearest(hearing: _Hearing) -> list[int]:
    """The few relevant passages that are most similar to the claim, in order of their position."""
    similar = sorted(_relevant(hearing), key=lambda position: -hearing.case.retrieved[position].cosine)
    return sorted(similar[:WHOLE_PASSAGES])


def _was_read(reading: _Reading) -> bool:
    """Whether this passage is one sentence, which was read already."""
    heard = reading.hearing.heard[reading.position]
    return heard is not None and (heard.start, heard.end) == (0, reading.end)
