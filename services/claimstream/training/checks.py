"""What an exported file must pass before it becomes a model folder, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimstream.domain.judging.scores import Scores
from claimstream.errors import ModelRefused
from claimstream.ports.models import Embedder, EntailmentScorer
from claimstream.training.golden import GoldenCosine, GoldenPair

MOST_FLIPS = 0.005
"""Share of pairs whose most probable label may differ from the reference."""

MOST_MATES = 0.01
"""How much a pair's probability may move with its batch-mates; for a text's vector, 1 - cosine."""

MOST_COSINE = 0.01
"""How far a cosine between two texts may be from the reference."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class NliReport:
    """An entailment model against its reference."""

    pairs: int
    flips: int
    """Pairs whose most probable label is another one."""
    largest_change: float
    """Of any probability."""
    mean_change: float
    batch_dependence: float
    """The largest change of any probability between a pair alone and among others."""

    def __str__(self) -> str:
        """The numbers in one line."""
        return (
            f"{self.pairs} pairs: {self.flips} labels flipped ({self.flips / self.pairs:.2%}), "
            f"probabilities changed by {self.mean_change:.4f} on average and {self.largest_change:.4f} at most, "
            f"by batch-mates {self.batch_dependence:.4f} at most"
        )

    def require(self) -> None:
        """Raises ModelRefused with the numbers where the file is not good enough."""
        if self.flips > MOST_FLIPS * self.pairs or self.batch_dependence > MOST_MATES:
            raise ModelRefused(
                f"the file differs from its source: {self}; allowed are {MOST_FLIPS:.1%} and {MOST_MATES}; "
                "export with --precision fp32"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderReport:
    """A sentence encoder against its reference."""

    pairs: int
    largest_change: float
    """Of any pair's cosine."""
    batch_dependence: float
    """The largest 1 - cosine between a text's vector alone and among others."""

    def __str__(self) -> str:
        """The numbers in one line."""
        return (
            f"{self.pairs} pairs: cosines changed by {self.largest_change:.4f} at most, vectors by batch-mates "
            f"{self.batch_dependence:.4f} at most"
        )

    def require(self) -> None:
        """Raises ModelRefused with the numbers where the file is not good enough."""
        if self.largest_change > MOST_COSINE or self.batch_dependence > MOST_MATES:
            raise ModelRefused(
                f"the file differs from its source: {self}; allowed are {MOST_COSINE} and {MOST_MATES}; "
                "export with --precision fp32"
            )


def check_scorer(scorer: EntailmentScorer, golden: Sequence[GoldenPair]) -> NliReport:
    """Score the pairs together and alone, against the reference of each."""
    pairs, reference = [pair.pair for pair in golden], _array([pair.scores for pair in golden])
    together = _array(scorer.score(pairs))
    alone = _array([scores for pair in pairs for scores in scorer.score([pair])])
    change = np.abs(together - reference)
    return NliReport(
        pairs=len(golden),
        flips=int((together.argmax(axis=1) != reference.argmax(axis=1)).sum()),
        largest_change=float(change.max()),
        mean_change=float(change.mean()),
        batch_dependence=float(np.abs(together - alone).max()),
    )


def check_embedder(embedder: Embedder, golden: Sequence[GoldenCosine]) -> EmbedderReport:
    """Embed the texts of all pairs together and alone, against the cosine of each pair."""
    texts = list(dict.fromkeys(text for pair in golden for text in (pair.one, pair.other)))
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    row = {text: together[index] for index, text in enumerate(texts)}
    return EmbedderReport(
        pairs=len(golden),
        largest_change=max(abs(float(row[pair.one] @ row[pair.other]) - pair.cosine) for pair in golden),
        batch_dependence=float(1 - (together * alone).sum(axis=1).min()),
    )


def _array(scores: Sequence[Scores]) -> Floats:
    return np.array(scores, dtype=np.float32).reshape(-1, 3)
