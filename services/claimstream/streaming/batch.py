"""One micro-batch on its way: judged in the worker, then published; partitions may be taken out of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from claimstream.ports.broker import Partition
from claimstream.ports.tracing import Span
from claimstream.streaming.assembler import Entry
from claimstream.streaming.handling import Result
from claimstream.streaming.worker import Job

T = TypeVar("T")


@dataclass(slots=True)
class Batch(Generic[T]):
    """Entries in order of arrival; those of `dropped` partitions are never published."""

    entries: tuple[Entry[T], ...]
    span: Span
    started_ns: int
    dropped: set[Partition] = field(default_factory=set)
    job: Job[Sequence[Result]] | None = None
    """None while it waits to be tried again."""
    results: Sequence[Result] | None = None
    """There once it is judged."""
    closed: bool = False

    def drop(self, partitions: Collection[Partition]) -> list[Entry[T]]:
        """Take partitions out; returns their entries, each once."""
        gone = set(partitions) - self.dropped
        self.dropped |= gone
        return [entry for entry in self.entries if entry.partition in gone]

    def close(self, end_ns: int, error: str | None = None) -> None:
        """End its span, once."""
        if not self.closed:
            self.closed = True
            self.span.end(end_ns, error=error)

    def partitions(self) -> set[Partition]:
        """The partitions still in it."""
        return {entry.partition for entry in self.entries} - self.dropped

    def oldest(self) -> float:
        """When its oldest entry was read, in monotonic seconds."""
        return self.entries[0].read_at
