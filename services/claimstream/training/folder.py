"""Writes a model folder: graph, tokenizer and a manifest with the hashes of both."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from claimstream.adapters.onnx.folder import MANIFEST, ModelManifest, Task, sha256
from claimstream.errors import ModelRefused

TOKENIZER = "tokenizer.json"
GRAPH = "model.onnx"


def labels_of(id2label: Mapping[int | str, str]) -> list[str]:
    """The names of the logits in their order, lower case. Raises ModelRefused for gaps in the numbering."""
    by_number = {int(number): name.lower() for number, name in id2label.items()}
    if sorted(by_number) != list(range(len(by_number))):
        raise ModelRefused(f"id2label numbers its labels {sorted(by_number)}: they must run from 0 without gaps")
    return [by_number[number] for number in range(len(by_number))]


def write_folder(
    folder: Path,
    graph: bytes,
    tokenizer: Path,
    *,
    name: str,
    task: Task,
    precision: str,
    max_tokens: int,
    licence: str,
    source: str,
    labels: list[str] | None = None,
    dimension: int = 0,
    floors: Mapping[str, float] | None = None,
) -> ModelManifest:
    """Write graph, tokenizer and manifest; an existing folder of this form is replaced file by file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH).write_bytes(graph)
    shutil.copyfile(tokenizer, folder / TOKENIZER)
    manifest = ModelManifest(
        name=name,
        task=task,
        precision=precision,
        max_tokens=max_tokens,
        licence=licence,
        source=source,
        files={file: sha256(folder / file) for file in (GRAPH, TOKENIZER)},
        labels=labels or [],
        dimension=dimension,
        floors=dict(floors or {}),
    )
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    (folder / MANIFEST).write_bytes(text + b"\n")
    return manifest
