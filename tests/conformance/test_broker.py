"""What the loop relies on in a broker: order, atomic publishing, going back, handing over."""

import time
from collections.abc import Callable, Collection, Iterator

import pytest

from brokers import (
    CLASSIC,
    CONSUMER,
    SECONDS,
    Cluster,
    MemoryCluster,
    embedded_cluster,
    real_cluster,
)
from claimstream.adapters.kafka.embedded import EmbeddedBroker
from claimstream.errors import ConfigurationError, Fenced, PublishAborted
from claimstream.ports.broker import Channel, Outgoing, Partition, Record

KAFKA = pytest.mark.kafka
CLASSIC_KAFKA = pytest.param("kafka-classic", marks=KAFKA)
CONSUMER_KAFKA = pytest.param("kafka-consumer", marks=KAFKA)
TRANSACTIONAL = pytest.mark.parametrize("cluster", ["memory", CLASSIC_KAFKA, CONSUMER_KAFKA], indirect=True)
Unique = Callable[[str], str]


class Watcher:
    """Remembers the callbacks; `on_revoke` runs inside."""

    def __init__(self, on_revoke: Callable[[], None] = lambda: None) -> None:
        self.revoked_partitions: set[Partition] = set()
        self.lost_partitions: set[Partition] = set()
        self._on_revoke = on_revoke

    def revoked(self, partitions: Collection[Partition]) -> None:
        self.revoked_partitions |= set(partitions)
        self._on_revoke()

    def lost(self, partitions: Collection[Partition]) -> None:
        self.lost_partitions |= set(partitions)


@pytest.fixture(
    params=["memory", "embedded", CLASSIC_KAFKA, CONSUMER_KAFKA, pytest.param("kafka-at-least-once", marks=KAFKA)]
)
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    kind = request.param
    if kind == "memory":
        yield MemoryCluster()
    elif kind == "embedded":
        broker = EmbeddedBroker()
        yield embedded_cluster(broker)
        broker.close()
    else:
        bootstrap = request.getfixturevalue("kafka_bootstrap")
        changes = {
            "kafka-classic": CLASSIC,
            "kafka-consumer": CONSUMER,
            "kafka-at-least-once": {**CLASSIC, "delivery": "at_least_once"},
        }[kind]
        yield real_cluster(bootstrap, **changes)


@pytest.fixture
def opened(cluster: Cluster) -> Iterator[Callable[..., Channel]]:
    """Opens members and closes them at the end."""
    channels: list[Channel] = []

    def open_(group: str, identity: str, topic: str, watcher: Watcher | None = None) -> Channel:
        channel = cluster.channel(group, identity)
        channels.append(channel)
        channel.subscribe([topic], watcher or Watcher())
        return channel

    yield open_
    for channel in channels:
        channel.close()


def until(channel: Channel, condition: Callable[[list[Record]], bool], *others: Channel) -> list[Record]:
    """Poll, with the other members, until the condition holds of what came."""
    records: list[Record] = []
    deadline = time.monotonic() + SECONDS
    while not condition(records):
        assert time.monotonic() < deadline, f"{len(records)} records in {SECONDS} s"
        records += channel.poll(0.1, 100)
        for other in others:
            other.poll(0.0, 100)
    return records


def take(channel: Channel, count: int) -> list[Record]:
    return until(channel, lambda records: len(records) >= count)


def nothing(channel: Channel) -> bool:
    return not any(channel.poll(0.05, 100) for _ in range(10))


def filled(cluster: Cluster, unique: Unique, partitions: int = 2, each: int = 5) -> tuple[str, str, str]:
    source, sink, group = unique("in"), unique("out"), unique("group")
    cluster.create(source, partitions)
    cluster.create(sink, 1)
    for offset in range(each):
        for number in range(partitions):
            cluster.produce(source, f"{number}:{offset}".encode(), partition=number)
    return source, sink, group


def out(topic: str, *values: bytes) -> list[Outgoing]:
    return [Outgoing(topic=topic, key=b"one partition", value=value) for value in values]


