"""The passage: a chunk of a document with an id that changes whenever its text does."""

import hashlib
import uuid
from dataclasses import dataclass

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "claimstream:evidence")


@dataclass(frozen=True, slots=True)
class CorpusRef:
    """A corpus of a tenant: the unit of isolation."""

    tenant: str
    corpus: str

    def __str__(self) -> str:
        """`tenant/corpus`, as in evidence ids."""
        return f"{self.tenant}/{self.corpus}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One chunk. `text == document[start:end]` in code points; the parent is the wider stretch around it."""

    corpus: CorpusRef
    generation: str
    doc_id: str
    chunk_no: int
    text: str
    start: int
    end: int
    parent_start: int
    parent_text: str
    title: str = ""
    """The headings above the passage, outermost first, joined by ` > `; context for retrieval only."""

    @property
    def text_hash(self) -> str:
        """SHA-256 of the text, hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def evidence_id(self) -> str:
        """`{tenant}/{corpus}/{doc_id}#{chunk_no}@{generation}.{hash12}`: other text is another id."""
        return f"{self.corpus}/{self.doc_id}#{self.chunk_no}@{self.generation}.{self.text_hash[:12]}"

    @property
    def parent_id(self) -> str:
        """Names the parent stretch: the same for all passages that share it."""
        return f"{self.corpus}/{self.doc_id}@{self.parent_start}+{len(self.parent_text)}"

    @property
    def point_id(self) -> str:
        """The engines' id of this passage."""
        return point_id(self.evidence_id)


def point_id(evidence_id: str) -> str:
    """The UUIDv5 under which the engines keep an evidence id."""
    return str(uuid.uuid5(_NAMESPACE, evidence_id))
