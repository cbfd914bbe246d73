"""A broker in memory: partitions, consumer groups, atomic publishing, and faults on request."""

import threading
import zlib
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

from claimstream.contracts.codec import Headers
from claimstream.errors import BrokerUnavailable, ClaimstreamError, ConfigurationError, Fenced, PublishAborted
from claimstream.ports.broker import Outgoing, Partition, Rebalance, Record
from claimstream.ports.clock import Clock
from claimstream.testing.groups import Group


class MemoryBroker:
    """Topics with partitions that any number of channels share."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lock = threading.RLock()
        self.down = False
        """While set, polling and publishing raise BrokerUnavailable."""
        self.publish_faults: deque[ClaimstreamError] = deque()
        """Raised by the next publications, one each, before anything is written."""
        self._topics: dict[str, list[list[Record]]] = {}
        self._committed: dict[tuple[str, Partition], int] = {}
        self._groups: dict[str, Group[MemoryChannel]] = {}
        self._identities: dict[str, MemoryChannel] = {}

    def create(self, topic: str, partitions: int = 1) -> None:
        """Make a topic; one that is there stays as it is."""
        with self.lock:
            self._topics.setdefault(topic, [[] for _ in range(partitions)])

    def produce(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None = None,
        headers: Headers = (),
        partition: int | None = None,
    ) -> Record:
        """Append one record; without a partition the key decides."""
        with self.lock:
            logs = self._log(topic)
            number = zlib.crc32(key or b"") % len(logs) if partition is None else partition
            record = Record(
                partition=Partition(topic, number),
                offset=len(logs[number]),
                key=key,
                value=value,
                headers=headers,
                timestamp_ms=self.clock.time_ns() // 1_000_000,
            )
            logs[number].append(record)
            return record

    def records(self, topic: str) -> list[Record]:
        """All records of a topic, partition by partition."""
        with self.lock:
            return [record for log in self._log(topic) for record in log]

    def committed(self, group: str, topic: str) -> dict[int, int]:
        """The group's committed offset of each partition of a topic that has one."""
        with self.lock:
            found = {
                number: self._committed.get((group, Partition(topic, number))) for number in self._numbers(topic)
            }
            return {number: offset for number, offset in found.items() if offset is not None}

    def ends(self, topic: str) -> dict[int, int]:
        """The next offset of each partition."""
        with self.lock:
            return {number: len(log) for number, log in enumerate(self._log(topic))}

    def channel(self, group: str, identity: str) -> "MemoryChannel":
        """A new member; an older one with the same identity is fenced."""
        with self.lock:
            channel = MemoryChannel(self, group, identity)
            older = self._identities.get(identity)
            if older is not None:
                older.fenced = True
                self.leave(older)
            self._identities[identity] = channel
            return channel

    # For the channels.

    def join(self, channel: "MemoryChannel") -> None:
        """Put a channel into its group."""
        with self.lock:
            for topic in channel.topics:
                self._log(topic)
            self._group(channel).join(channel)

    def leave(self, channel: "MemoryChannel") -> None:
        """Take a channel out of its group, with all it holds."""
        with self.lock:
            self._group(channel).leave(channel)

    def owned(self, channel: "MemoryChannel") -> set[Partition]:
        """What a channel holds."""
        with self.lock:
            return self._group(channel).owned(channel)

    def wanted(self, channel: "MemoryChannel") -> set[Partition]:
        """What a channel should hold."""
        with self.lock:
            return self._group(channel).wanted(channel, list(self._partitions()))

    def release(self, channel: "MemoryChannel", partitions: Collection[Partition]) -> None:
        """Give partitions back."""
        with self.lock:
            self._group(channel).release(channel, partitions)

    def acquire(self, channel: "MemoryChannel", partitions: Collection[Partition]) -> set[Partition]:
        """Take those that nobody holds."""
        with self.lock:
            return self._group(channel).acquire(channel, partitions)

    def start_of(self, group: str, partition: Partition) -> int:
        """Where a group goes on: its committed offset, or the beginning."""
        with self.lock:
            return self._committed.get((group, partition), 0)

    def read(self, partition: Partition, offset: int, limit: int) -> list[Record]:
        """Records from an offset on."""
        with self.lock:
            return self._log(partition.topic)[partition.number][offset : offset + limit]

    def append(
        self, channel: "MemoryChannel", records: Sequence[Outgoing], offsets: Mapping[Partition, int]
    ) -> None:
        """Write records and offsets, all or nothing."""
        with self.lock:
            if not self.owned(channel).issuperset(offsets):
                raise PublishAborted("the group has given these partitions to another member")
            for record in records:
                self._log(record.topic)
            for record in records:
                self.produce(record.topic, record.value, key=record.key, headers=record.headers)
            self._committed.update({(channel.group, which): offset for which, offset in offsets.items()})

    def _group(self, channel: "MemoryChannel") -> "Group[MemoryChannel]":
        return self._groups.setdefault(channel.group, Group())

    def _log(self, topic: str) -> list[list[Record]]:
        if topic not in self._topics:
            raise ConfigurationError(f"there is no topic {topic!r}: create it first")
        return self._topics[topic]

    def _numbers(self, topic: str) -> range:
        return range(len(self._log(topic)))

    def _partitions(self) -> Iterator[Partition]:
        for topic in sorted(self._topics):
            for number in self._numbers(topic):
                yield Partition(topic, number)


