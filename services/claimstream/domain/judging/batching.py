"""Batches by token budget in a few fixed shapes: no engine is rebuilt and no arena grows in mid-traffic."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimstream.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """The allowed shapes: any of `sizes` rows by any of `lengths` tokens within `token_budget`; both ascending."""

    lengths: tuple[int, ...] = (32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512)
    sizes: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    token_budget: int = 4096

    def __post_init__(self) -> None:
        """Refuse what cannot hold every pair."""
        if self.sizes[0] != 1 or self.token_budget < self.lengths[-1]:
            raise ConfigurationError(
                f"shapes need a batch of 1 and a token budget of at least {self.lengths[-1]} "
                f"(sizes {self.sizes}, budget {self.token_budget})"
            )

    def length_for(self, tokens: int) -> int:
        """The shortest allowed length that holds so many tokens; the caller has split what is longer."""
        return self.lengths[bisect_left(self.lengths, tokens)]

    def sizes_for(self, length: int) -> tuple[int, ...]:
        """The batch sizes that stay within the budget at this length, largest first."""
        return tuple(size for size in reversed(self.sizes) if size * length <= self.token_budget) or (1,)

    def all(self) -> list[tuple[int, int]]:
        """Every (rows, tokens) that can occur: what a warm-up runs."""
        return [(size, length) for length in self.lengths for size in self.sizes_for(length)]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one shape: indexes into the caller's list, all padded to `length` tokens."""

    length: int
    members: tuple[int, ...]


def plan(token_counts: Sequence[int], shapes: Shapes) -> list[Batch]:
    """Group items by padded length and cut each group into allowed sizes; every index occurs exactly once."""
    groups: dict[int, list[int]] = defaultdict(list)
    for index, tokens in enumerate(token_counts):
        groups[shapes.length_for(tokens)].append(index)
    return [
        Batch(length, members)
        for length in sorted(groups)
        for members in _cut(groups[length], shapes.sizes_for(length))
    ]


def _cut(members: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    position = 0
    while position < len(members):
        size = next(size for size in sizes if size <= len(members) - position)
        yield tuple(members[position : position + size])
        position += size
