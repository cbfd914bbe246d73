"""Micro-batches: order, limits, and what a full buffer says."""

import pytest

from claimstream.ports.broker import Partition, Record
from claimstream.ports.off import NullSpan
from claimstream.streaming.assembler import Assembler, BatchLimits, Entry
from loop import DEAD

LIMITS = BatchLimits(max_bytes=100, max_records=4, max_age_seconds=0.5, buffer_bytes=400, buffer_records=10)


def entry(offset: int, size: int = 1, number: int = 0, read_at: float = 0.0) -> Entry[str]:
    record = Record(partition=Partition("t", number), offset=offset, key=None, value=b"x" * size)
    return Entry(record=record, tenant="acme", span=NullSpan(), content=DEAD, read_at=read_at)


def filled(*sizes: int) -> Assembler[str]:
    assembler: Assembler[str] = Assembler(LIMITS)
    for offset, size in enumerate(sizes):
        assembler.add(entry(offset, size))
    return assembler


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [
        ((), [()]),
        ((1, 1, 1), [(0, 1, 2)]),
        ((1, 1, 1, 1, 1), [(0, 1, 2, 3), (4,)]),
        ((60, 60, 60), [(0,), (1,), (2,)]),
        ((50, 50, 1), [(0, 1), (2,)]),
        ((1, 500, 1), [(0,), (1,), (2,)]),
        ((500, 1), [(0,), (1,)]),
    ],
)
def test_batches(sizes: tuple[int, ...], batches: list[tuple[int, ...]]) -> None:
    assembler = filled(*sizes)
    assert [tuple(one.record.offset for one in assembler.take()) for _ in batches] == batches
    assert len(assembler) == 0


@pytest.mark.parametrize(
    ("sizes", "now", "expected"),
    [
        ((), 9.0, None),
        ((1,), 0.0, 0.5),
        ((1,), 0.25, 0.25),
        ((1,), 0.5, 0.0),
        ((1,), 7.0, 0.0),
        ((1, 1, 1, 1), 0.0, 0.0),
        ((100,), 0.0, 0.0),
    ],
)
def test_when_a_batch_is_due(sizes: tuple[int, ...], now: float, expected: float | None) -> None:
    assert filled(*sizes).ready_in(now) == expected


@pytest.mark.parametrize(
    ("sizes", "full", "low"),
    [((1,) * 5, False, True), ((1,) * 6, False, False), ((1,) * 10, True, False), ((400,), True, False)],
)
def test_back_pressure_has_a_gap(sizes: tuple[int, ...], full: bool, low: bool) -> None:
    assembler = filled(*sizes)
    assert (assembler.full, assembler.low) == (full, low)


def test_dropping_partitions_keeps_the_others_in_order() -> None:
    assembler: Assembler[str] = Assembler(LIMITS)
    for offset in range(6):
        assembler.add(entry(offset, number=offset % 2))
    gone = assembler.drop([Partition("t", 0)])
    assert [one.record.offset for one in gone] == [0, 2, 4]
    assert [one.record.offset for one in assembler.take()] == [1, 3, 5]


def test_how_full_a_batch_is() -> None:
    assembler = filled(10, 80)
    assert assembler.fill(assembler.take()) == 0.9
