"""A worker without a thread: work is done at once, or when the test says so."""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from claimstream.ports.clock import Clock
from claimstream.streaming.worker import Job

R = TypeVar("R")


class _ManualJob(Generic[R]):
    def __init__(self, worker: "ManualWorker", work: Callable[[], R]) -> None:
        self._worker = worker
        self._work = work
        self._value: R
        self._error: Exception | None = None
        self._done = False

    def run(self) -> None:
        self._done = True
        try:
            self._value = self._work()
        except Exception as error:
            self._error = error

    def wait(self, seconds: float) -> bool:
        if not self._done:
            self._worker.waited(seconds)
        return self._done

    def result(self) -> R:
        if self._error is not None:
            raise self._error
        return self._value


class ManualWorker:
    """Holds work back until `run`, or, with `immediate`, does it inside `submit`.

    Waiting moves the clock; work that takes no longer than `work_seconds` is done within such a wait.
    """

    def __init__(self, clock: Clock, *, immediate: bool = True, work_seconds: float | None = None) -> None:
        self._clock = clock
        self._immediate = immediate
        self._work_seconds = work_seconds
        self._waiting: deque[Callable[[], None]] = deque()
        self.closed = False

    def submit(self, work: Callable[[], R]) -> Job[R]:
        """Take work."""
        job = _ManualJob(self, work)
        self._waiting.append(job.run)
        if self._immediate:
            self.run()
        return job

    def run(self) -> int:
        """Do all work that waits; returns how much there was."""
        done = 0
        while self._waiting:
            self._waiting.popleft()()
            done += 1
        return done

    def waited(self, seconds: float) -> None:
        """Somebody waits for a job: time passes, and with enough of it the work is done."""
        self._clock.sleep(seconds)
        if seconds > 0 and self._work_seconds is not None and self._work_seconds <= seconds:
            self.run()

    def close(self) -> None:
        """Note that nothing more comes."""
        self.closed = True
