"""Which sentence of a passage a claim leans on: the one that shares its numbers and its rarer words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from claimstream.domain.claims.sentences import Span, sentence_spans
from claimstream.domain.typed.vocabulary import stems, weight

LEAST_SHARE = 0.25
"""Less than this part of a claim's weight found in a sentence is no leaning."""

REMEMBERED = 2048
"""Passages whose words are kept, some KB each: many claims ask about the same ones, and each of them twice."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences of a passage, their stems, and in how many of them each stem occurs."""

    spans: tuple[Span, ...]
    stems: tuple[frozenset[str], ...]
    spread: Mapping[str, int]


def leans_on(claim: str, passage: str) -> Span | None:
    """The span of the sentence in the passage, code points; None where no sentence shares enough.

    The first of equals. Words count less the more sentences of the passage hold them.
    """
    words, wanted = _words(passage), stems(claim)
    scores = [weight(wanted & sentence, words.spread) for sentence in words.stems]
    if not scores or max(scores) < LEAST_SHARE * weight(wanted, words.spread) or max(scores) == 0:
        return None
    return words.spans[scores.index(max(scores))]


@lru_cache(maxsize=REMEMBERED)
def _words(passage: str) -> _Words:
    spans = tuple(sentence_spans(passage))
    found = tuple(stems(passage[start:end]) for start, end in spans)
    return _Words(spans, found, Counter(word for sentence in found for word in sentence))
