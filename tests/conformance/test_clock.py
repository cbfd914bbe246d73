"""What may be relied on in a clock."""

import time

import pytest

from claimstream.adapters.system.clock import SystemClock
from claimstream.ports.clock import Clock
from claimstream.testing.clock import FakeClock


@pytest.fixture(params=[SystemClock, FakeClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    made: Clock = request.param()
    return made


def test_sleeping_moves_both_clocks_by_at_least_as_much(clock: Clock) -> None:
    monotonic, wall = clock.monotonic(), clock.time_ns()
    clock.sleep(0.02)
    assert clock.monotonic() - monotonic >= 0.019
    assert clock.time_ns() - wall >= 19_000_000


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_time_is_no_wait(clock: Clock, seconds: float) -> None:
    before = clock.monotonic()
    clock.sleep(seconds)
    assert clock.monotonic() >= before


def test_the_wall_clock_is_of_this_century(clock: Clock) -> None:
    assert 1_700_000_000 < clock.time_ns() / 1e9 < 4_000_000_000


def test_the_system_clock_is_the_machines() -> None:
    before = time.time_ns()
    assert before <= SystemClock().time_ns() <= time.time_ns()
