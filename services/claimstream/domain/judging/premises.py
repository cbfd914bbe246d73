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


@dataclass(frozen=True, slots=True)
class Heard:
    """What was read of a passage about a claim, and the stretch whose support counts.

    `start`/`end`: code points relative to the passage's first; a parent reaches beyond the passage. Entailment and
    contradiction may come from two readings, so that the three scores need not add up to 1.
    """

    scores: Scores
    start: int
    end: int


def first_premise(claim: str, passage: str) -> Span | None:
    """The sentence of the passage to be read first; None where no sentence shares enough with the claim."""
    return leans_on(claim, passage)


def with_support(before: Heard | None, wider: Scores, start: int, end: int) -> Heard:
    """What was read before, with the support that only the wider stretch gives.

    A wider stretch may entail a claim that needs two sentences. What contradicts is read in sentences alone, and
    what a sentence contradicts stays contradicted: over long premises the model calls unrelated things
    contradictions, and no support may hide a real one.
    """
    if before is not None and wider.entailment <= before.scores.entailment:
        return before
    contradiction = before.scores.contradiction if before is not None else 0.0
    rest = max(0.0, 1.0 - wider.entailment - contradiction)
    return Heard(Scores(wider.entailment, rest, contradiction), start, end)
