"""Asks of many claims at once which conditions of a passage they leave out; all parsing is one call."""

from collections.abc import Sequence
from dataclasses import dataclass

from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.judging.verdict import Omitted
from claimstream.domain.typed.alignment import leans_on
from claimstream.domain.typed.omission import omitted
from claimstream.ports.models import Parser


@dataclass(frozen=True, slots=True)
class Question:
    """A claim and the text that may grant it; `offset`: where that text starts in its document."""

    claim: str
    text: str
    offset: int
    evidence_id: str

    @classmethod
    def of_passage(cls, claim: Claim, passage: Passage) -> "Question":
        """Against the passage itself."""
        return cls(claim.text, passage.text, passage.start, passage.evidence_id)

    @classmethod
    def of_parent(cls, claim: Claim, passage: Passage) -> "Question":
        """Against the wider stretch around the passage."""
        return cls(claim.text, passage.parent_text, passage.parent_start, passage.evidence_id)


class ConditionCheck:
    """The dropped-condition check over a micro-batch."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def omitted(self, questions: Sequence[Question]) -> list[tuple[Omitted, ...]]:
        """For each question, the conditions that the claim leaves out, in text order; none is the common answer."""
        spans = [leans_on(question.claim, question.text) for question in questions]
        asked = [(question, span) for question, span in zip(questions, spans, strict=True) if span is not None]
        texts = [text for question, (start, end) in asked for text in (question.claim, question.text[start:end])]
        distinct = dict.fromkeys(texts)
        parses = dict(zip(distinct, self._parser.parse(list(distinct)), strict=True))
        found = {
            question: tuple(
                Omitted(
                    evidence_id=question.evidence_id,
                    text=condition.text,
                    start=question.offset + condition.start,
                    end=question.offset + condition.end,
                )
                for condition in omitted(parses[question.claim], parses[question.text[start:end]], start)
            )
            for question, (start, end) in asked
        }
        return [found.get(question, ()) for question in questions]
