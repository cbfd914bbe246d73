"""Topics as the contract describes them, made on a broker."""

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.failures import describe, error_of, no_broker
from claimstream.adapters.kafka.log import logger
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.topics import Topic
from claimstream.errors import ConfigurationError


class KafkaAdmin:
    """Looks at topics and makes missing ones. Connects with the first call."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._client = AdminClient(client_config.common(settings), logger=logger)

    def topics(self) -> dict[str, int]:
        """The names of all topics with their number of partitions. Raises BrokerUnavailable."""
        try:
            found = self._client.list_topics(timeout=self._settings.request_timeout_seconds).topics
        except KafkaException as error:
            raise no_broker(self._settings.bootstrap, error_of(error)) from error
        return {name: len(topic.partitions) for name, topic in found.items()}

    def create(self, topics: Sequence[Topic], replication: int = -1) -> list[str]:
        """Make the missing ones, returns their names; `replication` -1 is the broker's default.

        Raises BrokerUnavailable, ConfigurationError when the broker refuses one.
        """
        there = self.topics()
        missing = [topic for topic in topics if topic.name not in there]
        if not missing:
            return []
        futures = self._client.create_topics(
            [_new_topic(topic, replication) for topic in missing],
            request_timeout=self._settings.request_timeout_seconds,
        )
        for name, future in futures.items():
            try:
                future.result()
            except KafkaException as exception:
                self._refused(name, error_of(exception))
        return [topic.name for topic in missing]

    def _refused(self, name: str, error: KafkaError) -> None:
        if error.code() == KafkaError.TOPIC_ALREADY_EXISTS:  # somebody was quicker
            return
        raise ConfigurationError(
            f"the broker at {self._settings.bootstrap} did not make the topic {name}: {describe(error)}"
        )


def _new_topic(topic: Topic, replication: int) -> NewTopic:
    return NewTopic(
        topic.name,
        num_partitions=topic.partitions,
        replication_factor=replication,
        config={
            "max.message.bytes": str(topic.max_message_bytes),
            "retention.ms": str(topic.retention_hours * 3_600_000),
            "cleanup.policy": topic.cleanup,
        },
    )
