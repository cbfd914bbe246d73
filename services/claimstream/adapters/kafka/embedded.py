"""The embedded broker: librdkafka's own mock cluster, which lives as long as the client that owns it.

Good for a demonstration and for tests on one machine: real clients reach it by its address. It keeps nothing on
disk, gives every topic four partitions, and does not show the offsets of a transaction, so its members publish at
least once.
"""

import uuid
from collections.abc import Sequence

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin._metadata import ClusterMetadata

from claimstream.adapters.kafka.failures import describe, error_of
from claimstream.adapters.kafka.log import logger
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.topics import Topic
from claimstream.errors import BrokerUnavailable

START_SECONDS = 10.0


class EmbeddedBroker:
    """A broker inside this process; `close`, or the end of the object, ends it."""

    def __init__(self, topics: Sequence[Topic] = (), brokers: int = 1) -> None:
        config = {
            "client.id": f"embedded-{uuid.uuid4().hex[:8]}",
            "test.mock.num.brokers": brokers,
            # The mock knows no request to make a topic: it makes those that it is asked about.
            "allow.auto.create.topics": True,
            "logger": logger,
        }
        self._owner: Producer | None = Producer(config)
        self.address = ",".join(f"{one.host}:{one.port}" for one in self._metadata().brokers.values())
        """`host:port` for `bootstrap.servers`."""
        self.create(topics)

    def settings(self, **changes: object) -> KafkaSettings:
        """Settings of a member of this broker."""
        return KafkaSettings.model_validate(
            {"bootstrap": self.address, "delivery": "at_least_once", **changes},
        )

    def create(self, topics: Sequence[Topic]) -> None:
        """Make topics; the mock knows nothing of their settings."""
        for topic in topics:
            self._metadata(topic.name)

    def close(self) -> None:
        """End the broker and all it holds. Idempotent."""
        owner, self._owner = self._owner, None
        if owner is not None:
            owner.close()

    def _metadata(self, topic: str | None = None) -> ClusterMetadata:
        if self._owner is None:
            raise BrokerUnavailable("the embedded broker was closed")
        try:
            found: ClusterMetadata = self._owner.list_topics(topic, timeout=START_SECONDS)
        except KafkaException as error:
            raise BrokerUnavailable(f"the embedded broker does not answer: {describe(error_of(error))}") from error
        return found
