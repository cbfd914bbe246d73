"""A passage as retrieval hands it to the judge: where each leg ranked it and how relevant it is."""

from dataclasses import dataclass

from claimstream.domain.evidence.passage import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """One of the fused top passages of a claim; ranks from 1, None where that leg did not find it."""

    passage: Passage
    cosine: float
    """Similarity of claim and passage; known for every fused passage, whichever leg found it."""
    dense_rank: int | None
    sparse_rank: int | None
    fused_score: float
    above_floor: bool
    """Only a passage above the floor may support or contradict."""
