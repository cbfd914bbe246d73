"""Models without weights: deterministic, fast, and good enough to tell texts apart by their words."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimstream.errors import ModelUnavailable
from claimstream.ports.models import ModelIdentity
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
