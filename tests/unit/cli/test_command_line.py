"""The command line as a person meets it: in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"confluent_kafka", "numpy", "onnxruntime", "opensearchpy", "pydantic", "qdrant_client", "spacy", "torch"}


def _claimstream(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "claimstream", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_help_lists_the_commands() -> None:
    done = _claimstream("--help")
    assert done.returncode == 0
    assert "stack" in done.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['claimstream', '--help']\n"
        "from claimstream.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print('loaded:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    loaded = set(done.stdout.rpartition("loaded:")[2].split())
    assert "claimstream.cli.stack" in loaded
    assert not HEAVY & loaded


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stack", "status", "zookeeper"], "No server is named 'zookeeper': the stack has kafka and opensearch"),
        (["nonsense"], "No such command 'nonsense'"),
    ],
)
def test_what_cannot_be_done_exits_2_with_a_message(arguments: list[str], message: str) -> None:
    done = _claimstream(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_status_of_a_stack_that_never_ran(tmp_path: Path) -> None:
    done = _claimstream("stack", "status", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["kafka", "stopped"],
        ["opensearch", "stopped"],
    ]
