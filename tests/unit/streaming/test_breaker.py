"""The circuit breaker: opens after failures in a row, lets one call try, closes on an answer."""

import pytest

from claimstream.streaming.breaker import Breaker, BreakerPolicy

POLICY = BreakerPolicy(failures=3, open_seconds=10.0)


@pytest.mark.parametrize(
    ("events", "now", "allowed"),
    [
        ("", 0.0, True),
        ("ff", 0.0, True),
        ("fff", 0.0, False),
        ("fff", 9.9, False),
        ("fff", 10.0, True),
        ("fsff", 0.0, True),
        ("fffs", 0.0, True),
        ("ffff", 0.0, False),
    ],
)
def test_open_or_closed(events: str, now: float, allowed: bool) -> None:
    breaker = Breaker(POLICY)
    for event in events:
        if event == "f":
            breaker.failed(0.0)
        else:
            breaker.succeeded()
    assert breaker.allows(now) is allowed


def test_a_failed_trial_opens_it_again_for_the_whole_pause() -> None:
    breaker = Breaker(POLICY)
    for _ in range(3):
        breaker.failed(0.0)
    assert breaker.allows(10.0)
    breaker.failed(10.5)
    assert not breaker.allows(20.4)
    assert breaker.allows(20.5)
