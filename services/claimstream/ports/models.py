"""The models: a parser, an embedder, an entailment scorer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from claimstream.domain.claims.parse import Parse
from claimstream.domain.judging.scores import Scores


class Pair(NamedTuple):
    """A premise (evidence text) and a hypothesis (claim)."""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """Which weights answer, and where they run: part of every cache key and every verdict."""

    name: str
    hash: str
    """First 12 hexadecimal digits of the SHA-256 over the model's files."""
    provider: str
    """The execution provider that the session really uses."""
    precision: str

    def __str__(self) -> str:
        """`name@hash`, as in verdicts."""
        return f"{self.name}@{self.hash}"


class Parser(Protocol):
    """A dependency parser for English."""

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """One parse a text, in order; token offsets are code points of that text."""


class Embedder(Protocol):
    """A sentence encoder."""

    @property
    def identity(self) -> ModelIdentity:
        """Which weights answer, and where."""

    @property
    def dimension(self) -> int:
        """The width of a vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension). Raises ModelUnavailable."""

    def floor(self, chunker: str) -> float | None:
        """The relevance floor that was measured for passages of this chunker, or None."""


class EntailmentScorer(Protocol):
    """A natural language inference model over (premise, hypothesis)."""

    @property
    def identity(self) -> ModelIdentity:
        """Which weights answer, and where."""

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """One distribution a pair, in order; independent of the other pairs. Raises ModelUnavailable."""
