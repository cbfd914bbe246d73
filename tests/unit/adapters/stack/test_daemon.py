"""A detached process: logged, found again by another object, ended gently or by force."""

import os
import time
from pathlib import Path

import pytest

from claimstream.adapters.stack.daemon import Daemon

PATIENT = "trap 'echo asked; exit' TERM; echo up; while :; do sleep 0.05; done"
STUBBORN = "trap '' TERM; echo up; while :; do sleep 0.05; done"


def _start(folder: Path, script: str) -> Daemon:
    daemon = Daemon(folder)
    before = daemon.tail(99)
    daemon.start(["/bin/sh", "-c", script, daemon.mark])
    while daemon.tail(99) == before:  # until it has set its trap and said so
        assert daemon.pid is not None
        time.sleep(0.01)
    return daemon


def test_another_object_finds_and_stops_it(tmp_path: Path) -> None:
    started = _start(tmp_path, PATIENT)
    found = Daemon(tmp_path)
    assert found.pid == started.pid
    found.stop(grace_seconds=20)
    assert started.pid is None
    assert started.tail(1) == "asked"


@pytest.mark.parametrize("grace_seconds", [0, 0.2])
def test_a_stubborn_one_is_killed_after_the_grace(tmp_path: Path, grace_seconds: float) -> None:
    daemon = _start(tmp_path, STUBBORN)
    daemon.stop(grace_seconds)
    assert daemon.pid is None


def test_a_stranger_with_the_same_pid_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pid").write_text(str(os.getpid()))
    daemon = Daemon(tmp_path)
    assert daemon.pid is None
    daemon.kill()  # would end this test run


@pytest.mark.parametrize("text", [None, "", "no number"])
def test_no_pid_file_or_a_broken_one_is_a_stopped_process(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "pid").write_text(text)
    assert Daemon(tmp_path).pid is None


def test_the_log_is_kept_over_starts(tmp_path: Path) -> None:
    for _ in range(2):
        _start(tmp_path, PATIENT).stop(grace_seconds=20)
    assert Daemon(tmp_path).tail(10).splitlines() == ["up", "asked", "up", "asked"]
