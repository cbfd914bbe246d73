"""What one judged batch comes to: records to write, offsets to commit, partitions to hold. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from claimstream.ports.broker import Outgoing, Partition
from claimstream.streaming.assembler import Entry
from claimstream.streaming.deadletters import DeadLetterLimits, TenantHistory, dead_letter
from claimstream.streaming.handling import Result, Written
from claimstream.streaming.outcomes import DeadLetter

T = TypeVar("T")
Histories = Mapping[str, TenantHistory]


@dataclass(slots=True)
class Settlement(Generic[T]):
    """The sum of a batch. `histories` replaces the old ones only once the batch is published."""

    histories: dict[str, TenantHistory]
    records: list[Outgoing] = field(default_factory=list)
    offsets: dict[Partition, int] = field(default_factory=dict)
    settled: list[tuple[Entry[T], Result]] = field(default_factory=list)
    held: dict[Partition, str] = field(default_factory=dict)
    """Partitions that stop before a record of a paused tenant, with that tenant."""
    tripped: dict[str, str] = field(default_factory=dict)
    """Tenants that went beyond their limits in this batch, with the reason."""


def settle(
    entries: Sequence[Entry[T]],
    results: Sequence[Result],
    *,
    dropped: Collection[Partition],
    histories: Histories,
    limits: DeadLetterLimits,
    paused: Collection[str],
) -> Settlement[T]:
    """Go through a batch in order.

    Entries of `dropped` partitions are skipped. The offset of a partition is its last settled record + 1. A
    dead letter of a paused tenant, or one that trips the limits, holds its partition at that record.
    """
    settlement: Settlement[T] = Settlement(dict(histories))
    for entry, result in zip(entries, results, strict=True):
        if entry.partition in dropped or entry.partition in settlement.held:
            continue
        if _holds(settlement, entry, result, limits, paused):
            settlement.held[entry.partition] = entry.tenant
            continue
        settlement.settled.append((entry, result))
        settlement.offsets[entry.partition] = entry.record.offset + 1
        settlement.records.extend(_records(entry, result))
    return settlement


def _holds(
    settlement: Settlement[T],
    entry: Entry[T],
    result: Result,
    limits: DeadLetterLimits,
    paused: Collection[str],
) -> bool:
    """Whether this record stays unread; otherwise it is counted."""
    dead = isinstance(result, DeadLetter)
    if dead and (entry.tenant in paused or entry.tenant in settlement.tripped):
        return True
    history = settlement.histories.get(entry.tenant, TenantHistory()).after(dead, limits.window)
    reason = limits.trip(history) if dead else None
    if reason is not None:
        settlement.tripped[entry.tenant] = reason
        return True
    settlement.histories[entry.tenant] = history
    return False


def _records(entry: Entry[T], result: Result) -> Sequence[Outgoing]:
    if isinstance(result, DeadLetter):
        return [dead_letter(entry.record, result, entry.span.traceparent)]
    return result.records if isinstance(result, Written) else ()
