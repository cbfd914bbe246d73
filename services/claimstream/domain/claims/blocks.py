"""From a response to the stretches that are parsed: sentences, list items with their lead-in, table cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claimstream.domain.claims.lines import Shape, Unit, units, wrapped
from claimstream.domain.claims.phrases import DANGLING, LABEL, LEAD_IN_TAIL, OPENING, STARTS_WITH_VERB, announces
from claimstream.domain.claims.reading import Reading, borrowed, read

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_CELL = re.compile(r"(?:\\\||[^|])+")
_EMPTY_CELL = re.compile(r"[\s\-–—*_.]*$|\s*n/?a\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a response is judged: bytes of text in UTF-8, and claims."""

    max_text_bytes: int = 64 * 1024
    max_claims: int = 200

    def cut(self, text: str) -> int:
        """How many code points of the text lie within the bound."""
        data = text.encode("utf-8", "replace") if text.isascii() else text.encode("utf-8", "surrogatepass")
        if len(data) <= self.max_text_bytes:
            return len(text)
        whole = data[: self.max_text_bytes]
        while whole and (data[len(whole)] & 0xC0) == 0x80:
            whole = whole[:-1]
        return len(whole.decode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a response that is parsed on its own; `start`/`end`: its span in the response.

    `readings` holds what to parse: none for code and table cells; for an item under a lead-in, the item alone and
    then the item after its lead-in. `stated`: the claim of a table cell, made without a parse.
    """

    shape: Shape
    start: int
    end: int
    readings: tuple[Reading, ...] = ()
    stated: str = ""
    announced: bool = False
    """A lead-in whose items carry its words, or a line that only announces what follows."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to parse, in order."""
        return tuple(reading.text for reading in self.readings)


def blocks(text: str, limits: Limits) -> tuple[Block, ...]:
    """The blocks of a response in order, at most one more than `limits.max_claims`.

    The verifier parses the texts of all blocks of a whole micro-batch in one call, in order, and hands each
    response's parses to `decompose`: `parser.parse([t for block in blocks(text, limits) for t in block.texts])`.
    """
    found: list[Block] = []
    kept = text[: limits.cut(text)]
    for block in _blocks(kept):
        found.append(block)
        if len(found) > limits.max_claims:
            break
    return tuple(found)


def _blocks(text: str) -> Iterator[Block]:
    everything = units(text)
    leads: list[tuple[int, Reading]] = []
    for index, unit in enumerate(everything):
        following = everything[index + 1] if index + 1 < len(everything) else None
        if unit.shape is Shape.CODE:
            yield Block(shape=unit.shape, start=unit.start, end=unit.end)
        elif unit.shape is Shape.ROW:
            yield from _cells(text, unit)
        else:
            yield from _prose(text, unit, following, leads)


def _prose(text: str, unit: Unit, following: Unit | None, leads: list[tuple[int, Reading]]) -> Iterator[Block]:
    """The sentences of a unit; keeps the stack of lead-ins, outermost first, that reach its followers."""
    level = unit.indent if unit.shape is Shape.ITEM else -1
    while leads and leads[-1][0] >= level:
        leads.pop()
    lead = leads[-1][1] if leads else None
    sentences = [s for s in _sentences(text, unit) if any(c.isalnum() for c in s.text)]
    for position, sentence in enumerate(sentences):
        last = position == len(sentences) - 1
        leads_on = last and _leads(sentence, unit, following)
        if leads_on:
            leads.append((level, sentence))
        yield _block(unit.shape, sentence, lead if position == 0 else None, announced=leads_on)


def _leads(sentence: Reading, unit: Unit, following: Unit | None) -> bool:
    """Whether a sentence leads into the items that follow it."""
    if following is None or following.shape is not Shape.ITEM:
        return False
    if unit.shape is Shape.ITEM and following.indent <= unit.indent:
        return False
    return sentence.text.endswith(":") or (unit.shape is Shape.PARAGRAPH and sentence.text[-1].isalnum())


def _block(shape: Shape, sentence: Reading, lead: Reading | None, *, announced: bool) -> Block:
    readings = [sentence]
    label = None if announced else LABEL.match(sentence.text)
    dashed = label is not None and ":" not in label.group()
    if label and not OPENING.match(sentence.text) and (shape is Shape.ITEM or not dashed):
        readings = _labelled(sentence, label.end("label"), label.end())
    elif lead is not None and shape is Shape.ITEM and not announces(lead.text):
        readings.append(borrowed(_lead_text(lead.text), sentence, sentence.positions[0]))
    return Block(
        shape=shape,
        start=sentence.positions[0],
        end=sentence.positions[-1] + 1,
        readings=tuple(readings),
        announced=announced,
    )


def _labelled(sentence: Reading, label_end: int, rest: int) -> list[Reading]:
    """ "Label: rest" as the rest alone, and as "label is rest" (or "label rest" where a verb opens the rest)."""
    label, value = sentence.text[:label_end], sentence.text[rest:]
    plural = label.endswith("s") and not label.endswith("ss")
    link = " " if STARTS_WITH_VERB.match(value) or DANGLING.search(label) else " are " if plural else " is "
    positions = (*sentence.positions[:label_end], *(sentence.positions[label_end],) * len(link))
    joined = Reading(label + link + value, positions + sentence.positions[rest:])
    return [sentence.slice(rest, len(sentence.text)), joined]


def _lead_text(lead: str) -> str:
    """The lead-in as the beginning of a sentence: without its colon and without "the following"."""
    return LEAD_IN_TAIL.sub("", lead.rstrip(" :")).rstrip(" ,:") + " "


def _sentences(text: str, unit: Unit) -> Iterator[Reading]:
    """The sentences of a unit; a line break that was meant ends one, a wrap does not."""
    start = unit.start
    for match in _LINE_BREAK.finditer(text, unit.start, unit.end):
        line_start = text.rfind("\n", start, match.start()) + 1 or start
        if not wrapped(text[line_start : match.start()], text[match.end() : min(match.end() + 80, unit.end)]):
            yield from read(text, start, match.start()).sentences()
            start = match.end()
    yield from read(text, start, unit.end).sentences()


def _cells(text: str, unit: Unit) -> Iterator[Block]:
    """A row's cells as "column of row is value", each quoted from the row's first cell to its own end."""
    if unit.header is None:
        return
    columns = [read(text, *span).text for span in _cell_spans(text, unit.header)]
    cells = _cell_spans(text, unit)
    if not cells:
        return
    row = read(text, *cells[0]).text if len(columns) > 1 else ""
    for column, span in list(zip(columns, cells, strict=False))[1 if row else 0 :]:
        value = read(text, *span)
        if not value.text or _EMPTY_CELL.match(value.text):
            continue
        stated = _stated(column, row, value.text)
        start = cells[0][0] + len(text[slice(*cells[0])]) - len(text[slice(*cells[0])].lstrip())
        yield Block(shape=Shape.ROW, start=start, end=value.positions[-1] + 1, stated=stated)


def _stated(column: str, row: str, value: str) -> str:
    """The claim of a cell; one that starts with a verb already says something of its row."""
    if not row or not column:
        return value
    return f"{row} {value} ({column})" if STARTS_WITH_VERB.match(value) else f"{column} of {row} is {value}"


def _cell_spans(text: str, row: Unit) -> list[tuple[int, int]]:
    """The spans between the bars of a row, the outer bars left aside."""
    line = text[row.start : row.end]
    left = len(line) - len(line.lstrip()) + line.lstrip().startswith("|")
    right = len(line.rstrip()) - (line.rstrip().endswith("|") and not line.rstrip().endswith("\\|"))
    spans, start = [], left
    for position in range(left, right):
        if line[position] == "|" and line[position - 1] != "\\":
            spans.append((row.start + start, row.start + position))
            start = position + 1
    return [*spans, (row.start + start, row.start + max(start, right))]
