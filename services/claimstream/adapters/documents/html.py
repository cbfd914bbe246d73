"""The readable text of an HTML page, written as Markdown so that its headings still divide it."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "head", "nav", "form", "button", "iframe"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
    }
    | {"figure", "footer", "header", "hr", "html", "li", "main", "ol", "p", "pre", "section", "summary", "table"}
    | {"tbody", "tfoot", "thead", "tr", "ul", *_HEADINGS}
)
_CELLS = frozenset({"td", "th"})


def readable_text(html: str) -> str:
    """The text of the page's body. Offsets of passages count in this text, not in the HTML.

    Headings become `#` lines, list items `- ` lines, table rows ` | ` lines, other blocks paragraphs; scripts,
    styles, navigation and forms are left out. White space is collapsed.
    """
    root = LexborHTMLParser(html).body
    if root is None:
        return ""
    lines = (re.sub(r"[ \t\n\f]+", " ", line).strip() for line in "".join(_parts(root)).split("\v"))
    blocks = [line for line in lines if line.strip("#-| ")]
    return _joined(blocks)


def _parts(root: LexborNode) -> Iterator[str]:
    """The texts of a page in order; `\\v` marks the borders of blocks. Without recursion: pages nest deeply."""
    waiting: list[LexborNode | str] = [*reversed(_children(root))]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        tag = item.tag or ""
        if tag == "-text":
            yield (item.text_content or "").replace("\v", " ")
        elif tag == "br":
            yield " "
        elif tag not in _SILENT and not tag.startswith("-"):
            border = "\v" if tag in _BLOCKS else ""
            yield border + _lead(tag)
            waiting += [" | " if tag in _CELLS else border, *reversed(_children(item))]


def _children(node: LexborNode) -> list[LexborNode]:
    return list(node.iter(include_text=True))


def _lead(tag: str) -> str:
    if tag in _HEADINGS:
        return "#" * _HEADINGS[tag] + " "
    return "- " if tag == "li" else ""


def _joined(blocks: list[str]) -> str:
    """Blocks set apart by a blank line, items and rows of one run by a line end."""
    text = ""
    for before, block in zip(["", *blocks], blocks, strict=False):
        tight = all(one.startswith("- ") for one in (before, block)) or all(
            one.endswith("|") for one in (before, block)
        )
        text += ("\n" if tight else "\n\n") + block if text else block
    return text
