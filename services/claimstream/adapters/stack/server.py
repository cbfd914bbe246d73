"""A server as a handle: start, stop, kill, and the wait until it answers."""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from claimstream.adapters.stack.artifacts import Installation
from claimstream.adapters.stack.daemon import Daemon
from claimstream.adapters.stack.ports import require_free
from claimstream.errors import Unavailable

ADDRESS_FILE = "address"
"""Beside the pid: where the server was last started, for those who hold no handle."""

_POLL_SECONDS = 0.2
_LOG_LINES = 15


class Server(ABC):
    """One real server with its own folder; its port and its data stay the same over restarts."""

    name: str

    def __init__(self, installation: Installation, folder: Path, port: int, owner: str) -> None:
        """`owner` is the setting that names the port, for the message when the port is taken."""
        self.installation = installation
        self.folder = folder
        self.port = port
        self.daemon = Daemon(folder)
        self._owner = owner

    @property
    @abstractmethod
    def address(self) -> str:
        """What a client is given: bootstrap servers or a URL."""

    @property
    def running(self) -> bool:
        """Whether the process is there; it may not answer yet."""
        return self.daemon.pid is not None

    @abstractmethod
    def answers(self) -> bool:
        """Whether the server does its work now."""

    def start(self, timeout_seconds: float = 60.0) -> None:
        """Start where it does not run, and wait until it answers.

        Raises ConfigurationError for a port in use, Unavailable with the end of the log where the server ends or
        stays silent; a silent one is killed.
        """
        if not self.running:
            require_free(self.port, self._owner)
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / ADDRESS_FILE).write_text(self.address, encoding="ascii")
            self._prepare()
            self.daemon.start(self._command())
        self._wait(timeout_seconds)

    def stop(self, grace_seconds: float = 20.0) -> None:
        """End it gently, by force after the grace."""
        self.daemon.stop(grace_seconds)

    def kill(self) -> None:
        """SIGKILL: what a power cut does to the process."""
        self.daemon.kill()

    @abstractmethod
    def _prepare(self) -> None:
        """Write what the process reads at its start."""

    @abstractmethod
    def _command(self) -> Sequence[str]:
        """The whole command line."""

    def _java(self, heap_megabytes: int, main: str, *arguments: str) -> list[str]:
        """One JVM: small heap, one collector thread, the quick compiler only."""
        return [
            str(self.installation.java.path),
            self.daemon.mark,
            f"-Xmx{heap_megabytes}m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            f"-Dlog4j2.configurationFile={self.installation.folder / 'log4j2.properties'}",
            *("-cp", self.installation.classpath, main, *arguments),
        ]

    def _wait(self, timeout_seconds: float) -> None:
        deadline = time.monotonic() + timeout_seconds
        while not self.answers():
            if not self.running:
                raise Unavailable(self._failure("ended before it answered"))
            if time.monotonic() > deadline:
                self.kill()
                raise Unavailable(self._failure(f"did not answer at {self.address} within {timeout_seconds:.0f} s"))
            time.sleep(_POLL_SECONDS)

    def _failure(self, what: str) -> str:
        return f"{self.name} {what}. The end of {self.daemon.log}:\n{self.daemon.tail(_LOG_LINES)}"
