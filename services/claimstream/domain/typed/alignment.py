"""Which sentence of a passage a claim leans on: the one that shares its numbers and its rarer words."""

from collections import Counter

from claimstream.domain.claims.sentences import Span, sentence_spans
from claimstream.domain.typed.vocabulary import stems, weight

LEAST_SHARE = 0.25
"""Less than this part of a claim's weight found in a sentence is no leaning."""


def leans_on(claim: str, passage: str) -> Span | None:
    """The span of the sentence in the passage, code points; None where no sentence shares enough.

    The first of equals. Words count less the more sentences of the passage hold them.
    """
    spans = list(sentence_spans(passage))
    found = [stems(passage[start:end]) for start, end in spans]
    wanted = stems(claim)
    spread = Counter(word for sentence in found for word in sentence)
    scores = [weight(wanted & sentence, spread) for sentence in found]
    if not scores or max(scores) < LEAST_SHARE * weight(wanted, spread) or max(scores) == 0:
        return None
    return spans[scores.index(max(scores))]
