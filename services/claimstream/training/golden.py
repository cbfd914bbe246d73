"""Golden sets: texts with what the source model says about them in fp32 PyTorch, kept beside a model."""

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from claimstream.domain.judging.scores import Scores
from claimstream.errors import ModelRefused
from claimstream.ports.models import Pair

GOLDEN = "golden.jsonl"


class LabelledPair(Struct, frozen=True, kw_only=True):
    """A pair as the data sets hold it; further fields are passed over."""

    premise: str
    hypothesis: str
    label: str
    source: str

    @property
    def pair(self) -> Pair:
        """What a scorer takes."""
        return Pair(self.premise, self.hypothesis)


class GoldenPair(LabelledPair, frozen=True, kw_only=True):
    """A pair with the probabilities of the reference."""

    entailment: float
    neutral: float
    contradiction: float

    @property
    def scores(self) -> Scores:
        """The reference."""
        return Scores(self.entailment, self.neutral, self.contradiction)


class GoldenCosine(Struct, frozen=True, kw_only=True):
    """Two texts with the cosine of their vectors in the reference."""

    one: str
    other: str
    cosine: float


Line = TypeVar("Line", LabelledPair, GoldenPair, GoldenCosine)


def read_lines(path: Path, kind: type[Line]) -> list[Line]:
    """The lines of a JSON Lines file, gzipped or not. Raises ModelRefused with the number of a bad line."""
    if not path.is_file():
        raise ModelRefused(f"{path} is not there: name a file of JSON lines, or export the model again")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=kind))
        except msgspec.MsgspecError as error:
            raise ModelRefused(f"{path}, line {number}: {error}") from None
    if not found:
        raise ModelRefused(f"{path} is empty: it needs at least one line to check with")
    return found


def write_lines(path: Path, lines: Iterable[Struct]) -> None:
    """One JSON object a line."""
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def with_reference(pairs: Sequence[LabelledPair], reference: Sequence[Scores]) -> list[GoldenPair]:
    """The pairs with their reference to six digits."""
    return [
        GoldenPair(
            premise=pair.premise,
            hypothesis=pair.hypothesis,
            label=pair.label,
            source=pair.source,
            entailment=round(scores.entailment, 6),
            neutral=round(scores.neutral, 6),
            contradiction=round(scores.contradiction, 6),
        )
        for pair, scores in zip(pairs, reference, strict=True)
    ]
