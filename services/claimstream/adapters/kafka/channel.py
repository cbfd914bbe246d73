"""A member of a consumer group with its producer, as the loop sees it."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, TopicPartition

from claimstream.adapters.kafka import client_config
from claimstream.adapters.kafka.at_least_once import AtLeastOncePublisher
from claimstream.adapters.kafka.failures import describe, error_of, is_fatal, no_broker, translated
from claimstream.adapters.kafka.log import logger
from claimstream.adapters.kafka.publisher import Publisher
from claimstream.adapters.kafka.records import record_of
from claimstream.adapters.kafka.transactions import TransactionalPublisher
from claimstream.config.kafka import KafkaSettings
from claimstream.errors import BrokerUnavailable, ConfigurationError
from claimstream.ports.broker import Outgoing, Partition, Rebalance, Record
from claimstream.ports.clock import Clock

MakeConsumer = Callable[[client_config.Config], Consumer]
REJOIN_SECONDS = 1.0
HARMLESS = frozenset({KafkaError._PARTITION_EOF, KafkaError._MAX_POLL_EXCEEDED})
"""Nothing to do: the client goes on, or joins again, by itself."""


class KafkaChannel:
    """One consumer, one publisher. Nothing connects before `subscribe`."""

    def __init__(
        self,
        settings: KafkaSettings,
        clock: Clock,
        *,
        publisher: Publisher | None = None,
        make_consumer: MakeConsumer = Consumer,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._publisher = publisher or _publisher(settings, clock)
        self._make_consumer = make_consumer
        self._consumer: Consumer | None = None
        self._topics: list[str] = []
        self._rebalance: Rebalance | None = None
        self._assigned: set[Partition] = set()
        self._committed: dict[Partition, int] = {}
        self._batch: list[Record] = []
        self._down = ""
        self._outside = ""
        self._join_at = 0.0
        self._trouble: KafkaError | None = None

    def subscribe(self, topics: Sequence[str], rebalance: Rebalance) -> None:
        """Check that the topics are there, end what an earlier run left open, join the group.

        Raises BrokerUnavailable, ConfigurationError for a missing topic.
        """
        self._topics, self._rebalance = list(topics), rebalance
        consumer = self._new_consumer()
        self._consumer = consumer
        self._check_topics(consumer)
        self._publisher.ready()
        self._join(consumer)

    def poll(self, timeout_seconds: float, max_records: int) -> Sequence[Record]:
        """Records as they come; of partitions that were revoked meanwhile none."""
        self._batch = []
        self._join_again(timeout_seconds)
        message = self._joined().poll(timeout_seconds)
        while message is not None and self._took(message) and len(self._batch) < max_records:
            message = self._joined().poll(0)
        records, self._batch = self._batch, []
        if not records:
            self._raise_trouble()
        return records

    def assignment(self) -> frozenset[Partition]:
        """As the last rebalance left it."""
        return frozenset(self._assigned)

    def pause(self, partitions: Collection[Partition]) -> None:
        """Pause those that are assigned."""
        self._joined().pause(_positions(self._assigned & set(partitions)))

    def resume(self, partitions: Collection[Partition]) -> None:
        """Resume those that are assigned."""
        self._joined().resume(_positions(self._assigned & set(partitions)))

    def publish(self, records: Sequence[Outgoing], offsets: Mapping[Partition, int]) -> None:
        """As the publisher does it."""
        self._publisher.publish(self._joined(), records, offsets)
        self._committed.update(offsets)

    def rewind(self, partitions: Collection[Partition]) -> None:
        """First settle a transaction in doubt, then go back to what is committed."""
        wanted = _positions(self._assigned & set(partitions))
        if not wanted:
            return
        self._publisher.ready()
        try:
            for found in self._joined().committed(wanted, timeout=self._settings.request_timeout_seconds):
                if found.error is not None:
                    raise KafkaException(found.error)
                self._seek_to(Partition(found.topic, found.partition), found.offset)
        except KafkaException as error:
            raise translated(error_of(error), "rewinding", self._settings.bootstrap) from error

    def _seek_to(self, partition: Partition, offset: int) -> None:
        """Read on from a committed offset; one below what this member committed itself is not believed.

        A broker that was killed answers for a moment from its last checkpoint, before it has read all of its log.
        """
        known = self._committed.get(partition, 0)
        if max(0, offset) < known:  # no offset at all is a negative number
            raise BrokerUnavailable(
                f"the group's offset of {_named([partition])} is {offset}, and {known} was committed: "
                "the broker has not caught up with its own log yet"
            )
        self._joined().seek(TopicPartition(*partition, offset if offset >= 0 else OFFSET_BEGINNING))
        self._committed[partition] = max(0, offset)

    def lag(self) -> Mapping[Partition, int]:
        """From what the last fetches told; partitions that were not read yet are left out."""
        self._learn_committed()
        lags = {}
        for partition in self._assigned:
            ends = self._joined().get_watermark_offsets(TopicPartition(*partition), cached=True)
            if ends is None or ends[1] < 0:
                continue
            start = self._committed.get(partition, max(0, ends[0]))
            lags[partition] = max(0, ends[1] - start)
        return lags

    def _learn_committed(self) -> None:
        """Ask once for the positions of partitions that came from elsewhere; best effort."""
        unknown = self._assigned - self._committed.keys()
        if not unknown:
            return
        try:
            found = self._joined().committed(_positions(unknown), timeout=self._settings.request_timeout_seconds)
        except KafkaException as error:
            logger.info("the committed offsets are not known: %s", describe(error_of(error)))
            return
        self._committed.update(
            {
                Partition(one.topic, one.partition): one.offset
                for one in found
                if one.error is None and one.offset >= 0
            }
        )

    def close(self) -> None:
        """Leave; a static member of a classic group keeps its partitions until its session ends."""
        consumer, self._consumer = self._consumer, None
        self._topics = []
        if consumer is not None:
            consumer.close()
        self._assigned.clear()
        self._publisher.close()

    # The consumer's life.

    def _new_consumer(self) -> Consumer:
        config = client_config.consumer(self._settings)
        return self._make_consumer({**config, "error_cb": self._heard, "stats_cb": self._counted, "logger": logger})

    def _join(self, consumer: Consumer) -> None:
        consumer.subscribe(
            self._topics, on_assign=self._on_assign, on_revoke=self._on_revoke, on_lost=self._on_lost
        )

    def _joined(self) -> Consumer:
        if self._consumer is None:
            raise BrokerUnavailable("this member has not joined its group: call subscribe")
        return self._consumer

    def _check_topics(self, consumer: Consumer) -> None:
        try:
            known = consumer.list_topics(timeout=self._settings.request_timeout_seconds).topics
        except KafkaException as error:
            raise no_broker(self._settings.bootstrap, error_of(error)) from error
        missing = sorted(set(self._topics) - set(known))
        if missing:
            raise ConfigurationError(
                f"the broker at {self._settings.bootstrap} has no topic {', '.join(missing)}: "
                "create it with `claimstream topics create`"
            )

    def _give_up(self, error: KafkaError) -> None:
        """Drop a consumer that failed for good, and try with a new one a little later.

        The usual cause: a member of the `consumer` protocol was killed and came back while the group still
        counts its former self, until that one's session ends.
        """
        consumer, self._consumer = self._joined(), None
        consumer.close()
        if self._assigned and self._rebalance is not None:
            self._rebalance.lost(frozenset(self._assigned))
            self._assigned.clear()
        self._join_at = self._clock.monotonic() + REJOIN_SECONDS
        self._outside = describe(error)

    def _join_again(self, timeout_seconds: float) -> None:
        """Come back with a new consumer when it is time. Raises BrokerUnavailable until then."""
        if self._consumer is not None or not self._topics:
            return
        if self._clock.monotonic() < self._join_at:
            self._clock.sleep(timeout_seconds)
            raise BrokerUnavailable(f"waiting to join the group {self._settings.group_id}: {self._outside}")
        self._consumer = self._new_consumer()
        self._join(self._consumer)

    # What librdkafka tells us.

    def _took(self, message: Message) -> bool:
        """Put a record into the batch; False when an error was in its place."""
        error = message.error()
        if error is None:
            record = record_of(message)
            if record.partition in self._assigned:
                self._batch.append(record)
            return True
        if error.code() not in HARMLESS:
            self._trouble = error
        return False

    def _raise_trouble(self) -> None:
        error, self._trouble = self._trouble, None
        if error is not None:
            if is_fatal(error):
                self._give_up(error)
            raise translated(error, "polling", self._settings.bootstrap)
        if self._down:
            raise BrokerUnavailable(f"no connection to Kafka at {self._settings.bootstrap}: {self._down}")

    def _heard(self, error: KafkaError) -> None:
        if error.code() == KafkaError._ALL_BROKERS_DOWN:
            self._down = describe(error)
        else:
            logger.info("the consumer heard: %s", describe(error))

    def _counted(self, statistics: str) -> None:
        brokers = json.loads(statistics)["brokers"].values()
        if any(broker["state"] == "UP" for broker in brokers):
            self._down = ""

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        consumer.incremental_assign(partitions)
        self._assigned |= _partitions(partitions)
        logger.info("assigned %s", _named(self._assigned))

    def _on_revoke(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        gone = _partitions(partitions)
        try:
            if self._rebalance is not None:
                self._rebalance.revoked(gone)
        finally:
            self._forget(consumer, partitions, gone)

    def _on_lost(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        gone = _partitions(partitions)
        try:
            if self._rebalance is not None:
                self._rebalance.lost(gone)
        finally:
            self._forget(consumer, partitions, gone)

    def _forget(self, consumer: Consumer, partitions: list[TopicPartition], gone: set[Partition]) -> None:
        self._assigned -= gone
        self._batch = [record for record in self._batch if record.partition not in gone]
        for partition in gone:
            self._committed.pop(partition, None)
        consumer.incremental_unassign(partitions)
        logger.info("gave back %s, left with %s", _named(gone), _named(self._assigned))


def _publisher(settings: KafkaSettings, clock: Clock) -> Publisher:
    if settings.delivery == "at_least_once":
        return AtLeastOncePublisher(settings, clock)
    return TransactionalPublisher(settings, clock)


def _partitions(positions: Collection[TopicPartition]) -> set[Partition]:
    return {Partition(one.topic, one.partition) for one in positions}


def _positions(partitions: Collection[Partition]) -> list[TopicPartition]:
    return [TopicPartition(which.topic, which.number) for which in sorted(partitions)]


def _named(partitions: Collection[Partition]) -> str:
    return ", ".join(f"{which.topic}[{which.number}]" for which in sorted(partitions)) or "nothing"
