"""Where the sections of a Markdown text begin and end, by its headings."""

import re
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(?P<title>\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading's words and the text under it up to the next heading; code points, end exclusive."""

    start: int
    end: int
    title: str = ""
    """The headings above the section and its own, joined by ` > `."""


def whole(text: str) -> list[Section]:
    """One section: for texts without structure."""
    return [Section(0, len(text))]


def by_headings(text: str) -> list[Section]:
    """The sections of a Markdown text in order; those that hold nothing under their heading are left out.

    A section begins with the words of its heading, since "Do you refund shipping?" may be what its "No."
    answers, and without the `#` marks. Front matter is left out; its `title` stands above all headings.
    """
    front = _FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    title = _FRONT_TITLE.search(front.group()) if front else None
    above = [title["title"].strip("\"' ")] if title else []
    headings = _headings(text, begin)
    sections = [Section(begin, headings[0].start if headings else len(text), " > ".join(above))]
    path: list[_Heading] = []
    ends = [following.start for following in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=False):
        path = [*(outer for outer in path if outer.level < heading.level), heading]
        if text[heading.end : end].strip():
            sections.append(
                Section(heading.words, end, " > ".join(above + [one.title for one in path if one.title]))
            )
    return [section for section in sections if text[section.start : section.end].strip()]


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str
    start: int
    words: int
    end: int


def _headings(text: str, begin: int) -> list[_Heading]:
    """Top-level headings with the offsets of their line, their words, and the text below."""
    body = text[begin:]
    lines = [begin]
    for line in body.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    tokens = MarkdownIt("commonmark").parse(body)
    return [
        _heading(text, token, inline, lines)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def _heading(text: str, token: Token, inline: Token, lines: list[int]) -> _Heading:
    first, last = token.map or [0, 0]
    start, end = lines[first], min(lines[last], len(text))
    marks = re.compile(r"[ \t]*#{0,6}[ \t]*").match(text, start)
    words = marks.end() if marks else start
    plain = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})
    return _Heading(int(token.tag[1]), plain.strip(), start, words, end)
