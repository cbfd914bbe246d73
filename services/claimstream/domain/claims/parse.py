"""A dependency parse as plain values: what the claim rules see of the parser."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `start`/`end`: code points in the parsed text; `head`: index in the same parse."""

    text: str
    start: int
    end: int
    lemma: str
    pos: str
    """Universal part of speech, as VERB or NOUN."""
    tag: str
    """Penn Treebank tag, as VBD or NNS."""
    dep: str
    """Dependency label of the ClearNLP scheme, as nsubj or advcl."""
    head: int
    entity: str = ""
    """Named-entity type, or empty."""


@dataclass(frozen=True, slots=True)
class Parse:
    """One parsed text. `sentences`: half-open token ranges, in order, that cover all tokens."""

    text: str
    tokens: tuple[Token, ...]
    sentences: tuple[tuple[int, int], ...]
