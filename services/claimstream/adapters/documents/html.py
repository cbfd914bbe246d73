"""The readable text of an HTML page, written as Markdown so that its headings still divide it."""

import re

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
    parts: list[str] = []
    _walk(root, parts)
    lines = (re.sub(r"[ \t\n\f]+", " ", line).strip() for line in "".join(parts).split("\v"))
    blocks = [line for line in lines if line.strip("#-| ")]
    return _joined(blocks)


def _walk(node: LexborNode, parts: list[str]) -> None:
    """Append the node's text; `\\v` marks the borders of blocks."""
    child = node.child
    while child is not None:
        tag = child.tag or ""
        if tag == "-text":
            parts.append((child.text_content or "").replace("\v", " "))
        elif tag == "br":
            parts.append(" ")
        elif tag not in _SILENT and not tag.startswith("-"):
            _element(child, tag, parts)
        child = child.next


def _element(node: LexborNode, tag: str, parts: list[str]) -> None:
    border = "\v" if tag in _BLOCKS else ""
    parts.append(border + _lead(tag))
    _walk(node, parts)
    parts.append(" | " if tag in _CELLS else border)


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
