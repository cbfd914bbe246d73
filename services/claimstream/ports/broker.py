"""A log with partitions and atomic publishing: what the loop needs of Kafka, and no more."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from claimstream.contracts.codec import Headers


class Partition(NamedTuple):
    """One partition of a topic."""

    topic: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record as it was read."""

    partition: Partition
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    timestamp_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A record to be written."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


class Rebalance(Protocol):
    """What the loop does when partitions leave it."""

    def revoked(self, partitions: Collection[Partition]) -> None:
        """Finish or drop the work on these partitions; they can still be committed until this returns."""

    def lost(self, partitions: Collection[Partition]) -> None:
        """Drop the work on these partitions: somebody else has them already."""


class Channel(Protocol):
    """One member of a consumer group with its producer.

    Not thread-safe: one thread polls, publishes and closes.
    """

    def subscribe(self, topics: Sequence[str], rebalance: Rebalance) -> None:
        """Join the group; the callbacks run inside `poll` and `close`."""

    def poll(self, timeout_seconds: float, max_records: int) -> Sequence[Record]:
        """Up to `max_records` records in order within each partition. Raises Unavailable."""

    def assignment(self) -> frozenset[Partition]:
        """The partitions that this member reads now."""

    def pause(self, partitions: Collection[Partition]) -> None:
        """Stop reading these; `poll` goes on and keeps the membership. Idempotent."""

    def resume(self, partitions: Collection[Partition]) -> None:
        """Read these again. Idempotent."""

    def publish(self, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """Write all records and move the group to `offsets` (the next ones to read), all or nothing.

        Raises PublishAborted when nothing of it happened, or when nobody knows: `rewind` then reads what is true.
        Raises Fenced when this member was replaced, Unavailable when the broker did not answer and nothing was
        begun.
        """

    def rewind(self, partitions: Collection[Partition]) -> None:
        """Read these again from the group's committed offsets, or from the start. Raises Unavailable."""

    def lag(self) -> Mapping[Partition, int]:
        """Records between the committed position and the end, for each assigned partition; best effort."""

    def close(self) -> None:
        """Leave the group (a static member keeps its place) and flush. Idempotent."""


OpenChannel = Callable[[], Channel]
