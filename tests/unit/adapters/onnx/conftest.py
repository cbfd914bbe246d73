"""One tiny exported model for all tests of this folder."""

import shutil
from pathlib import Path

import pytest

import tiny
from claimstream.training.export import About, export_nli


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    about = About(name="tiny", licence="CC0")
    export_nli(tiny.classifier(folder / "source"), folder / "out", about, tiny.pairs())
    return folder / "out"


@pytest.fixture
def model(exported: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(exported, tmp_path / "model"))
