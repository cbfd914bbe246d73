"""At least once: records first, each with its delivery report, then the offsets."""

from collections.abc import Callable, Mapping, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.failures import FENCED_CODES, describe, error_of, fenced
from claimstream.adapters.kafka.log import logger
from claimstream.adapters.kafka.publisher import enqueue, positions, release
from claimstream.config.kafka import KafkaSettings
from claimstream.errors import PublishAborted
from claimstream.ports.broker import Outgoing, Partition
from claimstream.ports.clock import Clock
from claimstream.streaming.deadline import Deadline

MakeProducer = Callable[[client_config.Config], Producer]


class AtLeastOncePublisher:
    """An idempotent producer; a batch that fails half-way is published again as a whole."""

    def __init__(self, settings: KafkaSettings, clock: Clock, make: MakeProducer = Producer) -> None:
        self._settings = settings
        self._clock = clock
        self._make = make
        self._producer: Producer | None = None

    def ready(self) -> None:
        """Make the producer, when there is none."""
        if self._producer is None:
            self._producer = self._make({**client_config.producer(self._settings), "logger": logger})

    def publish(self, consumer: Consumer, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """Write, wait for every report, commit."""
        self.ready()
        self._write(records)
        try:
            consumer.commit(offsets=positions(offsets), asynchronous=False)
        except KafkaException as exception:
            error = error_of(exception)
            if error.code() in FENCED_CODES:
                raise fenced(error, "committing") from exception
            raise PublishAborted(f"the offsets were not committed: {describe(error)}") from exception

    def close(self) -> None:
        """Let the producer go."""
        producer, self._producer = self._producer, None
        if producer is not None:
            release(producer)

    def _write(self, records: Sequence[Outgoing]) -> None:
        assert self._producer is not None
        failures: list[str] = []

        def delivered(error: KafkaError | None, _: Message) -> None:
            if error is not None:
                failures.append(describe(error))

        deadline = Deadline.after(self._clock, self._settings.transaction_timeout_seconds)
        try:
            enqueue(self._producer, records, deadline, delivered)
            left = self._producer.flush(deadline.remaining())
        except (KafkaException, BufferError) as error:
            failures.append(str(error))
            left = 0
        if left or failures:
            self.close()
            reason = failures[0] if failures else f"{left} records were not acknowledged in time"
            raise PublishAborted(f"not all records were written: {reason}")
