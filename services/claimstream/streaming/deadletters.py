"""Dead letters: what goes into one, whose it is, and how many a tenant may have before its input is paused."""

from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from claimstream.contracts import codec
from claimstream.contracts.messages import PathSegment
from claimstream.contracts.topics import DLQ_SUFFIX
from claimstream.ports.broker import Outgoing, Record
from claimstream.streaming.outcomes import DeadLetter

UNKNOWN_TENANT: Final = "unknown"
TENANT_HEADER: Final = "tenant"
DETAIL_LIMIT: Final = 1_000
"""Characters of the detail header: far below the headroom of the dead-letter topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterLimits:
    """How many dead letters one tenant may have; one more pauses its input."""

    max_run: int = 25
    """Dead letters in a row."""
    max_ratio: float = 0.5
    """Share of dead letters over the last `window` records, once `min_records` were seen."""
    window: int = 200
    min_records: int = 50

    def trip(self, history: "TenantHistory") -> str | None:
        """Why this history is beyond the limits, or None."""
        if history.run > self.max_run:
            return f"more than {self.max_run} dead letters in a row"
        seen, dead = len(history.recent), sum(history.recent)
        if seen >= self.min_records and dead > self.max_ratio * seen:
            return f"{dead} of the last {seen} records are dead letters, more than {self.max_ratio:.0%}"
        return None


@dataclass(frozen=True, slots=True)
class TenantHistory:
    """What became of a tenant's latest records: a value, so that an aborted batch leaves no trace in it."""

    run: int = 0
    recent: tuple[bool, ...] = ()

    def after(self, dead: bool, window: int) -> "TenantHistory":
        """The history with one more record; it remembers `window` of them."""
        kept = self.recent[1 - window :] if window > 1 else ()
        return replace(self, run=self.run + 1 if dead else 0, recent=(*kept, dead))


class _TenantOnly(msgspec.Struct):
    tenant: Any = None


_tenants = msgspec.json.Decoder(_TenantOnly)


def tenant_of_record(record: Record) -> str:
    """The tenant of a record that could not be decoded: its header, its top-level JSON field, or `unknown`."""
    named = codec.header(record.headers, TENANT_HEADER) or _tenant_in_json(record.value)
    try:
        return msgspec.convert(named, PathSegment)
    except msgspec.ValidationError:
        return UNKNOWN_TENANT


def _tenant_in_json(value: bytes | None) -> object:
    try:
        return _tenants.decode(value or b"").tenant
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def dead_letter(record: Record, why: DeadLetter, traceparent: str | None) -> Outgoing:
    """The raw bytes with their own headers, then where they came from and why they are here."""
    origin = {
        codec.REASON: why.reason,
        codec.DETAIL: _plain(why.detail)[:DETAIL_LIMIT],
        codec.SOURCE_TOPIC: record.partition.topic,
        codec.SOURCE_PARTITION: str(record.partition.number),
        codec.SOURCE_OFFSET: str(record.offset),
    }
    if traceparent:
        origin[codec.TRACEPARENT] = traceparent
    return Outgoing(
        topic=record.partition.topic + DLQ_SUFFIX,
        key=record.key,
        value=record.value,
        headers=record.headers + codec.to_headers(origin),
    )


def _plain(text: str) -> str:
    """Text without lone surrogates, which UTF-8 cannot carry."""
    return text.encode("utf-8", errors="backslashreplace").decode()
