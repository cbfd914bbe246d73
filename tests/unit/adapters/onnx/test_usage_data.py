"""ONNX Runtime tells its maker nothing: its reporting leaves a session file behind where it is on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = {name: value for name, value in os.environ.items() if name not in {"ORT_DISABLE_TELEMETRY", "CI"}}


@pytest.mark.parametrize(
    ("module", "files"),
    [("claimstream.adapters.onnx.session", []), ("onnxruntime", [".ses"])],
    ids=["through our adapter", "by itself, which is why the adapter acts"],
)
def test_reporting_is_off(module: str, files: list[str], tmp_path: Path) -> None:
    environment = WITHOUT | {"TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, check=True, timeout=120)
    assert sorted(path.name for path in tmp_path.iterdir()) == files
