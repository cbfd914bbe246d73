"""What both ways of publishing share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from claimstream.adapters.kafka.failures import describe, error_of
from claimstream.adapters.kafka.log import logger
from claimstream.ports.broker import Outgoing, Partition
from claimstream.streaming.deadline import Deadline

DeliveryCallback = Callable[[KafkaError | None, Message], None]
FULL_QUEUE_PAUSE_SECONDS = 0.05


class Publisher(Protocol):
    """Writes a batch with its offsets."""

    def ready(self) -> None:
        """Make sure that the next publication can begin and that the last one's outcome is settled.

        Raises BrokerUnavailable, Fenced, ConfigurationError.
        """

    def publish(self, consumer: Consumer, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """As `Channel.publish`."""

    def close(self) -> None:
        """Let the producer go."""


def enqueue(
    producer: Producer, records: Sequence[Outgoing], deadline: Deadline, on_delivery: DeliveryCallback | None = None
) -> None:
    """Give records to the producer's queue; a full one is waited for. Raises BufferError after the deadline."""
    for record in records:
        while not _enqueued(producer, record, on_delivery):
            if deadline.expired:
                raise BufferError("the producer's queue stayed full")
            producer.poll(FULL_QUEUE_PAUSE_SECONDS)


def _enqueued(producer: Producer, record: Outgoing, on_delivery: DeliveryCallback | None) -> bool:
    try:
        producer.produce(
            record.topic,
            value=record.value,
            key=record.key,
            headers=list(record.headers),
            on_delivery=on_delivery,
        )
    except BufferError:
        return False
    producer.poll(0)
    return True


def positions(offsets: Mapping[Partition, int]) -> list[TopicPartition]:
    """Offsets as librdkafka wants them."""
    return [TopicPartition(which.topic, which.number, offset) for which, offset in offsets.items()]


def release(producer: Producer) -> None:
    """Let a producer go with whatever it still holds; one that failed for good says so once more, in vain."""
    try:
        producer.purge(blocking=False)
        producer.close()
    except KafkaException as error:
        logger.info("a producer was closed after %s", describe(error_of(error)))
