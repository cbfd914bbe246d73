"""Java and Maven: where they are, which version, and what to do where they are missing."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from claimstream.errors import ConfigurationError

MINIMUM_JAVA = 17
"""Kafka 4 brokers need Java 17."""

_JAVA_ADVICE = f"Install a JDK {MINIMUM_JAVA} or newer (on Debian: openjdk-17-jdk-headless), or set JAVA_HOME."
_MAVEN_ADVICE = "Install Apache Maven 3.6 or newer (on Debian: maven): it fetches the servers once."


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that really ran; `version` is what it says of itself."""

    path: Path
    version: str


def find_java(environ: Mapping[str, str]) -> Tool:
    """The Java of JAVA_HOME, else of PATH.

    Raises ConfigurationError where there is none, where it is older than 17, and where its compiler is missing.
    """
    home = environ.get("JAVA_HOME")
    tool = _java_of(home, environ)
    if _major(tool.version) < MINIMUM_JAVA:
        raise ConfigurationError(f"{tool.path} is Java {tool.version}, too old for the servers. {_JAVA_ADVICE}")
    if "jdk.compiler" not in _output([str(tool.path), "--list-modules"]):
        raise ConfigurationError(f"{tool.path} is a Java runtime without a compiler. {_JAVA_ADVICE}")
    return tool


def find_maven(environ: Mapping[str, str]) -> Tool:
    """The `mvn` of PATH. Raises ConfigurationError where there is none that runs."""
    path = shutil.which("mvn", path=environ.get("PATH"))
    if path is None:
        raise ConfigurationError(f"Maven was not found on PATH. {_MAVEN_ADVICE}")
    found = re.search(r"Apache Maven (\S+)", _output([path, "-B", "--version"]))
    if found is None:
        raise ConfigurationError(f"{path} --version does not name a version: it does not run. {_MAVEN_ADVICE}")
    return Tool(Path(path), re.sub(r"\x1b\[[0-9;]*m", "", found.group(1)))


def _java_of(home: str | None, environ: Mapping[str, str]) -> Tool:
    path = str(Path(home, "bin", "java")) if home else shutil.which("java", path=environ.get("PATH"))
    if path is None:
        raise ConfigurationError(f"Java was not found: JAVA_HOME is not set and PATH has no java. {_JAVA_ADVICE}")
    found = re.search(r'version "([^"]+)"', _output([path, "-version"]))
    if found is None:
        raise ConfigurationError(f"{path} -version does not name a version: it does not run. {_JAVA_ADVICE}")
    return Tool(Path(path), found.group(1))


def _major(version: str) -> int:
    """17 of "17.0.15", 8 of "1.8.0_402", 21 of "21-ea"."""
    numbers = [int(part) for part in re.findall(r"\d+", version)]
    return numbers[1] if numbers[0] == 1 and len(numbers) > 1 else numbers[0]


def _output(command: list[str]) -> str:
    """Both streams of a program (`java -version` writes to the second), empty where it cannot run."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")
