"""The servers' jars: fetched once by Maven into a cache folder, complete or not there at all."""

import hashlib
import os
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from claimstream.adapters.stack.toolchain import Tool, find_java, find_maven
from claimstream.errors import ConfigurationError

_FETCH_SECONDS = 600
_POM = "{http://maven.apache.org/POM/4.0.0}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What makes a server: its POM, its log configuration and, for some, a Java source file."""

    name: str
    version: str
    files: Mapping[str, str]
    """File name to text."""

    @property
    def key(self) -> str:
        """The cache folder's name: another version or another file is another folder."""
        digest = hashlib.sha256(repr(sorted(self.files.items())).encode()).hexdigest()
        return f"{self.name}-{self.version}-{digest[:8]}"


@dataclass(frozen=True, slots=True)
class Installation:
    """A server ready to be started."""

    recipe: Recipe
    folder: Path
    java: Tool

    @property
    def classpath(self) -> str:
        """Compiled sources first, then all jars, as Java's `-cp` takes them."""
        return os.pathsep.join([str(self.folder / "classes"), str(self.folder / "jars" / "*")])


def recipe(name: str) -> Recipe:
    """The packaged recipe of `kafka` or `opensearch`."""
    folder = files("claimstream.adapters.stack") / "assets" / name
    texts = {item.name: _text(item) for item in folder.iterdir() if item.is_file()}
    version = ET.fromstring(texts["pom.xml"]).findtext(f"{_POM}version")
    if version is None:
        raise ConfigurationError(f"{folder / 'pom.xml'} names no version: install claimstream again")
    return Recipe(name, version, texts)


def install(wanted: Recipe, cache: Path, environ: Mapping[str, str]) -> Installation:
    """The server out of the cache, fetched first where it is not there; safe to run twice at once.

    Raises ConfigurationError where Java is missing, and where the server must be fetched and cannot be.
    """
    java = find_java(environ)
    target = cache.expanduser() / wanted.key
    if not target.is_dir():
        _fetch(wanted, target, java, find_maven(environ), environ)
    return Installation(wanted, target, java)


def _text(item: Traversable) -> str:
    return item.read_text(encoding="utf-8")


def _fetch(wanted: Recipe, target: Path, java: Tool, maven: Tool, environ: Mapping[str, str]) -> None:
    """Build the folder beside its place, then move it there in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{wanted.name}-", dir=target.parent) as scratch:
        folder = Path(scratch, wanted.name)
        folder.mkdir()
        for name, text in wanted.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        _copy_jars(wanted, folder, maven, environ)
        _compile(folder, java, environ)
        try:
            folder.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was faster, with the same files
                raise


def _copy_jars(wanted: Recipe, folder: Path, maven: Tool, environ: Mapping[str, str]) -> None:
    command = [
        *(str(maven.path), "-q", "-B", "-C", "-f", str(folder / "pom.xml")),  # -C: a wrong checksum is an error
        *("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder / 'jars'}"),
    ]
    _run(command, environ, f"Maven {maven.version} could not fetch {wanted.name} {wanted.version}")


def _compile(folder: Path, java: Tool, environ: Mapping[str, str]) -> None:
    sources = [str(path) for path in sorted(folder.glob("*.java"))]
    if not sources:
        return
    jars = os.pathsep.join(str(jar) for jar in sorted((folder / "jars").glob("*.jar")))
    compiler = [str(java.path), "-m", "jdk.compiler/com.sun.tools.javac.Main"]
    command = [*compiler, "-cp", jars, "-d", str(folder / "classes"), *sources]
    _run(command, environ, f"Java {java.version} could not compile {', '.join(sources)}")


def _run(command: list[str], environ: Mapping[str, str], failure: str) -> None:
    try:
        done = subprocess.run(
            command,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=_FETCH_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ConfigurationError(f"{failure} within {_FETCH_SECONDS} s: check the network and try again") from error
    if done.returncode != 0:
        last = "\n".join(done.stdout.decode(errors="replace").strip().splitlines()[:12])
        raise ConfigurationError(f"{failure} (exit status {done.returncode}); it said:\n{last}")
