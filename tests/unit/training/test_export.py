"""Export of tiny random models: what is written says what PyTorch says, or nothing is written."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest

import tiny
from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.folder import read_manifest
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.errors import ModelRefused
from claimstream.ports.models import Pair
from claimstream.training.export import About, export_embedder, export_nli, reference_scores
from claimstream.training.selfcheck import check_folder
from claimstream.training.source import Source
from packaged import ON_CPU

ABOUT = About(name="tiny", licence="CC0", origin="a random seed")
TEXTS = [(pair.premise, pair.hypothesis) for pair in tiny.pairs()]


@pytest.mark.parametrize("precision", ["fp32", "fp16w"])
@pytest.mark.parametrize("architecture", ["bert", "distilbert", "roberta"])
def test_a_cross_encoder_drops_in(tmp_path: Path, architecture: str, precision: str) -> None:
    source = tiny.classifier(tmp_path / "source", architecture)
    report = export_nli(source, tmp_path / "out", ABOUT, tiny.pairs(), precision=precision)  # type: ignore[arg-type]
    assert report.flips == 0
    assert report.batch_dependence < 1e-4
    assert report.largest_change < (1e-4 if precision == "fp32" else 0.02)
    manifest = read_manifest(tmp_path / "out", "nli")
    assert (manifest.labels, manifest.max_tokens, manifest.precision) == (list(tiny.LABELS), 96, precision)
    assert check_folder(tmp_path / "out", ON_CPU) == report


def test_the_labels_may_stand_in_any_order(tmp_path: Path) -> None:
    """The same weights under permuted names: scores follow the names, not the columns."""
    permuted = ("contradiction", "entailment", "neutral")
    pairs = [pair.pair for pair in tiny.pairs()]
    plain = _scorer(tmp_path / "plain", tiny.LABELS).score(pairs)
    moved = _scorer(tmp_path / "moved", permuted).score(pairs)
    for one, other in zip(plain, moved, strict=True):
        assert (one.entailment, one.neutral, one.contradiction) == pytest.approx(
            (other.contradiction, other.entailment, other.neutral), abs=1e-6
        )


def _scorer(folder: Path, labels: tuple[str, ...]) -> OnnxScorer:
    export_nli(tiny.classifier(folder / "source", labels=labels), folder / "out", ABOUT, tiny.pairs())
    return OnnxScorer(folder / "out", ON_CPU)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_sentence_encoder_drops_in(tmp_path: Path, pooling: str) -> None:
    report = export_embedder(
        tiny.encoder(tmp_path / "source", pooling), tmp_path / "out", ABOUT, TEXTS, floors={"c@1": 0.3}
    )
    assert report.largest_change < 0.01
    embedder = OnnxEmbedder(tmp_path / "out", ON_CPU)
    assert (embedder.dimension, embedder.floor("c@1")) == (64, 0.3)
    assert np.linalg.norm(embedder.embed(["a refund"])) == pytest.approx(1, abs=1e-5)


def test_mean_and_cls_are_not_the_same(tmp_path: Path) -> None:
    vectors = []
    for pooling in ("mean", "cls"):
        export_embedder(tiny.encoder(tmp_path / pooling, pooling), tmp_path / f"{pooling}-out", ABOUT, TEXTS)
        vectors.append(OnnxEmbedder(tmp_path / f"{pooling}-out", ON_CPU).embed(["a refund takes five days"])[0])
    assert vectors[0] @ vectors[1] < 0.99


def test_another_pooling_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match="neither mean nor cls"):
        export_embedder(tiny.encoder(tmp_path / "source", "max"), tmp_path / "out", ABOUT, TEXTS)


def test_a_file_that_says_something_else_is_refused_with_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a layer is lost on the way into the graph."""
    from claimstream.training import export

    def damaged(*arguments: object) -> onnx.ModelProto:
        return build(*(_without_a_layer(value) for value in arguments))

    build = export.build_bert
    monkeypatch.setattr(export, "build_bert", damaged)
    with pytest.raises(ModelRefused, match=r"24 pairs: [1-9]\d* labels flipped .*--precision fp32"):
        export_nli(tiny.classifier(tmp_path / "source"), tmp_path / "out", ABOUT, tiny.pairs())
    assert not (tmp_path / "out").exists()


def _without_a_layer(value: object) -> object:
    if not isinstance(value, dict) or "classifier.weight" not in value:
        return value
    return {name: array * 0 if "layer.1.output.dense" in name else array for name, array in value.items()}


@pytest.mark.parametrize(
    "labels",
    [("positive", "neutral", "negative"), ("entailment", "not_entailment"), ("LABEL_0", "LABEL_1", "LABEL_2")],
)
def test_other_labels_are_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelRefused, match="judging needs entailment, neutral and contradiction"):
        export_nli(tiny.classifier(tmp_path / "source", labels=labels), tmp_path / "out", ABOUT, tiny.pairs())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "config.json").unlink(), r"config\.json cannot be read"),
        (lambda folder: (folder / "config.json").write_text("["), r"config\.json cannot be read"),
        (lambda folder: (folder / "config.json").write_text("[]"), "holds no JSON object"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "save its fast tokenizer"),
        (lambda folder: (folder / "model.safetensors").unlink(), "does not load in transformers"),
    ],
)
def test_half_a_folder_is_refused(tmp_path: Path, damage: object, message: str) -> None:
    source = tiny.classifier(tmp_path / "source")
    damage(source)  # type: ignore[operator]  # a table of functions
    with pytest.raises(ModelRefused, match=message):
        export_nli(source, tmp_path / "out", ABOUT, tiny.pairs())


@pytest.mark.parametrize(
    ("file", "key", "limit"),
    [("tokenizer_config.json", "model_max_length", 40), ("sentence_bert_config.json", "max_seq_length", 30)],
)
def test_the_window_is_the_smallest_of_all_limits(tmp_path: Path, file: str, key: str, limit: int) -> None:
    source = tiny.classifier(tmp_path / "source")
    (source / file).write_text(json.dumps({key: limit}))
    assert Source.open(source).max_tokens == limit
    (source / file).write_text(json.dumps({key: 10**30}))
    assert Source.open(source).max_tokens == 96


def test_the_reference_sees_segments(tmp_path: Path) -> None:
    """A pair is not the same as its texts in one segment: the tokenizer's segments must reach PyTorch."""
    source = Source.open(tiny.classifier(tmp_path / "source"))
    model = source.classifier()
    pair = Pair("refunds take five days", "the fee is free")
    with_segments = reference_scores(source, model, [pair])[0]
    model.bert.embeddings.token_type_embeddings.weight.data[1] = (
        model.bert.embeddings.token_type_embeddings.weight.data[0]
    )
    assert reference_scores(source, model, [pair])[0] != pytest.approx(with_segments, abs=1e-3)
