"""Exactly once: the records and the offsets of a batch in one transaction.

The transaction opens only after judging. What is known to have failed is aborted. After that, and above all after
a commit or abort whose outcome is unknown, the producer is replaced by one with the same `transactional.id` before
anything else: the new one's start ends the old transaction one way or the other and fences what may still be on
its way (librdkafka has no KIP-890 yet, librdkafka#5423); the committed offsets then say what happened.
"""

from collections.abc import Callable, Mapping, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.failures import (
    FENCED_CODES,
    describe,
    error_of,
    fenced,
    translated,
)
from claimstream.adapters.kafka.log import logger
from claimstream.adapters.kafka.publisher import enqueue, positions, release
from claimstream.config.kafka import KafkaSettings
from claimstream.errors import PublishAborted
from claimstream.ports.broker import Outgoing, Partition
from claimstream.ports.clock import Clock
from claimstream.streaming.deadline import Deadline

REMAINING = -1.0
"""librdkafka's word for what is left of the transaction's timeout, its recommended value."""
UNKNOWN_AFTER = frozenset({KafkaError._TIMED_OUT, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN})
"""Errors on the wire: a request may have arrived without its answer."""

MakeProducer = Callable[[client_config.Config], Producer]


class TransactionalPublisher:
    """One producer at a time under one transactional id."""

    def __init__(self, settings: KafkaSettings, clock: Clock, make: MakeProducer = Producer) -> None:
        self._settings = settings
        self._clock = clock
        self._make = make
        self._producer: Producer | None = None
        self._initialised = False
        self._suspect = ""

    def ready(self) -> None:
        """Replace a producer whose last transaction is in doubt, and make the new one the only one alive."""
        if self._producer is not None:
            self._producer.poll(0)
        if self._suspect:
            logger.warning("the producer %s is replaced: %s", self._settings.transactional_id, self._suspect)
            self._discard()
        if self._producer is None:
            self._producer = self._make(self._config())
        if not self._initialised:
            self._initialise(self._producer)

    def publish(self, consumer: Consumer, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """Begin, write, send the offsets, commit."""
        self.ready()
        assert self._producer is not None
        deadline = Deadline.after(self._clock, self._settings.transaction_timeout_seconds)
        try:
            self._producer.begin_transaction()
            enqueue(self._producer, records, deadline)
            metadata = consumer.consumer_group_metadata()
            self._producer.send_offsets_to_transaction(positions(offsets), metadata, deadline.remaining())
        except (KafkaException, BufferError) as error:
            self._abort(error, deadline)
        try:
            self._producer.commit_transaction(REMAINING)
        except KafkaException as error:
            self._commit_failed(error_of(error), deadline)

    def close(self) -> None:
        """Let the producer go; an open transaction was aborted before."""
        self._discard()

    def _config(self) -> client_config.Config:
        config = client_config.transactional_producer(self._settings)
        return {**config, "error_cb": self._heard, "logger": logger}

    def _heard(self, error: KafkaError) -> None:
        """A request on a connection that broke may still be carried out: no further transaction on it."""
        if error.code() in UNKNOWN_AFTER and self._initialised:
            self._suspect = self._suspect or describe(error)

    def _initialise(self, producer: Producer) -> None:
        try:
            producer.init_transactions(self._settings.request_timeout_seconds)
        except KafkaException as exception:
            error = error_of(exception)
            if not error.retriable():
                self._discard()
            raise translated(error, "starting the producer", self._settings.bootstrap) from exception
        self._initialised = True
        self._suspect = ""

    def _abort(self, exception: KafkaException | BufferError, deadline: Deadline) -> None:
        """Roll back a transaction that was not committed. Always raises."""
        error = error_of(exception) if isinstance(exception, KafkaException) else None
        text = str(exception) if error is None else describe(error)
        if error is not None and error.code() in FENCED_CODES:
            self._fenced(error, deadline)
        if error is not None and error.fatal():
            self._doubt(text)
        assert self._producer is not None
        try:
            self._producer.abort_transaction(REMAINING)
        except KafkaException as abort_error:
            self._doubt(f"{text}; and the abort failed: {describe(error_of(abort_error))}")
        # An aborted producer's sequence numbers may have a gap, which spoils the next transaction as well.
        self._suspect = f"its transaction was aborted: {text}"
        raise PublishAborted(text) from exception

    def _commit_failed(self, error: KafkaError, deadline: Deadline) -> None:
        """Abort what is known not to be committed, doubt the rest. Always raises."""
        if error.code() in FENCED_CODES:
            self._fenced(error, deadline)
        if error.txn_requires_abort() and error.code() not in UNKNOWN_AFTER:
            self._abort(KafkaException(error), deadline)
        self._doubt(describe(error))

    def _fenced(self, error: KafkaError, deadline: Deadline) -> None:
        """Replaced by another process, unless the broker gave up on a transaction that lasted too long."""
        if deadline.expired:
            self._doubt(f"the transaction outlived its timeout: {describe(error)}")
        raise fenced(error, "publishing")

    def _doubt(self, why: str) -> None:
        self._suspect = why
        raise PublishAborted(f"the outcome of a transaction is unknown: {why}")

    def _discard(self) -> None:
        producer, self._producer = self._producer, None
        self._initialised = False
        self._suspect = ""
        if producer is not None:
            release(producer)
