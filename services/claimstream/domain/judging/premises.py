"""What of a passage the model reads: first the one sentence that the claim leans on, then the passage as a whole.

The model has learnt on one to three sentences, and passages are longer. Over the 66 checked claims of the demo's
answers, with the layers after it: whole passages alone supported 10 of 52 true claims and contradicted or disputed
8 of them; this supported 32 and contradicted or disputed 5; neither supported one of the 14 that are not true. On
policy_dev, one short passage a claim, support rose from 58 to 62 % of the true claims and its precision fell from
76 to 70 % (500 claims, before the condition check).
"""

from dataclasses import dataclass

from claimstream.domain.claims.sentences import Span
from claimstream.domain.judging.scores import Scores
from claimstream.domain.typed.alignment import leans_on

WHOLE_PASSAGES = 2
"""So many passages of a claim, the most similar ones, are read as wholes."""

SILENT = Scores(entailment=0.0, neutral=1.0, contradiction=0.0)
"""A passage without a sentence for the claim says nothing against it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a passage says about a claim, and the stretch of the passage that says it, in code points."""

    scores: Scores
    start: int
    end: int


def first_premise(claim: str, passage: str) -> Span | None:
    """The sentence of the passage to be read first; None where no sentence shares enough with the claim."""
    return leans_on(claim, passage)


def with_whole(sentence: Heard, whole: Scores, length: int) -> Heard:
    """The sentence's reading, with the support that only the whole passage of `length` code points gives.

    A whole passage may entail a claim that needs two of its sentences. What contradicts is read in sentences alone:
    over long premises the model calls unrelated things contradictions.
    """
    if whole.entailment <= sentence.scores.entailment:
        return sentence
    contradiction = min(sentence.scores.contradiction, 1.0 - whole.entailment)
    rest = max(0.0, 1.0 - whole.entailment - contradiction)
    return Heard(Scores(whole.entailment, rest, contradiction), 0, length)
