"""A generation's manifest on disk, written beside its shards and replaced atomically."""

import json
import os
from pathlib import Path

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.records import manifest_record, read_manifest
from claimstream.errors import IndexUnavailable

MANIFEST = "manifest.json"


def write(folder: Path, manifest: Manifest) -> None:
    """Keep the manifest of the generation in this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    replace(folder / MANIFEST, json.dumps(manifest_record(manifest), indent=1, ensure_ascii=False))


def read(path: Path) -> Manifest:
    """The manifest in this file. Raises IndexUnavailable where it is missing or broken."""
    try:
        return read_manifest(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexUnavailable(
            f"the manifest {path} cannot be read ({error}): build the corpus again with `claimstream index`"
        ) from error


def replace(path: Path, text: str) -> None:
    """Put the text under this name all at once: a reader or a crash sees the old file or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
