"""Writing and following from outside a group: everything from the beginning, and nothing marked as read."""

import time
from collections.abc import Callable, Iterator

import pytest

from brokers import committed, real_cluster, topic
from claimstream.adapters.kafka.embedded import EmbeddedBroker
from claimstream.adapters.kafka.follower import KafkaFollower
from claimstream.adapters.kafka.writer import KafkaWriter
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.errors import BrokerUnavailable
from claimstream.ports.broker import Outgoing, Record

SECONDS = 30.0
NOBODY = KafkaSettings(bootstrap="127.0.0.1:9", transaction_timeout_seconds=1, request_timeout_seconds=0.5)


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.kafka)])
def topic_at(request: pytest.FixtureRequest, unique: Callable[[str], str]) -> Iterator[tuple[str, KafkaSettings]]:
    """A topic and the settings of a client of its broker."""
    name = unique("outside")
    if request.param == "embedded":
        broker = EmbeddedBroker([topic(name)])
        yield name, broker.settings(group_id=unique("group"))
        broker.close()
    else:
        bootstrap = request.getfixturevalue("kafka_bootstrap")
        real_cluster(bootstrap).create(name, partitions=4)
        yield name, KafkaSettings(bootstrap=bootstrap, group_id=unique("group"))


def followed(follower: KafkaFollower, count: int) -> list[Record]:
    found: list[Record] = []
    end = time.monotonic() + SECONDS
    while len(found) < count:
        assert time.monotonic() < end, f"{len(found)} of {count} records in {SECONDS} s"
        found += follower.poll(0.1, 2)
    return found


def test_what_was_written_is_followed_from_the_beginning(topic_at: tuple[str, KafkaSettings]) -> None:
    name, settings = topic_at
    written = [
        Outgoing(
            topic=name, key=f"k{number}".encode(), value=f"v{number}".encode(), headers=(("h", b"1"), ("h", b""))
        )
        for number in range(9)
    ]
    written.append(Outgoing(topic=name, key=None, value=None))
    writer = KafkaWriter(settings, SystemClock())
    writer.write(written[:5])
    follower = KafkaFollower(settings, [name])
    first = followed(follower, 5)
    writer.write(written[5:])
    writer.close()
    found = first + followed(follower, 5)
    follower.close()
    assert {(one.key, one.value, one.headers) for one in found} == {
        (one.key, one.value, one.headers) for one in written
    }
    assert len(found) == len(written)
    assert committed(settings.bootstrap, f"{settings.group_id}-follower", name) == {}


def test_order_within_a_key_is_kept(topic_at: tuple[str, KafkaSettings]) -> None:
    name, settings = topic_at
    writer = KafkaWriter(settings, SystemClock())
    writer.write([Outgoing(topic=name, key=b"one", value=str(number).encode()) for number in range(20)])
    writer.close()
    follower = KafkaFollower(settings, [name])
    assert [one.value for one in followed(follower, 20)] == [str(number).encode() for number in range(20)]
    follower.close()


def test_a_topic_that_is_not_there_gives_nothing(topic_at: tuple[str, KafkaSettings]) -> None:
    _, settings = topic_at
    follower = KafkaFollower(settings, [])
    assert follower.poll(0.1, 1) == []
    follower.close()


def test_without_a_broker_both_say_where_they_looked() -> None:
    with pytest.raises(BrokerUnavailable, match=r"No broker answers at 127.0.0.1:9 .*claimstream stack up"):
        KafkaFollower(NOBODY, ["anything"])
    writer = KafkaWriter(NOBODY, SystemClock())
    with pytest.raises(BrokerUnavailable, match=r"Kafka at 127.0.0.1:9 did not take the records"):
        writer.write([Outgoing(topic="anything", key=None, value=b"v")])
    writer.close()