class MemoryChannel:
    """A member of a group on a MemoryBroker; made by `MemoryBroker.channel`."""

    def __init__(self, broker: MemoryBroker, group: str, identity: str) -> None:
        self.group = group
        self.identity = identity
        self.fenced = False
        self.topics: tuple[str, ...] = ()
        self.polls = 0
        self._broker = broker
        self._rebalance: Rebalance | None = None
        self._positions: dict[Partition, int] = {}
        self._paused: set[Partition] = set()
        self._closed = False
        self._turn = 0

    def subscribe(self, topics: Sequence[str], rebalance: Rebalance) -> None:
        """Join the group; partitions come with the first poll."""
        self._answering()
        self.topics = tuple(topics)
        self._rebalance = rebalance
        self._broker.join(self)

    def poll(self, timeout_seconds: float, max_records: int) -> Sequence[Record]:
        """Records of the partitions that are not paused; with none there, time passes."""
        self.polls += 1
        if self.fenced:
            raise Fenced(f"another member has the identity {self.identity}")
        if self._broker.down:
            self._broker.clock.sleep(timeout_seconds)
        self._answering()
        self._balance()
        records = self._fetch(max_records)
        if not records:
            self._broker.clock.sleep(timeout_seconds)
        return records

    def assignment(self) -> frozenset[Partition]:
        """What this member reads."""
        return frozenset(self._positions)

    def pause(self, partitions: Collection[Partition]) -> None:
        """Leave these out of `poll`."""
        self._paused |= set(partitions)

    def resume(self, partitions: Collection[Partition]) -> None:
        """Take these in again."""
        self._paused -= set(partitions)

    def paused(self) -> frozenset[Partition]:
        """What is paused now."""
        return frozenset(self._paused)

    def publish(self, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """Append atomically, after any fault that was asked for."""
        self._answering()
        if self.fenced:
            raise Fenced(f"another member has the identity {self.identity}")
        if self._broker.publish_faults:
            raise self._broker.publish_faults.popleft()
        self._broker.append(self, records, offsets)

    def rewind(self, partitions: Collection[Partition]) -> None:
        """Read from the committed offsets again."""
        self._answering()
        for partition in partitions:
            if partition in self._positions:
                self._positions[partition] = self._broker.start_of(self.group, partition)

    def lag(self) -> Mapping[Partition, int]:
        """Records that are not committed."""
        lags = {}
        for partition in self._positions:
            end = self._broker.ends(partition.topic)[partition.number]
            lags[partition] = end - self._broker.start_of(self.group, partition)
        return lags

    def close(self) -> None:
        """Give everything back and leave."""
        if self._closed:
            return
        self._closed = True
        if self._positions and not self.fenced:
            self._give_back(set(self._positions))
        self._broker.leave(self)

    def lose(self) -> None:
        """As after a session that timed out: others have the partitions, and the next poll says so."""
        self._broker.release(self, set(self._positions))

    def _answering(self) -> None:
        if self._broker.down:
            raise BrokerUnavailable("the broker in memory was told to be down: set `down` to False")

    def _balance(self) -> None:
        mine, owned, wanted = set(self._positions), self._broker.owned(self), self._broker.wanted(self)
        if lost := mine - owned:
            self._forget(lost)
            self._callback().lost(lost)
        if surplus := owned - wanted:
            self._give_back(surplus)
        for partition in self._broker.acquire(self, wanted - owned):
            self._positions[partition] = self._broker.start_of(self.group, partition)

    def _give_back(self, partitions: set[Partition]) -> None:
        try:
            self._callback().revoked(partitions)
        finally:
            self._forget(partitions)
            self._broker.release(self, partitions)

    def _callback(self) -> Rebalance:
        if self._rebalance is None:
            raise RuntimeError("subscribe before polling")
        return self._rebalance

    def _forget(self, partitions: set[Partition]) -> None:
        for partition in partitions:
            self._positions.pop(partition, None)
        self._paused -= partitions

    def _fetch(self, max_records: int) -> list[Record]:
        """One partition after the other, each poll starting with the next."""
        self._turn += 1
        order = sorted(set(self._positions) - self._paused)
        found: list[Record] = []
        for step in range(len(order)):
            partition = order[(step + self._turn) % len(order)]
            records = self._broker.read(partition, self._positions[partition], max_records - len(found))
            self._positions[partition] += len(records)
            found += records
        return found
