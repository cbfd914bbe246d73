"""Reads topics from outside a group, as somebody does who only watches."""

from collections.abc import Sequence

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.failures import error_of, no_broker, translated
from claimstream.adapters.kafka.log import logger
from claimstream.adapters.kafka.records import record_of
from claimstream.config.kafka import KafkaSettings
from claimstream.ports.broker import Record


class KafkaFollower:
    """All partitions of some topics from their beginnings: what is committed, nothing of it marked as read."""

    def __init__(self, settings: KafkaSettings, topics: Sequence[str]) -> None:
        """Raises BrokerUnavailable."""
        self._settings = settings
        self._consumer = Consumer({**client_config.follower(settings), "logger": logger})
        try:
            known = self._consumer.list_topics(timeout=settings.request_timeout_seconds).topics
        except KafkaException as error:
            self._consumer.close()
            raise no_broker(settings.bootstrap, error_of(error)) from error
        self._consumer.assign(
            [
                TopicPartition(name, number, OFFSET_BEGINNING)
                for name in topics
                if name in known
                for number in known[name].partitions
            ]
        )

    def poll(self, timeout_seconds: float, max_records: int) -> list[Record]:
        """Records as they come, in order within each partition. Raises what the broker's error means."""
        found: list[Record] = []
        message = self._consumer.poll(timeout_seconds)
        while message is not None:
            found.append(self._record(message))
            message = self._consumer.poll(0) if len(found) < max_records else None
        return found

    def close(self) -> None:
        """Let the consumer go."""
        self._consumer.close()

    def _record(self, message: Message) -> Record:
        if (error := message.error()) is not None:
            raise translated(error, "reading", self._settings.bootstrap)
        return record_of(message)
