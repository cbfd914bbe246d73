"""Brokers under one conformance suite: how each makes topics, is written to, read back, and refuses a batch."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

from claimstream.adapters.kafka.admin import KafkaAdmin
from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.kafka.embedded import EmbeddedBroker
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.codec import Headers
from claimstream.contracts.topics import MEBIBYTE, RESPONSES, Topic
from claimstream.errors import PublishAborted
from claimstream.ports.broker import Channel, Outgoing, Partition
from claimstream.testing.broker import MemoryBroker

SECONDS = 30.0


def topic(name: str, partitions: int = 1, **changes: Any) -> Topic:
    return replace(RESPONSES, name=name, partitions=partitions, **changes)


class Cluster(Protocol):
    """A broker seen from outside the group."""

    transactional: bool

    def create(self, name: str, partitions: int = 1) -> None: ...

    def produce(
        self, name: str, value: bytes | None, key: bytes | None = None, headers: Headers = (), partition: int = 0
    ) -> None: ...

    def values(self, name: str) -> list[bytes | None]:
        """What a read-committed reader sees now, partition by partition."""

    def committed(self, group: str, partition: Partition) -> int | None: ...

    def channel(self, group: str, identity: str) -> Channel: ...

    def refusal(self, name: str) -> Outgoing:
        """A record that makes the next publication fail as a whole."""


class MemoryCluster:
    transactional = True

    def __init__(self) -> None:
        self._broker = MemoryBroker(SystemClock())

    def create(self, name: str, partitions: int = 1) -> None:
        self._broker.create(name, partitions)

    def produce(
        self, name: str, value: bytes | None, key: bytes | None = None, headers: Headers = (), partition: int = 0
    ) -> None:
        self._broker.produce(name, value, key=key, headers=headers, partition=partition)

    def values(self, name: str) -> list[bytes | None]:
        return [record.value for record in self._broker.records(name)]

    def committed(self, group: str, partition: Partition) -> int | None:
        return self._broker.committed(group, partition.topic).get(partition.number)

    def channel(self, group: str, identity: str) -> Channel:
        return self._broker.channel(group, identity)

    def refusal(self, name: str) -> Outgoing:
        self._broker.publish_faults.append(PublishAborted("asked for"))
        return Outgoing(topic=name, key=None, value=b"refused")


class KafkaCluster:
    """Over clients of its own; `settings` are those of a member."""

    def __init__(
        self,
        bootstrap: str,
        settings: Callable[..., KafkaSettings],
        create: Callable[[Topic], object],
        *,
        transactional: bool,
        refused_bytes: int,
    ) -> None:
        self.transactional = transactional
        self._refused_bytes = refused_bytes
        self._create = create
        self._bootstrap = bootstrap
        self._settings = settings
        self._failures: list[object] = []
        self._producer = Producer(
            {"bootstrap.servers": bootstrap, "log_level": 0, "message.max.bytes": 2 * MEBIBYTE}
        )

    def create(self, name: str, partitions: int = 1, max_message_bytes: int = 8_192) -> None:
        self._create(topic(name, partitions, max_message_bytes=max_message_bytes))

    def produce(
        self, name: str, value: bytes | None, key: bytes | None = None, headers: Headers = (), partition: int = 0
    ) -> None:
        self.enqueue(name, value, key, partition, headers)
        self.flush()

    def enqueue(
        self, name: str, value: bytes | None, key: bytes | None = None, partition: int = 0, headers: Headers = ()
    ) -> None:
        """For many records: `flush` waits for them all."""
        self._producer.produce(
            name, value=value, key=key, headers=list(headers), partition=partition, on_delivery=self._delivered
        )
        self._producer.poll(0)

    def flush(self) -> None:
        assert self._producer.flush(SECONDS) == 0
        assert not self._failures, self._failures

    def _delivered(self, error: object, _: object) -> None:
        if error is not None:
            self._failures.append(error)

    def values(self, name: str) -> list[bytes | None]:
        return [message.value() for message in read(self._bootstrap, name)]

    def committed(self, group: str, partition: Partition) -> int | None:
        return committed(self._bootstrap, group, partition.topic).get(partition.number)

    def channel(self, group: str, identity: str) -> Channel:
        return KafkaChannel(self._settings(group_id=group, instance_id=identity), SystemClock())

    def refusal(self, name: str) -> Outgoing:
        return Outgoing(topic=name, key=None, value=random.Random(1).randbytes(self._refused_bytes))


def read(bootstrap: str, name: str, isolation: str = "read_committed") -> list[Message]:
    """All records of a topic up to its end as this isolation sees it, partition by partition."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "readers",
            "isolation.level": isolation,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "auto.offset.reset": "earliest",
        }
    )
    try:
        count = len(consumer.list_topics(name, timeout=SECONDS).topics[name].partitions)
        return [message for number in range(count) for message in _read_partition(consumer, name, number)]
    finally:
        consumer.close()


