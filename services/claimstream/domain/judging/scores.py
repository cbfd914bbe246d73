"""The distribution that an NLI model gives for one pair."""

from typing import NamedTuple


class Scores(NamedTuple):
    """Probabilities of the three relations; they add up to 1."""

    entailment: float
    neutral: float
    contradiction: float
