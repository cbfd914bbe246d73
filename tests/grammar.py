"""The real parser, loaded once, and decomposition as the verifier runs it."""

from functools import cache

from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.domain.claims.blocks import Limits, blocks
from claimstream.domain.claims.claim import Claim, Decomposition
from claimstream.domain.claims.decompose import decompose
from claimstream.domain.claims.tree import Tree


@cache
def parser() -> SpacyParser:
    """One a session: loading it takes longer than most tests."""
    return SpacyParser()


def decomposed(text: str, limits: Limits | None = None) -> Decomposition:
    """A response by itself, as a micro-batch of one."""
    bounds = limits or Limits()
    plan = blocks(text, bounds)
    parses = parser().parse([reading for block in plan for reading in block.texts])
    return decompose(text, plan, parses, bounds)


def claims_of(text: str) -> tuple[Claim, ...]:
    """The claims of a response."""
    return decomposed(text).claims


def tree_of(text: str) -> Tree:
    """The parse of one sentence."""
    return Tree(parser().parse([text])[0])
