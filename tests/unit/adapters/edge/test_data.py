"""The data folder has one owner, and gives itself up when that one ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from claimstream.adapters.edge.data import DataFolder
from claimstream.errors import ConfigurationError

OWNER = """
import sys
from pathlib import Path
from claimstream.adapters.edge.data import DataFolder
data = DataFolder(Path(sys.argv[1]))
print("owned", flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "owned\n"
        with pytest.raises(ConfigurationError, match=f"owned by process {owner.pid}: stop that one"):
            DataFolder(tmp_path)
        owner.kill()
    DataFolder(tmp_path).close()


def test_a_closed_folder_can_be_opened_again(tmp_path: Path) -> None:
    first = DataFolder(tmp_path)
    with pytest.raises(ConfigurationError, match="owned by process"):
        DataFolder(tmp_path)
    first.close()
    first.close()
    DataFolder(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        DataFolder(tmp_path / "file" / "data")
