"""A generation: one build of a corpus's two indexes, and the manifest that fixes what it was built with."""

from dataclasses import dataclass, field

from claimstream.domain.evidence.passage import CorpusRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a generation was built with; both legs carry the same one."""

    corpus: CorpusRef
    generation: str
    embedder: str
    """Name and hash of the embedding model: vectors of another one are not comparable."""
    chunker: str
    """Name and settings of the splitter, as `semantic-160-18@1`."""
    dimension: int
    documents: int
    passages: int
    created_at: str
    """RFC 3339, UTC."""
    document_hashes: dict[str, str] = field(default_factory=dict)
