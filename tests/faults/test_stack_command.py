"""`claimstream stack` with real servers: up, again, status, a taken port, down."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from claimstream.adapters.stack.launcher import Stack

pytestmark = [pytest.mark.kafka, pytest.mark.opensearch]


def _stack(*arguments: str) -> tuple[int, list[list[str]], str]:
    """Exit status, the words of each line of output, and the errors."""
    command = [sys.executable, "-m", "claimstream", "stack", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    return done.returncode, [line.split() for line in done.stdout.splitlines()], done.stderr


def test_up_status_down(stack: Stack, tmp_path: Path) -> None:  # the fixture skips where Java is missing
    where = ("--data-dir", str(tmp_path))
    try:
        code, first, errors = _stack("up", *where, "--kafka-port", "0", "--opensearch-port", "0")
        assert (code, errors) == (0, "")
        assert [line[:2] for line in first] == [["kafka", "running"], ["opensearch", "running"]]
        assert _stack("up", *where) == (0, first, "")  # what runs stays as it is, also its port
        assert _stack("status", *where) == (0, first, "")
    finally:
        code, last, _ = _stack("down", "--wipe", *where)
    assert [line[:2] for line in last] == [["kafka", "stopped"], ["opensearch", "stopped"]]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["kafka", "opensearch"])
def test_a_port_in_use_names_the_port_and_the_setting(stack: Stack, tmp_path: Path, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        code, lines, errors = _stack("up", name, "--data-dir", str(tmp_path), f"--{name}-port", port)
    assert (code, lines) == (2, [])
    assert f"Port {port} on 127.0.0.1 is in use" in errors
    assert f"CLAIMSTREAM_STACK_{name.upper()}_PORT (--{name}-port)" in errors
    assert "Traceback" not in errors


def test_a_server_that_cannot_start_shows_the_end_of_its_log(stack: Stack, tmp_path: Path) -> None:
    (tmp_path / "opensearch" / "data").mkdir(parents=True)
    (tmp_path / "opensearch" / "data" / "nodes").write_text("not a folder")
    code, _, errors = _stack("up", "opensearch", "--data-dir", str(tmp_path), "--opensearch-port", "0")
    assert code == 2
    assert f"opensearch ended before it answered. The end of {tmp_path}/opensearch/server.log" in errors
