"""The shape of a response, line by line: paragraphs, list items, headings, table rows and fenced code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})")  # CommonMark: no backtick after the opening ones
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_ITEM = re.compile(r"\s*(?:[-*+•–·▪◦]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])\s+(?=\S)")
_QUOTE = re.compile(r"\s{0,3}(?:>\s?)+")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_STOP = re.compile(r"[.!?:;…][\"'”’)\]*_]*\s*$")

_SHORT_LINE = 60
"""A line without a full stop that is shorter than this was broken on purpose, not wrapped."""


class Shape(StrEnum):
    """What a stretch of lines is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(slots=True)
class Unit:
    """Consecutive lines of one shape; `start` is after the marker of an item or heading."""

    shape: Shape
    start: int
    end: int
    indent: int = 0
    header: "Unit | None" = None
    """For a table row: the row of column names."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end: `text == response[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def indent(self) -> int:
        """White space before the first character, a tab as four."""
        expanded = self.text.expandtabs(4)
        return len(expanded) - len(expanded.lstrip())


def units(text: str) -> list[Unit]:
    """All units of a response in order; blank lines, rules and the fences themselves are in none."""
    found: list[Unit] = []
    lines = list(_lines(text))
    index = 0
    open_unit: Unit | None = None
    while index < len(lines):
        line = lines[index]
        fence = _FENCE.match(line.text)
        if fence:
            unit, index = _code(lines, index, fence.group(1))
            found.append(unit)
            open_unit = None
            continue
        rows = _table_length(lines, index)
        if rows:
            found += _rows(lines[index : index + rows])
            index, open_unit = index + rows, None
            continue
        open_unit = _take(line, open_unit, found)
        index += 1
    return found


def _lines(text: str) -> Iterator[Line]:
    for match in _LINE.finditer(text):
        body = match.group().rstrip("\r\n")
        yield Line(body, match.start(), match.start() + len(body))


def _code(lines: list[Line], index: int, fence: str) -> tuple[Unit, int]:
    """The fenced block that opens here, up to its closing fence or the end; and the index after it."""
    last = index + 1
    while last < len(lines) and not lines[last].text.strip().startswith(fence):
        last += 1
    last = min(last, len(lines) - 1)
    return Unit(Shape.CODE, lines[index].start, lines[last].end), last + 1


def _table_length(lines: list[Line], index: int) -> int:
    """How many lines the table that starts here has; 0 where none does."""
    if index + 1 >= len(lines) or "|" not in lines[index].text or "|" not in lines[index + 1].text:
        return 0
    if not _TABLE_RULE.match(lines[index + 1].text):
        return 0
    last = index + 2
    while last < len(lines) and "|" in lines[last].text:
        last += 1
    return last - index


def _rows(table: list[Line]) -> list[Unit]:
    header = Unit(Shape.ROW, table[0].start, table[0].end)
    return [Unit(Shape.ROW, line.start, line.end, header=header) for line in table[2:]]


def _take(line: Line, open_unit: Unit | None, found: list[Unit]) -> Unit | None:
    """Adds a line to the open unit or opens one; the unit that a following line may continue, or None."""
    if not line.text.strip() or _RULE.match(line.text):
        return None
    quote = _QUOTE.match(line.text)
    offset = quote.end() if quote else 0
    heading = _HEADING.match(line.text, offset)
    if heading:
        found.append(Unit(Shape.HEADING, line.start + heading.end(), line.end))
        return None
    item = _ITEM.match(line.text, offset)
    if item:
        found.append(Unit(Shape.ITEM, line.start + item.end(), line.end, indent=line.indent))
        return found[-1]
    if open_unit is not None and not quote and _continues(line, open_unit, found):
        open_unit.end = line.end
        return open_unit
    start = line.start + (offset or len(line.text) - len(line.text.lstrip()))
    found.append(Unit(Shape.PARAGRAPH, start, line.end, indent=line.indent))
    return found[-1]


def _continues(line: Line, unit: Unit, found: list[Unit]) -> bool:
    """Whether a line goes on with the unit above it: sentences are cut later, line breaks count there too."""
    if unit.shape is Shape.ITEM:
        return line.indent > unit.indent or line.text.lstrip()[:1].islower()
    return unit is found[-1]


def wrapped(before: str, after: str) -> bool:
    """Whether the break between two lines of a unit is a wrap inside a sentence."""
    if _STOP.search(before):
        return False
    opener = after.lstrip()[:1]
    return opener.islower() or len(before) >= _SHORT_LINE