def _read_partition(consumer: Consumer, name: str, number: int) -> Iterator[Message]:
    consumer.assign([TopicPartition(name, number, 0)])
    while True:
        message = consumer.poll(SECONDS)
        assert message is not None, f"nothing from {name}[{number}] in {SECONDS} s"
        if message.error():
            assert message.error().name() == "_PARTITION_EOF", message.error()
            return
        yield message


def committed(bootstrap: str, group: str, name: str) -> dict[int, int]:
    """The group's stable offset of each partition that has one."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": group, "isolation.level": "read_committed"})
    try:
        count = len(consumer.list_topics(name, timeout=SECONDS).topics[name].partitions)
        found = _committed(consumer, [TopicPartition(name, number) for number in range(count)])
    finally:
        consumer.close()
    return {one.partition: one.offset for one in found if one.offset >= 0}


def _committed(consumer: Consumer, partitions: list[TopicPartition]) -> list[TopicPartition]:
    """Also on a broker that has only just started and does not know its groups yet."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return consumer.committed(partitions, timeout=SECONDS)
        except KafkaException:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def ends(bootstrap: str, name: str) -> dict[int, int]:
    """The end offset of each partition."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "readers"})
    try:
        numbers = consumer.list_topics(name, timeout=SECONDS).topics[name].partitions
        return {
            number: consumer.get_watermark_offsets(TopicPartition(name, number), timeout=SECONDS)[1]
            for number in numbers
        }
    finally:
        consumer.close()


@dataclass(frozen=True)
class _Members:
    """Settings of members of a real cluster; short sessions, so that a test need not wait for one."""

    bootstrap: str
    changes: dict[str, Any]

    def __call__(self, **more: Any) -> KafkaSettings:
        return KafkaSettings.model_validate({"bootstrap": self.bootstrap, **self.changes, **more})


CLASSIC = {"group": {"protocol": "classic", "session_timeout_seconds": 3, "heartbeat_seconds": 0.3}}
CONSUMER = {"group": {"protocol": "consumer"}}


def real_cluster(bootstrap: str, **changes: Any) -> KafkaCluster:
    """The broker refuses what is beyond the topic's limit."""
    members = _Members(bootstrap, changes)
    admin = KafkaAdmin(members())
    return KafkaCluster(
        bootstrap,
        members,
        lambda one: admin.create([one], replication=1),
        transactional=changes.get("delivery") != "at_least_once",
        refused_bytes=16_384,
    )


def embedded_cluster(broker: EmbeddedBroker) -> KafkaCluster:
    """The mock knows no limits: the producer itself refuses what is beyond its own."""

    def settings(**changes: Any) -> KafkaSettings:
        return broker.settings(**{"max_input_bytes": 1_024, **CLASSIC, **changes})

    create = broker.create
    return KafkaCluster(
        broker.address, settings, lambda one: create([one]), transactional=False, refused_bytes=2_200_000
    )
