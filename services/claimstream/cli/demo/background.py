"""The verifier's loop on a thread of its own, while the main thread shows what comes out."""

import threading
from typing import Any

from claimstream.ports.clock import Clock
from claimstream.runtime.health_file import HealthFile
from claimstream.runtime.serve import serve
from claimstream.streaming.runner import Runner


class Background:
    """Runs from its making until `close`."""

    def __init__(self, runner: Runner[Any], clock: Clock) -> None:
        self._runner = runner
        self._health = HealthFile(None, clock)
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="verifier", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raise what ended the loop, if something did."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Let it finish the batch in flight and leave its group."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            serve(self._runner, self._stop, self._health)
        except BaseException as error:
            self._error = error
