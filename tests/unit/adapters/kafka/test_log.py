"""A line that repeats is written once in a while."""

import logging

from claimstream.adapters.kafka.log import MOST_KEPT, REPEAT_SECONDS, Seldom


def line(text: str, at: float) -> logging.LogRecord:
    record = logging.LogRecord("claimstream.kafka", logging.ERROR, "", 0, text, None, None)
    record.created = at
    return record


def test_a_repeated_line_passes_once_in_a_period_whatever_its_times() -> None:
    seldom = Seldom()
    lines = [line(f"FAIL: Connection refused (after {n}ms in state CONNECT)", 100.0 + n) for n in range(25)]
    assert [seldom.filter(one) for one in lines] == [n % REPEAT_SECONDS == 0 for n in range(25)]


def test_another_line_passes_at_once() -> None:
    seldom = Seldom()
    assert seldom.filter(line("one", 1.0))
    assert seldom.filter(line("two", 1.0))


def test_it_remembers_no_more_than_it_must() -> None:
    seldom = Seldom()
    for number in range(3 * MOST_KEPT):
        assert seldom.filter(line(str(number), 1.0))
    assert len(seldom._said) <= MOST_KEPT
