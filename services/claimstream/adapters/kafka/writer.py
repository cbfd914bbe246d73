"""Writes records from outside a group, as a bot does."""

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.failures import describe, error_of
from claimstream.adapters.kafka.log import logger
from claimstream.adapters.kafka.publisher import enqueue, release
from claimstream.config.kafka import KafkaSettings
from claimstream.errors import BrokerUnavailable
from claimstream.ports.broker import Outgoing
from claimstream.ports.clock import Clock
from claimstream.streaming.deadline import Deadline


class KafkaWriter:
    """An idempotent producer without offsets and transactions. Connects with the first write."""

    def __init__(self, settings: KafkaSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._producer = Producer({**client_config.producer(settings), "logger": logger})
        self._failures: list[str] = []

    def write(self, records: Sequence[Outgoing]) -> None:
        """Write and wait until the broker has them all. Raises BrokerUnavailable."""
        deadline = Deadline.after(self._clock, self._settings.transaction_timeout_seconds)
        self._failures.clear()
        try:
            enqueue(self._producer, records, deadline, self._delivered)
            left = self._producer.flush(deadline.remaining())
        except KafkaException as error:
            raise self._not_written(describe(error_of(error))) from error
        except BufferError as error:
            raise self._not_written(str(error)) from error
        if left or self._failures:
            raise self._not_written(self._failures[0] if self._failures else f"no word of {left} records")

    def close(self) -> None:
        """Let the producer go."""
        release(self._producer)

    def _delivered(self, error: KafkaError | None, _: Message) -> None:
        if error is not None:
            self._failures.append(describe(error))

    def _not_written(self, reason: str) -> BrokerUnavailable:
        return BrokerUnavailable(f"Kafka at {self._settings.bootstrap} did not take the records: {reason}")
