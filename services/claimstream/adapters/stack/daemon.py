"""One detached process: started into its log file, found again by its pid file, ended gently or not."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

_POLL_SECONDS = 0.05
_KILL_SECONDS = 30
_PROC = Path("/proc")
_SPAWN = 'log="$1"; shift; "$@" >>"$log" 2>&1 </dev/null & echo $!'
"""The shell ends at once, so that the process belongs to init and never lingers as our zombie."""


class Daemon:
    """A process with a folder of its own: `pid`, `server.log` and what it writes itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self._pid_file = folder / "pid"

    @property
    def mark(self) -> str:
        """The word on the command line that tells this process from a stranger with the same pid."""
        return f"-Dclaimstream.stack={self.folder}"

    @property
    def pid(self) -> int | None:
        """The process while it runs, else None."""
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return None
        return pid if self.mark in _command_line(pid) else None

    def start(self, command: Sequence[str]) -> int:
        """Start the process in its own session; `command` must contain `mark`. Returns the pid."""
        self.folder.mkdir(parents=True, exist_ok=True)
        spawned = subprocess.run(
            ["/bin/sh", "-c", _SPAWN, "sh", str(self.log), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=self.folder,
            start_new_session=True,  # Ctrl-C in the terminal is not for the server
            check=True,
        )
        self._pid_file.write_bytes(spawned.stdout.strip())
        return int(spawned.stdout)

    def stop(self, grace_seconds: float) -> None:
        """Ask the process to end and wait; kill it where it has not ended in time."""
        pid = self.pid
        if pid is not None and not _end(pid, signal.SIGTERM, grace_seconds):
            self.kill()

    def kill(self) -> None:
        """SIGKILL, and wait until the process is gone."""
        pid = self.pid
        if pid is not None and not _end(pid, signal.SIGKILL, _KILL_SECONDS):
            raise TimeoutError(f"Process {pid} of {self.folder} survived SIGKILL for {_KILL_SECONDS} s")

    def tail(self, lines: int) -> str:
        """The end of the log."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        return "\n".join(text.splitlines()[-lines:])


def _end(pid: int, number: signal.Signals, timeout_seconds: float) -> bool:
    """Send the signal and wait; whether the process and all that it held is gone."""
    deadline = time.monotonic() + timeout_seconds
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
    while _holds_resources(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _holds_resources(pid: int) -> bool:
    """Whether any thread of it lives: a dying process gives up its command line first, its ports and locks last."""
    if not _has_proc():
        return bool(_command_line(pid))
    try:
        state, *fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return False
    threads = int(fields[16])
    return state not in "ZX" or threads > 1


def _command_line(pid: int) -> str:
    """The command line of a live process; empty for one that is gone or a zombie."""
    if _has_proc():
        try:
            return (_PROC / str(pid) / "cmdline").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "command=", "-p", str(pid)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return listed.stdout.decode(errors="replace")


def _has_proc() -> bool:
    """Linux has it; elsewhere `ps` must do."""
    return (_PROC / "self" / "stat").exists()
