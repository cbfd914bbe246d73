"""The three models wrapped so that their time is seen, and the pairs that reach the NLI model kept."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from claimstream.domain.claims.parse import Parse
from claimstream.domain.judging.scores import Scores
from claimstream.ports.models import Embedder, EntailmentScorer, ModelIdentity, Pair, Parser


@dataclass(slots=True)
class Tally:
    """Calls of one model: how many, over how many items, for how many seconds of wall clock."""

    calls: int = 0
    items: int = 0
    seconds: float = 0.0

    def note(self, items: int, started: float) -> None:
        """Count a call that began at `started` on `time.perf_counter` and ends now."""
        self.calls += 1
        self.items += items
        self.seconds += time.perf_counter() - started


class TimedParser:
    """A parser whose calls are counted."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self.tally = Tally()

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """As the parser behind."""
        started = time.perf_counter()
        parses = self._parser.parse(texts)
        self.tally.note(len(texts), started)
        return parses


class TimedEmbedder:
    """An embedder whose calls are counted."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity = embedder.identity
        self.dimension = embedder.dimension
        self.tally = Tally()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder behind."""
        started = time.perf_counter()
        vectors = self._embedder.embed(texts)
        self.tally.note(len(texts), started)
        return vectors

    def floor(self, chunker: str) -> float | None:
        """As the embedder behind."""
        return self._embedder.floor(chunker)


@dataclass(slots=True)
class RecordingScorer:
    """A scorer that keeps the pairs of every call, so that the same calls can be made to the bare session."""

    scorer: EntailmentScorer
    calls: list[Sequence[Pair]] = field(default_factory=list)
    known: dict[Pair, Scores] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)

    @property
    def identity(self) -> ModelIdentity:
        """Of the scorer behind."""
        return self.scorer.identity

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """As the scorer behind."""
        started = time.perf_counter()
        scores = self.scorer.score(pairs)
        self.tally.note(len(pairs), started)
        self.calls.append(tuple(pairs))
        self.known |= zip(pairs, scores, strict=True)
        return scores

    def taken(self) -> list[Sequence[Pair]]:
        """The calls since the last time this was asked."""
        calls, self.calls = self.calls, []
        return calls


@dataclass(frozen=True, slots=True)
class RememberingScorer:
    """A scorer that costs nothing: it repeats scores that are known. Another pair raises KeyError."""

    identity: ModelIdentity
    known: dict[Pair, Scores]

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """One distribution a pair, in order."""
        return [self.known[pair] for pair in pairs]
