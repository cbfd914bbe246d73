"""librdkafka's messages as the ports know them."""

from confluent_kafka import Message

from claimstream.contracts.codec import Headers
from claimstream.ports.broker import Partition, Record


def record_of(message: Message) -> Record:
    """A message without an error as a record."""
    return Record(
        partition=Partition(str(message.topic()), int(message.partition() or 0)),
        offset=int(message.offset() or 0),
        key=message.key(),
        value=message.value(),
        headers=headers_of(message),
        timestamp_ms=message.timestamp()[1],
    )


def headers_of(message: Message) -> Headers:
    """Headers in order; a null value is an empty one."""
    pairs = message.headers() or []
    items = pairs.items() if isinstance(pairs, dict) else pairs
    return tuple((name, value.encode() if isinstance(value, str) else value or b"") for name, value in items)
