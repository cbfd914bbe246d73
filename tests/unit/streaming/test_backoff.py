"""Waiting: growing, bounded, with the jitter that was passed in."""

import pytest

from claimstream.streaming.backoff import Backoff, Retry
from claimstream.streaming.deadline import Deadline
from claimstream.streaming.health import HealthState, health
from claimstream.testing.clock import FakeClock


@pytest.mark.parametrize(
    ("failures", "jitter", "seconds"),
    [(1, 0.0, 0.5), (1, 1.0, 1.0), (2, 1.0, 2.0), (3, 0.5, 3.0), (5, 1.0, 8.0), (10_000, 1.0, 8.0)],
)
def test_delays(failures: int, jitter: float, seconds: float) -> None:
    policy = Backoff(first_seconds=1.0, factor=2.0, most_seconds=8.0)
    assert policy.delay_seconds(failures, jitter) == seconds


def test_a_retry_is_due_after_its_delay_and_forgets_on_success() -> None:
    clock = FakeClock()
    retry = Retry(Backoff(first_seconds=1.0), clock, lambda: 1.0)
    assert retry.due
    assert retry.failed("down") == 1.0
    assert not retry.due
    clock.sleep(1.0)
    assert (retry.due, retry.failing, retry.reason) == (True, True, "down")
    retry.succeeded()
    assert (retry.due, retry.failing, retry.reason) == (True, False, "")


def test_a_deadline_runs_out_once() -> None:
    clock = FakeClock()
    deadline = Deadline.after(clock, 3.0)
    assert (deadline.remaining(), deadline.expired) == (3.0, False)
    clock.sleep(5.0)
    assert (deadline.remaining(), deadline.expired) == (0.0, True)


@pytest.mark.parametrize(
    ("unhealthy", "degraded", "state"),
    [
        ((), (), HealthState.HEALTHY),
        ((), ("d",), HealthState.DEGRADED),
        (("u",), ("d",), HealthState.UNHEALTHY),
    ],
)
def test_the_worst_reason_decides(
    unhealthy: tuple[str, ...], degraded: tuple[str, ...], state: HealthState
) -> None:
    got = health(unhealthy=unhealthy, degraded=degraded)
    assert (got.state, got.reasons) == (state, unhealthy + degraded)
