"""Words compared by what they share: stems, numbers in words and digits, and words that carry nothing."""

import re
from collections.abc import Iterable, Mapping

from claimstream.domain.claims.wordlist import words

_UNITS_AND_TEENS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_NUMBERS = {word: str(number) for number, word in enumerate(_UNITS_AND_TEENS.split())} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
    "dozen": "12",
}

_EMPTY = words(
    "a an the this that these those and or but nor so if unless when while until as of in on at by to from",
    "for with within without up out off into per via is are was were be been being am do does did have has",
    "had can could may might must shall should will would not no n't yes it its they them their he she his",
    "her you your we our us i my there here who whom which what whose how where why than then also only just",
    "very any all each every some more most such other s 's ’s 're 've 'll get subject about over under after",
    "before",
)

_SUFFIX = re.compile(
    r"(?:ations?|itions?|ments?|ances?|ences?|ings?|ions?|als?|ies|ied|ers?|ors?|ed|es|ly|ive|able|ible|e|s|y)$"
)
_WORD = re.compile(r"\d[\d,.]*\d|\d+|[^\W\d_]+(?:['’][a-z]+)?")

STEM_LENGTH = 7
"""Longer stems are cut here: "authorisation" and "authorised" are one."""


def stem(word: str) -> str:
    """What a word is compared by: digits for a number, else its beginning without one ending."""
    low = word.lower()
    if low in _NUMBERS:
        return _NUMBERS[low]
    if low[:1].isdigit():
        return low.replace(",", "").rstrip(".")
    bare = _SUFFIX.sub("", low)
    return (bare if len(bare) >= 3 else low)[:STEM_LENGTH]


def carries(word: str) -> bool:
    """Whether a word says something by itself."""
    low = word.lower()
    return low not in _EMPTY and (low.isalnum() or any(c.isdigit() for c in low))


def stems(text: str) -> frozenset[str]:
    """The stems of a text's words that carry something."""
    return frozenset(stem(m.group()) for m in _WORD.finditer(text) if carries(m.group()))


NUMBER_WEIGHT = 3.0
"""A number shared is worth three words: values tell sentences of a policy apart."""


def weight(shared: Iterable[str], spread: Mapping[str, int] | None = None) -> float:
    """How much some stems say together; `spread`: in how many sentences each occurs, where that divides its weight.

    Summed in the stems' order, so that the float does not depend on hashing.
    """
    counts = spread or {}
    return sum((NUMBER_WEIGHT if s[:1].isdigit() else 1.0) / max(1, counts.get(s, 1)) for s in sorted(shared))
