"""Reciprocal rank fusion on our side, so that ties and constants are ours and an order repeats."""

from collections.abc import Sequence
from dataclasses import dataclass

RRF_K = 60
"""Cormack, Clarke and Buettcher (2009): damps the influence of a single first place."""


@dataclass(frozen=True, slots=True)
class Fused:
    """One document of the fused list; ranks count from 1, None where that leg did not find it."""

    id: str
    score: float
    dense_rank: int | None
    sparse_rank: int | None

    @property
    def best_rank(self) -> int:
        """The better of the two ranks."""
        return min(rank for rank in (self.dense_rank, self.sparse_rank) if rank is not None)


def reciprocal_rank(rank: int | None, k: int = RRF_K) -> float:
    """What one list adds to a document's score: 1/(k + rank), 0 where it lacks the document."""
    return 0.0 if rank is None else 1.0 / (k + rank)


def fuse(dense: Sequence[str], sparse: Sequence[str], *, k: int = RRF_K) -> list[Fused]:
    """Fuse two ranked lists of distinct ids; ordered by (score, best rank, id), a total order."""
    dense_ranks = {name: rank for rank, name in enumerate(dense, start=1)}
    sparse_ranks = {name: rank for rank, name in enumerate(sparse, start=1)}
    fused = [
        Fused(
            id=name,
            score=reciprocal_rank(dense_ranks.get(name), k) + reciprocal_rank(sparse_ranks.get(name), k),
            dense_rank=dense_ranks.get(name),
            sparse_rank=sparse_ranks.get(name),
        )
        for name in dense_ranks | sparse_ranks
    ]
    return sorted(fused, key=lambda item: (-item.score, item.best_rank, item.id))
