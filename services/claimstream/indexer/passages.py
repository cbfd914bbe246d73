"""From documents to passages: ids, spans, parents and titles."""

import hashlib
from collections.abc import Iterable

from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.ports.documents import Document, Splitter


def passages_of(corpus: CorpusRef, generation: str, document: Document, splitter: Splitter) -> list[Passage]:
    """The passages of one document in text order, numbered from 0."""
    return [
        Passage(
            corpus=corpus,
            generation=generation,
            doc_id=document.doc_id,
            chunk_no=number,
            text=document.text[chunk.start : chunk.end],
            start=chunk.start,
            end=chunk.end,
            parent_start=chunk.parent_start,
            parent_text=document.text[chunk.parent_start : chunk.parent_end],
            title=chunk.title,
        )
        for number, chunk in enumerate(splitter.split(document))
    ]


def document_hashes(documents: Iterable[Document]) -> dict[str, str]:
    """SHA-256 of each document's text, hexadecimal, by its id."""
    return {one.doc_id: hashlib.sha256(one.text.encode("utf-8", "surrogatepass")).hexdigest() for one in documents}
