"""The handler on one micro-batch: a record that breaks it is found and set aside, the others go on."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from claimstream.contracts.codec import encode
from claimstream.contracts.topics import largest_value
from claimstream.errors import ConfigurationError, InvalidMessage, Unavailable
from claimstream.ports.broker import Outgoing
from claimstream.streaming.assembler import Entry
from claimstream.streaming.outcomes import DeadLetter, Drop, Handler, Outcome, Publish, Received

T = TypeVar("T")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """The encoded records of one handled message."""

    records: tuple[Outgoing, ...]


Result = Written | DeadLetter | Drop


def handle(entries: Sequence[Entry[T]], handler: Handler[T]) -> list[Result]:
    """One result an entry, in order. Raises Unavailable and ConfigurationError of the handler, nothing else.

    A message with a result beyond its topic's limit becomes a dead letter: it could never be published and would
    block the partition.
    """
    good = [entry.content for entry in entries if isinstance(entry.content, Received)]
    outcomes = iter(_outcomes(good, handler))
    results: list[Result] = []
    for entry in entries:
        if isinstance(entry.content, DeadLetter):
            results.append(entry.content)
        else:
            results.append(_result(entry.content, next(outcomes)))
    return results


def _outcomes(batch: Sequence[Received[T]], handler: Handler[T]) -> list[Outcome]:
    """The handler's outcomes; where it raises, halves of the batch until the records to blame stand alone."""
    if not batch:
        return []
    try:
        return _checked(batch, handler(batch))
    except (Unavailable, ConfigurationError):
        raise
    except InvalidMessage as error:
        cause = DeadLetter(error.reason, error.detail)
    except Exception as error:
        logger.error("the handler failed with %s on %d records", type(error).__name__, len(batch))
        logger.debug("the handler's error", exc_info=True)
        cause = DeadLetter("handler_error", f"{type(error).__name__}: {error}")
    if len(batch) == 1:
        return [cause]
    middle = len(batch) // 2
    return _outcomes(batch[:middle], handler) + _outcomes(batch[middle:], handler)


def _checked(batch: Sequence[Received[T]], outcomes: Sequence[Outcome]) -> list[Outcome]:
    if len(outcomes) != len(batch):
        raise RuntimeError(f"the handler returned {len(outcomes)} outcomes for {len(batch)} messages")
    return list(outcomes)


def _result(received: Received[T], outcome: Outcome) -> Result:
    if not isinstance(outcome, Publish):
        return outcome
    try:
        written = _encoded(received, outcome)
    except Exception as error:
        return DeadLetter("not_encodable", f"{type(error).__name__}: {error}")
    for record in written.records:
        size, limit = len(record.value or b""), largest_value(record.topic)
        if size > limit:
            return DeadLetter("result_too_large", f"{size} bytes for {record.topic}, the limit is {limit}")
    return written


def _encoded(received: Received[T], outcome: Publish) -> Written:
    records = []
    for addressed in outcome.messages:
        value, headers = encode(addressed.message, received.span.traceparent)
        key = addressed.key.encode()
        records.append(Outgoing(topic=addressed.topic, key=key, value=value, headers=headers))
    return Written(tuple(records))
