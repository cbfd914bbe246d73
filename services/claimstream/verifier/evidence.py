"""Evidence a claim: both legs at once, fused on our side, with a cosine for every passage that is judged."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from claimstream.domain.evidence.fusion import Fused, fuse
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import Passage
from claimstream.domain.evidence.ranking import ordered_score
from claimstream.domain.evidence.records import embedded_words
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.errors import IndexUnavailable, ModelRefused
from claimstream.ports.clock import Clock
from claimstream.ports.models import Embedder
from claimstream.ports.stores import DenseHit, DenseLeg, SparseHit, SparseLeg, Vector
from claimstream.streaming.breaker import BreakerPolicy
from claimstream.verifier.legs import Answer, Leg, LegCall

DENSE, SPARSE = "dense", "sparse"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPolicy:
    """How wide to look, how many passages are judged, and how long an engine may take."""

    candidates: int = 50
    judged: int = 5
    leg_timeout_seconds: float = 2.0
    breaker: BreakerPolicy = field(default_factory=BreakerPolicy)


@dataclass(frozen=True, slots=True)
class Request:
    """All queries of a micro-batch against one generation."""

    manifest: Manifest
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence of one request: for each query, in order, its passages by fused rank."""

    claims: tuple[tuple[Retrieved, ...], ...]
    degraded: tuple[str, ...]
    """The legs that gave nothing; empty when both answered."""
    calls: tuple[LegCall, ...]
    """When each leg was asked, for the trace."""


class Retriever:
    """Finds evidence for the claims of a micro-batch. Called from one thread at a time."""

    def __init__(
        self, *, dense: DenseLeg, sparse: SparseLeg, embedder: Embedder, clock: Clock, policy: RetrievalPolicy
    ) -> None:
        self._dense_engine, self._sparse_engine = dense, sparse
        self._embedder = embedder
        self._policy = policy
        self._dense = Leg(DENSE, clock, policy.leg_timeout_seconds, policy.breaker)
        self._sparse = Leg(SPARSE, clock, policy.leg_timeout_seconds, policy.breaker)

    def floor(self, manifest: Manifest) -> float:
        """The relevance floor for passages of this generation.

        Raises ModelRefused where the generation was embedded by another model, or no floor was measured.
        """
        own = str(self._embedder.identity)
        if manifest.embedder != own:
            raise ModelRefused(
                f"{manifest.corpus} {manifest.generation} was embedded by {manifest.embedder}, "
                f"this process runs {own}: index the corpus again, or set the embedder that built it"
            )
        return require_floor(self._embedder, manifest.chunker)

    def retrieve(self, requests: Sequence[Request]) -> list[Retrieval]:
        """One Retrieval a request, in order; each leg is asked once a request, both at the same time.

        A leg that fails, takes too long or is left alone by its breaker is reported as degraded and the other
        one carries on. Raises IndexUnavailable when both give nothing, ModelRefused as `floor` does.
        """
        return [self._one(request, self.floor(request.manifest)) for request in requests]

    def close(self) -> None:
        """Let the legs' threads end."""
        self._dense.close()
        self._sparse.close()

    def _one(self, request: Request, floor: float) -> Retrieval:
        if not request.queries:
            return Retrieval((), (), ())
        manifest, queries, candidates = request.manifest, list(request.queries), self._policy.candidates
        words = self._sparse.ask(lambda: self._sparse_engine.search(manifest, queries, candidates))
        vectors = self._embedder.embed(queries)
        near = self._dense.ask(lambda: self._dense_engine.search(manifest, vectors, candidates))
        dense, sparse = self._dense.answer(near), self._sparse.answer(words)
        _require_one(manifest, dense.call, sparse.call)
        found = [
            _Found.of(dense_hits, sparse_hits, self._policy.judged)
            for dense_hits, sparse_hits in zip(_hits(dense, queries), _hits(sparse, queries), strict=True)
        ]
        known = self._vectors_of(manifest, found, dense_is_up=dense.value is not None)
        calls = (dense.call, sparse.call)
        return Retrieval(
            claims=tuple(one.retrieved(vector, known, floor) for one, vector in zip(found, vectors, strict=True)),
            degraded=tuple(call.leg for call in calls if call.error is not None),
            calls=calls,
        )

    def _vectors_of(self, manifest: Manifest, found: Sequence["_Found"], *, dense_is_up: bool) -> dict[str, Vector]:
        """Vectors of the judged passages that came without a cosine: from the engine, else embedded here."""
        passages = {passage.evidence_id: passage for one in found for passage in one.without_cosine()}
        if not passages:
            return {}
        known: dict[str, Vector] = {}
        if dense_is_up:
            asked = self._dense.ask(lambda: self._dense_engine.vectors(manifest, list(passages)))
            known = dict(self._dense.answer(asked).value or {})
        rest = [name for name in passages if name not in known]
        if rest:
            known |= zip(rest, self._embedder.embed([embedded_words(passages[name]) for name in rest]), strict=True)
        return known


@dataclass(frozen=True, slots=True)
class _Found:
    """What both legs found for one query, fused and cut to what is judged."""

    fused: list[Fused]
    passages: dict[str, Passage]
    cosines: dict[str, float]

    @classmethod
    def of(cls, dense: Sequence[DenseHit], sparse: Sequence[SparseHit], judged: int) -> "_Found":
        fused = fuse([hit.passage.evidence_id for hit in dense], [hit.passage.evidence_id for hit in sparse])
        return cls(
            fused=fused[:judged],
            passages={one.evidence_id: one for one in (*_passages(sparse), *_passages(dense))},
            cosines={hit.passage.evidence_id: hit.cosine for hit in dense},
        )

    def without_cosine(self) -> list[Passage]:
        return [self.passages[one.id] for one in self.fused if one.id not in self.cosines]

    def retrieved(self, query: Vector, known: dict[str, Vector], floor: float) -> tuple[Retrieved, ...]:
        return tuple(self._retrieved(one, self._cosine(one.id, query, known), floor) for one in self.fused)

    def _cosine(self, name: str, query: Vector, known: dict[str, Vector]) -> float:
        cosine = self.cosines.get(name)
        return ordered_score(float(np.dot(query, known[name]))) if cosine is None else cosine

    def _retrieved(self, one: Fused, cosine: float, floor: float) -> Retrieved:
        return Retrieved(
            passage=self.passages[one.id],
            cosine=cosine,
            dense_rank=one.dense_rank,
            sparse_rank=one.sparse_rank,
            fused_score=one.score,
            above_floor=cosine >= floor,
        )


def require_floor(embedder: Embedder, chunker: str) -> float:
    """The embedder's relevance floor for passages of this chunker. Raises ModelRefused where none was measured."""
    floor = embedder.floor(chunker)
    if floor is None:
        raise ModelRefused(
            f"the embedder {embedder.identity} has no relevance floor for the chunker {chunker}: "
            "measure one and add it to `floors` in the model's manifest"
        )
    return floor


def _passages(hits: Sequence[DenseHit] | Sequence[SparseHit]) -> list[Passage]:
    return [hit.passage for hit in hits]


def _hits(answer: Answer[list[list[T]]], queries: Sequence[str]) -> list[list[T]]:
    return [[] for _ in queries] if answer.value is None else answer.value


def _require_one(manifest: Manifest, dense: LegCall, sparse: LegCall) -> None:
    if dense.error is not None and sparse.error is not None:
        raise IndexUnavailable(
            f"neither leg of {manifest.corpus} {manifest.generation} answers; "
            f"dense: {dense.error}; sparse: {sparse.error}: start the engines, the batch waits"
        )
