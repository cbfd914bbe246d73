"""What is parsed in place of the original: plain prose, with every character's place in the response."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claimstream.domain.claims.sentences import sentence_spans

_INLINE = re.compile(
    r"!?\[(?P<label>[^\[\]\n]*)\]\([^()\s]*\)"  # a link keeps its label
    r"|\s?\[\^?\d+(?:\s*,\s*\d+)*\]"  # a citation mark goes
    r"|\*\*|__|~~|`+|(?<=\S)\*|\*(?=\S)|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)"  # emphasis goes
    r"|[\u200b-\u200d\u2060\ufeff]"
    r"|(?P<space>(?:[\s\x00-\x1f\x7f-\x9f]|<br\s*/?>)+)"
    r"|(?P<surrogate>[\ud800-\udfff])"
)

MAX_SENTENCE = 1_000
"""Code points that pass for one sentence: rules and parser take more than linear time, and no prose is longer."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Text for the parser. `positions[i]`: place of `text[i]` in the response, in code points.

    Characters before `own` are borrowed (a list's lead-in): they are read, never quoted.
    """

    text: str
    positions: tuple[int, ...]
    own: int = 0

    def slice(self, start: int, end: int) -> "Reading":
        """A part of a reading that borrows nothing."""
        return Reading(self.text[start:end], self.positions[start:end])

    def sentences(self) -> list["Reading"]:
        """The sentences in order; one past `MAX_SENTENCE` in pieces, cut between words where there are any."""
        return [self.slice(*piece) for span in sentence_spans(self.text) for piece in _pieces(self.text, *span)]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of the response that own characters in [start, end) cover, or None."""
        start, end = max(start, self.own), min(end, len(self.text))
        if start >= end:
            return None
        return self.positions[start], self.positions[end - 1] + 1


def read(text: str, start: int, end: int) -> Reading:
    """The prose of `text[start:end]`: no emphasis, links as their labels, white space and controls as one space."""
    characters: list[str] = []
    positions: list[int] = []

    def take(begin: int, stop: int) -> None:
        characters.extend(text[begin:stop])
        positions.extend(range(begin, stop))

    done = start
    for match in _INLINE.finditer(text, start, end):
        take(done, match.start())
        done = match.end()
        if match.group("label") is not None:
            take(*match.span("label"))
        elif match.group("space") or match.group("surrogate"):
            characters.append(" " if match.group("space") else "\ufffd")
            positions.append(match.start())
    take(done, end)
    return _trimmed(Reading("".join(characters), tuple(positions)))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SENTENCE:
        cut = text.rfind(" ", start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
        last = cut if cut > 0 else start + MAX_SENTENCE
        yield start, last
        start = last + (cut > 0)
    yield start, end


def borrowed(lead: str, item: Reading, lead_position: int) -> Reading:
    """The item read after its lead-in, which it does not own."""
    return Reading(lead + item.text, (lead_position,) * len(lead) + item.positions, own=len(lead))


def _trimmed(reading: Reading) -> Reading:
    left = len(reading.text) - len(reading.text.lstrip())
    return reading.slice(left, max(left, len(reading.text.rstrip())))
