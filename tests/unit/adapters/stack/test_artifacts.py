"""The servers' jars come into the cache whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from claimstream.adapters.stack.artifacts import Recipe, install, recipe
from claimstream.errors import ConfigurationError

Environ = Callable[[str], dict[str, str]]
COMPILER = (
    """case "$1" in -version) echo 'version "17.0.1"' >&2;; --list-modules) echo jdk.compiler;; *) exit 0;; esac"""
)
GOOD_MAVEN = """case "$*" in *--version*) echo "Apache Maven 3.9.0";; *) echo run >> "$RUNS";
for word in "$@"; do
  case "$word" in -DoutputDirectory=*) mkdir -p "${word#-DoutputDirectory=}";; esac
done;; esac"""
BAD_MAVEN = """case "$*" in *--version*) echo "Apache Maven 3.9.0";; *) echo "no such artifact"; exit 1;; esac"""
RECIPE = Recipe("kafka", "9.9.9", {"pom.xml": "<project/>", "log4j2.properties": "status = error"})


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    def make(maven: str) -> dict[str, str]:
        for name, script in {"java": COMPILER, "mvn": maven}.items():
            path = tmp_path / name
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        return {"PATH": f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin", "RUNS": str(tmp_path / "runs")}

    return make


@pytest.mark.parametrize(("name", "file"), [("kafka", "server.properties"), ("opensearch", "OpenSearchNode.java")])
def test_packaged_recipes(name: str, file: str) -> None:
    found = recipe(name)
    assert set(found.files) == {"pom.xml", "log4j2.properties", file}
    assert found.key.startswith(f"{name}-{found.version}-")


def test_another_file_is_another_folder() -> None:
    other = Recipe("kafka", "9.9.9", {**RECIPE.files, "pom.xml": "<project><!-- --></project>"})
    assert other.key != RECIPE.key


def test_fetched_once(tmp_path: Path, environ: Environ) -> None:
    first = install(RECIPE, tmp_path / "cache", environ(GOOD_MAVEN))
    again = install(RECIPE, tmp_path / "cache", environ(GOOD_MAVEN))
    assert first == again
    assert (tmp_path / "runs").read_text() == "run\n"
    assert {path.name for path in first.folder.iterdir()} == {"pom.xml", "log4j2.properties", "jars"}


def test_a_failed_fetch_leaves_nothing_and_says_what_maven_said(tmp_path: Path, environ: Environ) -> None:
    with pytest.raises(ConfigurationError, match=r"(?s)Maven 3.9.0 could not fetch kafka 9.9.9.*no such artifact"):
        install(RECIPE, tmp_path / "cache", environ(BAD_MAVEN))
    assert list((tmp_path / "cache").iterdir()) == []
