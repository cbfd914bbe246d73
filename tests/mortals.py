"""Members of a group that are killed on purpose and started again, as the tests of faults need them."""

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

TESTS = Path(__file__).parent
PATIENCE_SECONDS = 150.0


@dataclass(frozen=True)
class Incident:
    """How one run of a member ends: by its own hand inside a transaction, or `after` seconds of work."""

    transaction: int = 0
    point: str = ""
    after: float = 0.0

    @property
    def inside_a_transaction(self) -> bool:
        return self.transaction > 0


def plan(seed: int) -> list[Incident]:
    """Six incidents, two of them between the first produce and the commit."""
    dice = random.Random(seed)
    inside = [Incident(dice.randint(1, 3), point) for point in ("produce", "offsets")]
    outside = [Incident(after=dice.uniform(0.1, 1.2)) for _ in range(4)]
    incidents = inside + outside
    dice.shuffle(incidents)
    return incidents


@dataclass
class Member:
    """A process that is started again whenever it ends, with one incident after the other."""

    command: list[str]
    incidents: list[Incident]
    log: IO[bytes]
    stop: threading.Event = field(default_factory=threading.Event)
    killed: list[Incident] = field(default_factory=list)
    last_status: int | None = None

    def run(self) -> None:
        while not self.stop.is_set():
            incident = self.incidents[0] if self.incidents else None
            with self._process(incident) as process:
                if incident is not None and not incident.inside_a_transaction:
                    self._kill_while_working(process, incident.after)
                self._until_end(process)
            self.last_status = process.returncode
            if incident is not None and process.returncode == -signal.SIGKILL:
                self.killed.append(self.incidents.pop(0))

    @contextmanager
    def _process(self, incident: Incident | None) -> Iterator["subprocess.Popen[bytes]"]:
        extra = ["--die-in", str(incident.transaction), "--die-after", incident.point] if incident else []
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        with subprocess.Popen(
            [*self.command, *extra], stdout=subprocess.PIPE, stderr=self.log, env=environment
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def _kill_while_working(self, process: "subprocess.Popen[bytes]", after: float) -> None:
        assert process.stdout is not None
        if process.stdout.readline():
            self.stop.wait(after)
            process.kill()

    def _until_end(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        while process.poll() is None:
            if self.stop.wait(0.1):
                process.terminate()
                process.wait(30)
        drain.join(5)


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE_SECONDS} s: {what}"
        time.sleep(0.5)
