"""A model folder is what its manifest says, or it is refused with what to do."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.folder import MANIFEST, read_manifest
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.errors import ModelRefused
from packaged import EMBEDDER, NLI, ON_CPU

Damage = Callable[[Path], Any]


def changed(**fields: Any) -> Damage:
    def change(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text())
        (folder / MANIFEST).write_text(json.dumps(manifest | fields))

    return change


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / MANIFEST).unlink(), r"has no manifest\.json; export the model first"),
        (lambda folder: (folder / MANIFEST).write_text("{"), "export the model again"),
        (changed(surprise=1), r"surprise.*export the model again"),
        (lambda folder: (folder / "model.onnx").unlink(), r"lacks model\.onnx; copy the whole folder"),
        (lambda folder: (folder / "tokenizer.json").unlink(), r"lacks tokenizer\.json; copy the whole folder"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"other"), r"model\.onnx is not the file its manifest"),
        (changed(files={}), r"does not list model\.onnx; export the model again"),
        (changed(labels=["entailment", "contradiction"]), r"\['entailment', 'contradiction'\]; judging needs"),
        (changed(labels=["entailment", "neutral", "neutral"]), "each once"),
        (changed(labels=["LABEL_0", "LABEL_1", "LABEL_2"]), "id2label"),
        (changed(task="embedding"), "holds a model for embedding, nli is wanted here"),
    ],
)
def test_a_damaged_folder_is_refused(model: Path, damage: Damage, message: str) -> None:
    damage(model)
    with pytest.raises(ModelRefused, match=message):
        OnnxScorer(model, ON_CPU)


@pytest.mark.parametrize(
    ("file", "message"), [("model.onnx", "does not load in ONNX Runtime"), ("tokenizer.json", "is not a tokenizer")]
)
def test_a_folder_that_agrees_with_itself_and_is_no_model(model: Path, file: str, message: str) -> None:
    from claimstream.adapters.onnx.folder import sha256

    (model / file).write_bytes(b"not what it should be")
    files = json.loads((model / MANIFEST).read_text())["files"]
    changed(files=files | {file: sha256(model / file)})(model)
    with pytest.raises(ModelRefused, match=message):
        OnnxScorer(model, ON_CPU)


def test_an_embedder_without_dimension_is_refused(tmp_path: Path, model: Path) -> None:
    changed(task="embedding", labels=[])(model)
    with pytest.raises(ModelRefused, match="does not say the embedding's dimension"):
        OnnxEmbedder(model, ON_CPU)


def test_the_hash_names_the_files_and_nothing_else(model: Path) -> None:
    before = read_manifest(model, "nli").hash
    changed(floors={"c@1": 0.4}, name="renamed")(model)
    assert read_manifest(model, "nli").hash == before


def test_the_packaged_folders_are_complete() -> None:
    nli, embedding = read_manifest(NLI, "nli"), read_manifest(EMBEDDER, "embedding")
    assert (nli.licence, nli.max_tokens) == ("MIT", 512)
    assert (embedding.licence, embedding.dimension) == ("Apache-2.0", 384)
    for folder in (NLI, EMBEDDER):
        assert (folder / "MODEL_CARD.md").is_file()
