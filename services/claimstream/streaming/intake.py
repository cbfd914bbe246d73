"""From a record to an entry: decoded at once, so that a bad record never costs a batch."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from claimstream.contracts.codec import Headers
from claimstream.errors import InvalidMessage
from claimstream.ports.broker import Record
from claimstream.ports.clock import Clock
from claimstream.ports.tracing import Tracer
from claimstream.streaming.assembler import Entry
from claimstream.streaming.deadletters import tenant_of_record
from claimstream.streaming.outcomes import DeadLetter, Received

T = TypeVar("T")
Decode = Callable[[bytes | None, Headers], T]
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Intake(Generic[T]):
    """How records become messages: `decode` raises InvalidMessage, `tenant_of` names a message's tenant."""

    decode: Decode[T]
    tenant_of: Callable[[T], str]
    clock: Clock
    tracer: Tracer

    def entry(self, record: Record) -> Entry[T]:
        """The record with its span opened; an undecodable one is a dead letter from here on."""
        span = self.tracer.process(record, self.clock.time_ns())
        now = self.clock.monotonic()
        message = self._message(record)
        if isinstance(message, DeadLetter):
            tenant = tenant_of_record(record)
            return Entry(record=record, tenant=tenant, span=span, content=message, read_at=now)
        received = Received(message, record, span, len(record.value or b""))
        tenant = self.tenant_of(message)
        return Entry(record=record, tenant=tenant, span=span, content=received, read_at=now)

    def _message(self, record: Record) -> T | DeadLetter:
        try:
            return self.decode(record.value, record.headers)
        except InvalidMessage as error:
            return DeadLetter(error.reason, error.detail)
        except Exception as error:  # a decoder's own limits, such as the depth of nesting
            logger.warning(
                "decoding failed with %s at %s@%d", type(error).__name__, record.partition, record.offset
            )
            return DeadLetter("not_decodable", f"{type(error).__name__}: {error}")
