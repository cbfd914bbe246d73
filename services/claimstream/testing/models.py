"""Models without weights: deterministic, fast, and good enough to tell texts apart by their words."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimstream.domain.judging.scores import Scores
from claimstream.errors import ModelUnavailable
from claimstream.ports.models import ModelIdentity, Pair
from claimstream.testing.stores import words


class FakeEmbedder:
    """A hashed bag of words as a unit vector: texts that share words are near, equal ones have cosine 1."""

    def __init__(self, dimension: int = 384, floors: Mapping[str, float] | None = None) -> None:
        self.identity = ModelIdentity(name="fake-embedder", hash="0" * 12, provider="none", precision="fp32")
        self.dimension = dimension
        self.failure: str | None = None
        self.calls: list[list[str]] = []
        self._floors = dict(floors or {})

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension); a text without a word points along the first axis."""
        if self.failure is not None:
            raise ModelUnavailable(self.failure)
        self.calls.append(list(texts))
        return np.array([self._embed(text) for text in texts], dtype=np.float32).reshape(-1, self.dimension)

    def floor(self, chunker: str) -> float | None:
        """The floor given for this chunker, or None."""
        return self._floors.get(chunker)

    def _embed(self, text: str) -> NDArray[np.float64]:
        vector = np.zeros(self.dimension)
        for word in words(text):
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            vector[int.from_bytes(digest, "big") % self.dimension] += 1.0
        if not vector.any():
            vector[0] = 1.0
        return vector / np.linalg.norm(vector)


class FakeScorer:
    """Scores by what a test wrote down for a pair, else by shared words; `calls` keeps what was asked.

    Unscripted, the share of the hypothesis' words that the premise holds counts as entailment, or as contradiction
    where exactly one of the two says `not`.
    """

    def __init__(self, script: Mapping[Pair, Scores] | None = None) -> None:
        self.identity = ModelIdentity(name="fake-scorer", hash="1" * 12, provider="none", precision="fp32")
        self.failure: str | None = None
        self.calls: list[list[Pair]] = []
        self._script = dict(script or {})

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """One distribution a pair, in order."""
        if self.failure is not None:
            raise ModelUnavailable(self.failure)
        self.calls.append(list(pairs))
        return [self._script.get(pair) or _by_words(pair) for pair in pairs]


def _by_words(pair: Pair) -> Scores:
    premise, hypothesis = set(words(pair.premise)), set(words(pair.hypothesis))
    shared = len(premise & hypothesis) / len(hypothesis) if hypothesis else 0.0
    if ("not" in premise) != ("not" in hypothesis):
        return Scores(0.0, 1.0 - shared, shared)
    return Scores(shared, 1.0 - shared, 0.0)
