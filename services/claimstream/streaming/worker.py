"""One thread that judges, so that the thread that polls never stands still."""

import queue
import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Job(Protocol[R_co]):
    """Work that was handed over."""

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; True when the work is done."""

    def result(self) -> R_co:
        """What the work returned, or its exception; only once it is done."""


class Worker(Protocol):
    """Does one piece of work after the other, in order."""

    def submit(self, work: Callable[[], R]) -> Job[R]:
        """Hand work over and return at once."""

    def close(self) -> None:
        """Take no more work; what runs may end by itself."""


class _ThreadJob(Generic[R]):
    def __init__(self, work: Callable[[], R]) -> None:
        self._work = work
        self._done = threading.Event()
        self._value: R
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._value = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    def wait(self, seconds: float) -> bool:
        return self._done.wait(seconds)

    def result(self) -> R:
        if self._error is not None:
            raise self._error
        return self._value


class ThreadWorker:
    """A worker on a daemon thread: work that hangs cannot keep the process from ending."""

    def __init__(self, name: str = "handler") -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], R]) -> Job[R]:
        """Hand work over; it runs after what was handed over before."""
        job = _ThreadJob(work)
        self._jobs.put(job.run)
        return job

    def close(self) -> None:
        """Let the thread end after its present work."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (run := self._jobs.get()) is not None:
            run()
