"""Documents and how they are read and split."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """A text that passages point into; `text` is what is kept and what all offsets count in."""

    doc_id: str
    """Unique in its corpus; for a file its path below the folder, with `/`."""
    text: str
    media_type: str
    """Says how the text is split: `text/markdown` by headings, anything else by paragraphs."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why."""

    doc_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a folder held, both in the order of their names."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """The span of a passage in its document and of the parent around it; code points, end exclusive."""

    start: int
    end: int
    parent_start: int
    parent_end: int
    title: str = ""
    """The headings above it, outermost first, joined by ` > `."""


class Reader(Protocol):
    """Reads a folder of documents."""

    def read(self, folder: Path) -> Reading:
        """All documents below the folder. Raises EmptyCorpus where there is no such folder."""


class Splitter(Protocol):
    """Cuts a document into passages."""

    chunker: str
    """Name, settings and version: passages, and floors measured on them, hold for one chunker."""

    def split(self, document: Document) -> list[Chunk]:
        """Chunks in text order, none of them blank; empty for a document without text."""
