"""A running loop: until a signal, an error, or the caller says stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from claimstream.runtime.health_file import HealthFile
from claimstream.streaming.health import STARTING, Health, HealthState
from claimstream.streaming.runner import Runner

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """An event that SIGTERM and SIGINT set; a second one of them ends the process at once.

    Only in the main thread; the handlers from before come back at the end.
    """
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}

    def asked(number: int, _: FrameType | None) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    for number in STOP_SIGNALS:
        signal.signal(number, asked)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(runner: Runner[Any], stop: threading.Event, health: HealthFile) -> None:
    """Run until `stop` is set, then finish within the runner's deadline and leave the group.

    Raises what ended the loop otherwise (Fenced, ConfigurationError, Unavailable at the start); then nothing
    more is published and the health file says why.
    """
    health.write(STARTING)
    try:
        runner.start()
        while not stop.is_set():
            runner.step()
            health.write(runner.health)
        runner.close()
    except BaseException as error:
        health.write(Health(HealthState.UNHEALTHY, (f"stopped: {error or type(error).__name__}",)))
        runner.abandon()
        raise
