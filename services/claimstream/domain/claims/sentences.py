"""Where sentences end: a rule that knows abbreviations, decimals, versions and addresses."""

import re
from collections.abc import Iterator

from claimstream.domain.claims.wordlist import words

Span = tuple[int, int]
"""Half-open range of code points."""

_END = re.compile(r"(?P<stop>[.!?…。！？]+)(?P<close>[\"'”’»)\]]*)(?P<gap>\s+|$)|(?P<line>[ \t]*\r?\n\s*)")

_NEVER = words(
    "e.g i.e eg ie vs cf approx ca mr mrs ms dr prof sr jr st mt fig figs sec art arts para par vol pp p ed eds",
    "incl excl max min resp esp al dept est ext tel ref jan feb mar apr jun jul aug sep sept oct nov dec",
)
"""Abbreviations that more words must follow."""

_SOMETIMES = words("etc inc ltd co corp a.m p.m am pm u.s u.k e.u d.c llc plc gmbh approxs no nos")
"""Abbreviations that may also end a sentence: they do when a usual first word follows."""

_STARTERS = words(
    "the a an you your we our it they this that these those there if when while for in on at after before to",
    "please however also additionally no yes all any each every once i he she customers orders refunds so but",
    "and",
)

_SO = re.compile(r",\s+(?=(?:and\s+)?so\s+(?!that\b|as\b|long\b|far\b|much\b|many\b|to\b)\w)", re.IGNORECASE)
"""A consequence is a sentence of its own; the parser often takes what follows ", so" for part of what precedes."""

_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_FIRST_WORD = re.compile(r"[\w'’]+")


def sentence_spans(text: str) -> Iterator[Span]:
    """The sentences of a text in order, without the white space around them; a line break or ", so" ends one."""
    for first, last in _stopped(text):
        start = first
        for match in _SO.finditer(text, first, last):
            yield start, match.start()
            start = match.end()
        yield start, last


def _stopped(text: str) -> Iterator[Span]:
    """The stretches between stops."""
    start = 0
    for match in _END.finditer(text):
        if match.end() <= start:
            continue
        if match.group("line") is None and not _ends(text, match):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield left, right


def _ends(text: str, match: re.Match[str]) -> bool:
    """Whether this stop ends a sentence."""
    following = text[match.end() : match.end() + 40]
    if not following:
        return True
    if match.group("stop") == "." and not _ends_after_word(text, match.start(), following):
        return False
    opener = following.lstrip("\"'“‘«([*_")[:1]
    return not opener.islower()


def _ends_after_word(text: str, stop: int, following: str) -> bool:
    """A single full stop: not after an abbreviation, an initial or the number of a list."""
    found = _LAST_WORD.search(text, max(0, stop - 40), stop)
    word = found.group().lower() if found else ""
    first = _FIRST_WORD.match(following)
    next_word = first.group().lower() if first else ""
    if word in _NEVER or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    if word in ("no", "nos"):
        return not next_word[:1].isdigit()
    if word in _SOMETIMES:
        return next_word in _STARTERS
    return not (word.isdigit() and len(word) <= 2 and text[:stop].strip() == word)
