"""A model folder: `model.onnx`, `tokenizer.json` and a manifest that says what they are, with their hashes."""

import hashlib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from claimstream.errors import ModelRefused

MANIFEST = "manifest.json"
LABELS = frozenset({"entailment", "neutral", "contradiction"})

Task = Literal["nli", "embedding"]


class ModelManifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model folder declares about itself."""

    name: str
    task: Task
    precision: str
    max_tokens: int
    licence: str
    files: dict[str, str]
    """File name -> SHA-256, hexadecimal."""
    labels: list[str] = []
    """`nli`: the names of the logits, in their order, from the model's own `id2label`."""
    dimension: int = 0
    """`embedding`: the width of a vector."""
    floors: dict[str, float] = {}
    """`embedding`: chunker -> relevance floor, as measured."""
    source: str = ""

    @property
    def hash(self) -> str:
        """First 12 hexadecimal digits over the files' hashes: other files are another model."""
        joined = "\n".join(f"{name} {digest}" for name, digest in sorted(self.files.items()))
        return hashlib.sha256(joined.encode()).hexdigest()[:12]


def manifest_of(folder: Path) -> ModelManifest:
    """What a folder says of itself, unchecked against its files. Raises ModelRefused."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ModelRefused(f"{folder} is not a model folder: it has no {MANIFEST}; export the model first")
    try:
        return msgspec.json.decode(path.read_bytes(), type=ModelManifest)
    except msgspec.MsgspecError as error:
        raise ModelRefused(f"{path}: {error}; export the model again") from None


def read_manifest(folder: Path, task: Task) -> ModelManifest:
    """The manifest of a folder whose files are what it says. Raises ModelRefused."""
    manifest = manifest_of(folder)
    if manifest.task != task:
        raise ModelRefused(f"{folder} holds a model for {manifest.task}, {task} is wanted here")
    _check_files(folder, manifest)
    _check_task(folder, manifest)
    return manifest


def _check_files(folder: Path, manifest: ModelManifest) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        if name not in manifest.files:
            raise ModelRefused(f"{folder / MANIFEST} does not list {name}; export the model again")
    for name, wanted in manifest.files.items():
        if not (folder / name).is_file():
            raise ModelRefused(f"{folder} lacks {name}; copy the whole folder or export it again")
        if sha256(folder / name) != wanted:
            raise ModelRefused(f"{folder / name} is not the file its manifest names (other SHA-256)")


def _check_task(folder: Path, manifest: ModelManifest) -> None:
    if manifest.task == "nli" and (set(manifest.labels) != LABELS or len(manifest.labels) != len(LABELS)):
        raise ModelRefused(
            f"{folder} names the labels {manifest.labels}; judging needs entailment, neutral and contradiction, "
            "each once, as in the model's id2label"
        )
    if manifest.task == "embedding" and manifest.dimension < 1:
        raise ModelRefused(f"{folder / MANIFEST} does not say the embedding's dimension")


def sha256(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
