"""What the engines call a generation and the alias that names the one in service."""

import hashlib
import re
from collections.abc import Callable, Iterable

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef

PREFIX = "claimstream"
_GENERATION = re.compile(r"g([1-9][0-9]*)")

NameGeneration = Callable[[Manifest], str]
"""How a leg names the collection of a generation; several may share one, since every call filters."""


def alias_of(corpus: CorpusRef) -> str:
    """The alias of a corpus: lower case as OpenSearch asks, and distinct where only the case differs."""
    digest = hashlib.sha256(str(corpus).encode()).hexdigest()[:10]
    return f"{PREFIX}-{corpus.tenant}-{corpus.corpus}-{digest}".lower()


def collection_of(manifest: Manifest) -> str:
    """The collection or index of one generation."""
    return f"{alias_of(manifest.corpus)}-{manifest.generation}".lower()


def generation_number(name: str) -> int:
    """7 for `g7`, 0 for a name that is not ours: orders generations by age."""
    match = _GENERATION.fullmatch(name)
    return int(match.group(1)) if match else 0


def next_generation(names: Iterable[str]) -> str:
    """The name after all of these: `g1` for none."""
    return f"g{max(map(generation_number, names), default=0) + 1}"


def oldest_first(manifests: Iterable[Manifest]) -> list[Manifest]:
    """Builds in the order in which they were named."""
    return sorted(manifests, key=lambda manifest: (generation_number(manifest.generation), manifest.generation))
