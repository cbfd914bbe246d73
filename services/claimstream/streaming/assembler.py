"""Micro-batches from single records: by bytes (which stand for tokens), count and age."""

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from claimstream.ports.broker import Partition, Record
from claimstream.ports.tracing import Span
from claimstream.streaming.outcomes import DeadLetter, Received

T = TypeVar("T")

CLOCK_STEP_SECONDS = 1e-6
"""Less is no time at all: rounding must not leave a batch for ever a moment too young."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLimits:
    """When a micro-batch is full or old enough, and when enough is buffered to stop reading."""

    max_bytes: int = 256 * 1024
    max_records: int = 64
    max_age_seconds: float = 0.1
    buffer_bytes: int = 4 * 1024 * 1024
    buffer_records: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[T]):
    """One record on its way through the loop: decoded, or already known to be a dead letter."""

    record: Record
    tenant: str
    span: Span
    content: Received[T] | DeadLetter
    read_at: float
    """Monotonic seconds."""

    @property
    def partition(self) -> Partition:
        """Where it came from."""
        return self.record.partition

    @property
    def size_bytes(self) -> int:
        """Bytes of the record's value."""
        return len(self.record.value or b"")


class Assembler(Generic[T]):
    """A buffer that hands out micro-batches in the order of arrival."""

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._entries: deque[Entry[T]] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: Entry[T]) -> None:
        """Put one entry at the end."""
        self._entries.append(entry)
        self._bytes += entry.size_bytes

    @property
    def full(self) -> bool:
        """Enough is buffered: stop reading."""
        return self._bytes >= self._limits.buffer_bytes or len(self) >= self._limits.buffer_records

    @property
    def low(self) -> bool:
        """Half is free again: go on reading. The gap to `full` keeps the partitions from flapping."""
        return self._bytes * 2 <= self._limits.buffer_bytes and len(self) * 2 <= self._limits.buffer_records

    def ready_in(self, now: float) -> float | None:
        """Seconds until a batch is due, 0 when one is, None while nothing is buffered."""
        if not self._entries:
            return None
        if self._bytes >= self._limits.max_bytes or len(self) >= self._limits.max_records:
            return 0.0
        left = self._entries[0].read_at + self._limits.max_age_seconds - now
        return left if left > CLOCK_STEP_SECONDS else 0.0

    def take(self) -> tuple[Entry[T], ...]:
        """The next batch within the limits; an entry beyond the byte limit is a batch of its own."""
        taken: list[Entry[T]] = []
        size = 0
        while self._entries and len(taken) < self._limits.max_records:
            size += self._entries[0].size_bytes
            if taken and size > self._limits.max_bytes:
                break
            taken.append(self._entries.popleft())
        self._bytes -= sum(entry.size_bytes for entry in taken)
        return tuple(taken)

    def fill(self, batch: Collection[Entry[T]]) -> float:
        """How full a batch is, 0 to 1, by the limit that it is nearest to."""
        size = sum(entry.size_bytes for entry in batch)
        return min(1.0, max(len(batch) / self._limits.max_records, size / self._limits.max_bytes))

    def drop(self, partitions: Collection[Partition]) -> list[Entry[T]]:
        """Remove and return the entries of these partitions."""
        dropped = [entry for entry in self._entries if entry.partition in partitions]
        self._keep(entry for entry in self._entries if entry.partition not in partitions)
        return dropped

    def partitions(self) -> set[Partition]:
        """The partitions with something buffered."""
        return {entry.partition for entry in self._entries}

    def oldest(self) -> float | None:
        """When the oldest entry was read."""
        return self._entries[0].read_at if self._entries else None

    def _keep(self, entries: Iterable[Entry[T]]) -> None:
        self._entries = deque(entries)
        self._bytes = sum(entry.size_bytes for entry in self._entries)
