"""Passages of 120 to 200 tokens on semantic borders, with overlap and parents."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from semantic_text_splitter import MarkdownSplitter, TextSplitter
from tokenizers import Tokenizer

from claimstream.adapters.documents.sections import Section, by_headings, whole
from claimstream.ports.documents import Chunk, Document

CHUNKER = "semantic-160-18@1"
"""About 160 tokens with 18 % overlap; the version after the @ moves with anything that moves borders."""

MAX_TOKENS = 200
"""A passage's upper bound, in tokens of the embedder."""

CORE_TOKENS = (100, 155)
"""What a chunk holds beyond its overlap: a chunk ends at the best border once it is in this range."""

SCRAP_TOKENS = 40
"""A shorter part joins the one before it where both fit into one passage."""

OVERLAP_SHARE = 0.18
MAX_OVERLAP_SHARE = 0.35
"""The overlap is whole sentences: of all that are possible the one nearest the aim, up to this share."""

PARENT_TOKENS = 450

_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')\]]))[ \t]+(?=\S)|\n+(?=\S)")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


class SemanticSplitter:
    """Sections by headings, then chunks by paragraph and sentence; a chunk never leaves its section.

    `text[chunk.start:chunk.end]` begins and ends without white space. Neighbours in a section overlap by whole
    sentences, 18 % as near as sentences allow and none where the last sentence alone is more than 35 %. The
    parent is the section, or the run of neighbouring chunks of at most 450 tokens in a longer one.
    """

    chunker = CHUNKER

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = Tokenizer.from_str(tokenizer.to_str())  # ours to change: the caller's may truncate
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._markdown = MarkdownSplitter.from_huggingface_tokenizer(self._tokenizer, CORE_TOKENS)
        self._plain = TextSplitter.from_huggingface_tokenizer(self._tokenizer, CORE_TOKENS)

    def split(self, document: Document) -> list[Chunk]:
        """Chunks in text order; empty for a document without text."""
        markdown = document.media_type == "text/markdown"
        sections = by_headings(document.text) if markdown else whole(document.text)
        cut = self._markdown if markdown else self._plain
        return [chunk for section in sections for chunk in self._section(document.text, section, cut)]

    def _section(self, text: str, section: Section, cut: MarkdownSplitter | TextSplitter) -> list[Chunk]:
        cores = self._cores(text, section, cut)
        spans = [
            _Span(self._overlap(text, before, core) if before else core.start, core.end)
            for before, core in zip([None, *cores], cores, strict=False)
        ]
        return [
            Chunk(span.start, span.end, family[0].start, family[-1].end, section.title)
            for family in self._families(text, spans)
            for span in family
        ]

    def _cores(self, text: str, section: Section, cut: MarkdownSplitter | TextSplitter) -> list[_Span]:
        """The section cut without overlap, each part within its bounds."""
        inside = text[section.start : section.end]
        start = section.start + len(inside) - len(inside.lstrip())
        inside = inside.strip()
        if not inside:
            return []
        if self._tokens(inside) <= MAX_TOKENS:
            return [_Span(start, start + len(inside))]
        cores = [
            _Span(start + at, start + at + len(part)) for at, part in cut.chunk_indices(inside) if part.strip()
        ]
        return self._without_scraps(text, cores)

    def _without_scraps(self, text: str, cores: list[_Span]) -> list[_Span]:
        """A short part joins the one before it where both fit into one passage."""
        joined: list[_Span] = []
        for core in cores:
            short = self._tokens(text[core.start : core.end]) < SCRAP_TOKENS
            if short and joined and self._tokens(text[joined[-1].start : core.end]) <= MAX_TOKENS:
                joined[-1] = _Span(joined[-1].start, core.end)
            else:
                joined.append(core)
        return joined

    def _overlap(self, text: str, before: _Span, core: _Span) -> int:
        """Where this chunk begins: at the sentence of the chunk before that makes the share nearest the aim."""
        own = self._tokens(text[core.start : core.end])
        best, distance = core.start, OVERLAP_SHARE
        for start in reversed(_sentence_starts(text, before)):
            shared = self._tokens(text[start : core.start])
            share = shared / (shared + own)
            if share > MAX_OVERLAP_SHARE or shared + own > MAX_TOKENS:
                break
            if abs(share - OVERLAP_SHARE) < distance:
                best, distance = start, abs(share - OVERLAP_SHARE)
        return best

    def _families(self, text: str, spans: Sequence[_Span]) -> list[list[_Span]]:
        """Runs of neighbouring chunks that fit into one parent."""
        families: list[list[_Span]] = []
        for span in spans:
            if families and self._tokens(text[families[-1][0].start : span.end]) <= PARENT_TOKENS:
                families[-1].append(span)
            else:
                families.append([span])
        return families

    def _tokens(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


def _sentence_starts(text: str, span: _Span) -> list[int]:
    """Offsets at which a sentence or a line of the span begins, its own start included."""
    return [span.start, *(match.end() for match in _SENTENCE.finditer(text, span.start, span.end))]