def test_records_come_in_order_within_a_partition(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, _, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    records = take(channel, 10)
    assert channel.assignment() >= {Partition(source, 0), Partition(source, 1)}
    for number in range(2):
        own = [record for record in records if record.partition.number == number]
        assert [record.offset for record in own] == list(range(5))
        assert [record.value for record in own] == [f"{number}:{offset}".encode() for offset in range(5)]


def test_a_poll_keeps_to_its_limit(cluster: Cluster, opened: Callable[..., Channel], unique: Unique) -> None:
    source, _, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    sizes = []
    while sum(sizes) < 10:
        sizes.append(len(channel.poll(1.0, 3)))
    assert max(sizes) <= 3


def test_bytes_arrive_as_they_were(cluster: Cluster, opened: Callable[..., Channel], unique: Unique) -> None:
    source, group = unique("in"), unique("group")
    cluster.create(source)
    headers = (("a", b"1"), ("b", b"\x00\xff"), ("a", b"2"))
    cluster.produce(source, b"\x00\xffvalue\x00", key=b"\x00key", headers=headers)
    cluster.produce(source, None, key=b"tombstone")
    cluster.produce(source, b"")
    records = take(opened(group, "a", source), 3)
    assert [(record.key, record.value, record.headers) for record in records[:2]] == [
        (b"\x00key", b"\x00\xffvalue\x00", headers),
        (b"tombstone", None, ()),
    ]
    assert not records[2].value
    assert all(record.timestamp_ms > 1_600_000_000_000 for record in records)


def test_publishing_writes_records_and_offsets(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, sink, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    take(channel, 10)
    first, second = Partition(source, 0), Partition(source, 1)
    channel.publish(out(sink, b"x", b"y"), {first: 3})
    assert cluster.values(sink) == [b"x", b"y"]
    assert (cluster.committed(group, first), cluster.committed(group, second)) == (3, None)
    channel.publish([], {first: 5, second: 5})
    assert (cluster.committed(group, first), cluster.committed(group, second)) == (5, 5)


def test_a_refused_publication_leaves_the_offsets_and_can_be_tried_again(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, sink, group = filled(cluster, unique, partitions=1)
    channel = opened(group, "a", source)
    take(channel, 5)
    partition = Partition(source, 0)
    with pytest.raises(PublishAborted):
        channel.publish([*out(sink, b"gone"), cluster.refusal(sink)], {partition: 4})
    assert cluster.committed(group, partition) is None
    if cluster.transactional:
        assert cluster.values(sink) == []
    channel.rewind([partition])
    assert [record.offset for record in take(channel, 5)] == [0, 1, 2, 3, 4]
    channel.publish(out(sink, b"done"), {partition: 5})
    assert cluster.committed(group, partition) == 5
    assert cluster.values(sink)[-1] == b"done"


def test_rewinding_goes_back_to_what_is_committed(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, _, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    take(channel, 10)
    channel.publish([], {Partition(source, 0): 2})
    channel.rewind([Partition(source, 0)])
    again = take(channel, 3)
    assert [(record.partition.number, record.offset) for record in again] == [(0, 2), (0, 3), (0, 4)]
    assert nothing(channel)


def test_a_paused_partition_waits_and_a_rewind_meanwhile_counts(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, _, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    take(channel, 10)
    zero, one = Partition(source, 0), Partition(source, 1)
    channel.pause([zero])
    channel.pause([zero])
    cluster.produce(source, b"0:5", partition=0)
    cluster.produce(source, b"1:5", partition=1)
    assert [record.value for record in take(channel, 1)] == [b"1:5"]
    assert nothing(channel)
    channel.publish([], {zero: 4})
    channel.rewind([zero])
    assert nothing(channel)
    channel.resume([zero, one])
    assert [record.value for record in take(channel, 2)] == [b"0:4", b"0:5"]


def test_pausing_before_anything_was_read_loses_nothing(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, _, group = filled(cluster, unique, partitions=1)
    channel = opened(group, "a", source)
    early = until(channel, lambda _: bool(channel.assignment()))
    channel.pause(channel.assignment())
    early += channel.poll(0.3, 100)
    channel.resume(channel.assignment())
    late = until(channel, lambda records: len(early) + len(records) >= 5)
    assert [record.offset for record in early + late] == [0, 1, 2, 3, 4]


def test_a_member_that_comes_back_goes_on_behind_its_commit(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, _, group = filled(cluster, unique, partitions=1)
    channel = opened(group, "a", source)
    take(channel, 5)
    channel.publish([], {Partition(source, 0): 3})
    channel.close()
    assert channel.assignment() == frozenset()
    channel.close()
    assert [record.offset for record in take(opened(group, "a", source), 2)] == [3, 4]


def test_a_second_member_gets_its_share_and_the_first_may_commit_before(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, sink, group = filled(cluster, unique, partitions=4)
    offsets = {Partition(source, number): 5 for number in range(4)}
    batches = [out(sink, b"in time")]
    watcher = Watcher(lambda: first.publish(batches.pop(), offsets) if batches else None)
    first = opened(group, "a", source, watcher)
    take(first, 20)
    second = opened(group, "b", source)
    until(first, lambda _: bool(watcher.revoked_partitions), second)
    until(second, lambda _: len(second.assignment()) == 2, first)
    assert len(watcher.revoked_partitions) == 2
    assert first.assignment() | second.assignment() == set(offsets)
    assert first.assignment() & second.assignment() == frozenset()
    assert cluster.values(sink) == [b"in time"]
    assert {which: cluster.committed(group, which) for which in offsets} == offsets


@TRANSACTIONAL
def test_the_same_identity_twice_fences_the_first(
    cluster: Cluster, opened: Callable[..., Channel], unique: Unique
) -> None:
    source, sink, group = filled(cluster, unique, partitions=1)
    first = opened(group, "a", source)
    take(first, 5)
    opened(group, "a", source)
    with pytest.raises(Fenced):
        first.publish(out(sink, b"too late"), {Partition(source, 0): 5})
    assert cluster.values(sink) == []


def test_lag_ends_with_the_commit(cluster: Cluster, opened: Callable[..., Channel], unique: Unique) -> None:
    source, _, group = filled(cluster, unique)
    channel = opened(group, "a", source)
    take(channel, 10)
    partitions = [Partition(source, 0), Partition(source, 1)]
    assert [channel.lag()[which] for which in partitions] == [5, 5]
    channel.publish([], dict.fromkeys(partitions, 5))
    assert [channel.lag()[which] for which in partitions] == [0, 0]


def test_a_missing_topic_is_a_clear_error(cluster: Cluster, opened: Callable[..., Channel], unique: Unique) -> None:
    with pytest.raises(ConfigurationError, match="no topic"):
        opened(unique("group"), "a", unique("missing"))
