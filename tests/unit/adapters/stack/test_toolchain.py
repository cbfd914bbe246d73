"""Missing, old and broken Java and Maven each get their own message, and what to do."""

from pathlib import Path

import pytest

from claimstream.adapters.stack.toolchain import Tool, find_java, find_maven
from claimstream.errors import ConfigurationError


def _program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def _java(folder: Path, version: str, modules: str = "jdk.compiler@17") -> Path:
    script = (
        f"""case "$1" in -version) echo 'openjdk version "{version}" 2025-04-15' >&2;; *) echo {modules};; esac"""
    )
    return _program(folder, "java", script)


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea", "100.0.1"])
def test_java_of_path(tmp_path: Path, version: str) -> None:
    path = _java(tmp_path, version)
    assert find_java({"PATH": str(tmp_path)}) == Tool(path, version)


def test_java_home_wins_over_path(tmp_path: Path) -> None:
    _java(tmp_path / "path", "21.0.1")
    path = _java(tmp_path / "home" / "bin", "17.0.1")
    assert find_java({"PATH": str(tmp_path / "path"), "JAVA_HOME": str(tmp_path / "home")}) == Tool(path, "17.0.1")


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.2", "16"])
def test_old_java_is_refused(tmp_path: Path, version: str) -> None:
    _java(tmp_path, version)
    with pytest.raises(ConfigurationError, match=rf"Java {version}, too old.*Install a JDK 17"):
        find_java({"PATH": str(tmp_path)})


def test_java_without_a_compiler_is_refused(tmp_path: Path) -> None:
    _java(tmp_path, "17.0.15", modules="java.base@17")
    with pytest.raises(ConfigurationError, match="without a compiler"):
        find_java({"PATH": str(tmp_path)})


def test_no_java(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"Java was not found.*set JAVA_HOME"):
        find_java({"PATH": str(tmp_path)})


def test_a_java_home_that_holds_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/bin/java -version does not name a version"):
        find_java({"PATH": "/usr/bin", "JAVA_HOME": str(tmp_path)})


@pytest.mark.parametrize("said", ["Apache Maven 3.8.7", "\\033[1mApache Maven 3.8.7\\033[m"])
def test_maven(tmp_path: Path, said: str) -> None:
    path = _program(tmp_path, "mvn", f"printf '{said}\\n'")
    assert find_maven({"PATH": str(tmp_path)}) == Tool(path, "3.8.7")


def test_no_maven(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"Maven was not found on PATH.*Install Apache Maven"):
        find_maven({"PATH": str(tmp_path)})


def test_a_maven_that_does_not_run(tmp_path: Path) -> None:
    _program(tmp_path, "mvn", "exit 127")
    with pytest.raises(ConfigurationError, match="does not run"):
        find_maven({"PATH": str(tmp_path)})
