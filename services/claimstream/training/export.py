"""From a Hugging Face folder to a model folder: graph, checks against PyTorch, files."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx

from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.folder import LABELS
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.adapters.onnx.session import SessionOptions
from claimstream.adapters.onnx.tokens import load_tokenizer
from claimstream.domain.judging.scores import Scores
from claimstream.errors import ModelRefused
from claimstream.ports.models import Pair
from claimstream.training.bert import Head, Precision, build_bert
from claimstream.training.checks import EmbedderReport, NliReport, check_embedder, check_scorer
from claimstream.training.folder import labels_of, write_folder
from claimstream.training.golden import GOLDEN, GoldenCosine, LabelledPair, with_reference, write_lines
from claimstream.training.reference import probabilities, vectors
from claimstream.training.source import Source
from claimstream.training.traced import trace

ON_CPU = SessionOptions(providers=("cpu",))


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a manifest says of a model that its weights do not."""

    name: str
    licence: str
    origin: str = ""
    """Where the weights come from."""


def export_nli(
    source: Path, out: Path, about: About, golden: Sequence[LabelledPair], *, precision: Precision = "fp16w"
) -> NliReport:
    """Write the model folder `out` of a cross-encoder with the three labels; a folder already there is replaced.

    The golden pairs that fit into the window are scored by PyTorch and by the new file, and stay in the folder.
    Raises ModelRefused, and writes nothing, where labels are missing or the file does not say what PyTorch says.
    """
    opened = Source.open(source)
    labels = _labels(opened)
    model = opened.classifier()
    pairs = _fitting(opened, golden)
    known = with_reference(pairs, reference_scores(opened, model, [pair.pair for pair in pairs]))
    with tempfile.TemporaryDirectory(prefix="claimstream-export-") as made:
        folder = Path(made)
        write_folder(
            folder,
            _graph(opened, model, "classifier", precision).SerializeToString(),
            opened.tokenizer,
            name=about.name,
            task="nli",
            precision=precision,
            max_tokens=opened.max_tokens,
            licence=about.licence,
            source=about.origin,
            labels=labels,
        )
        report = check_scorer(OnnxScorer(folder, ON_CPU), known)
        report.require()
        write_lines(folder / GOLDEN, known)
        _replace(folder, out)
    return report


def export_embedder(
    source: Path,
    out: Path,
    about: About,
    golden: Sequence[tuple[str, str]],
    *,
    precision: Precision = "fp16w",
    floors: dict[str, float] | None = None,
) -> EmbedderReport:
    """Write the model folder `out` of a sentence encoder with mean or CLS pooling; its vectors have unit length.

    The cosines of the golden pairs of texts stay in the folder. Raises ModelRefused, and writes nothing, where the
    file does not say what PyTorch says.
    """
    opened = Source.open(source)
    model = opened.encoder()
    known, dimension = reference_cosines(opened, model, golden)
    with tempfile.TemporaryDirectory(prefix="claimstream-export-") as made:
        folder = Path(made)
        write_folder(
            folder,
            _graph(opened, model, opened.pooling, precision).SerializeToString(),
            opened.tokenizer,
            name=about.name,
            task="embedding",
            precision=precision,
            max_tokens=opened.max_tokens,
            licence=about.licence,
            source=about.origin,
            dimension=dimension,
            floors=floors,
        )
        report = check_embedder(OnnxEmbedder(folder, ON_CPU), known)
        report.require()
        write_lines(folder / GOLDEN, known)
        _replace(folder, out)
    return report


def reference_scores(source: Source, model: Any, pairs: Sequence[Pair]) -> list[Scores]:
    """What the source says of these pairs in fp32 PyTorch; each must fit into its window."""
    labels = _labels(source)
    columns = [labels.index(label) for label in Scores._fields]
    found = probabilities(model, _tokenizer(source), pairs)
    return [Scores(*row) for row in found[:, columns].tolist()]


def reference_cosines(
    source: Source, model: Any, pairs: Sequence[tuple[str, str]]
) -> tuple[list[GoldenCosine], int]:
    """What the source says of these pairs of texts in fp32 PyTorch, and the width of its vectors."""
    texts = [text for pair in pairs for text in pair]
    found = vectors(model, _tokenizer(source), texts, source.pooling)
    cosines = (found[0::2] * found[1::2]).sum(axis=1).tolist()
    return [
        GoldenCosine(one=one, other=other, cosine=round(cosine, 6))
        for (one, other), cosine in zip(pairs, cosines, strict=True)
    ], found.shape[1]


def _replace(made: Path, out: Path) -> None:
    """Copy the files one by one: the made folder is temporary and for its owner only."""
    out.mkdir(parents=True, exist_ok=True)
    for path in made.iterdir():
        shutil.copyfile(path, out / path.name)


def _graph(source: Source, model: Any, head: Head, precision: Precision) -> onnx.ModelProto:
    """Written where the architecture is plain BERT, traced where it is not."""
    if not _plain_bert(source, head):
        return trace(model, head, precision)
    tensors = {name: value.numpy() for name, value in model.state_dict().items()}
    return build_bert(source.config, tensors, head, precision)


def _plain_bert(source: Source, head: Head) -> bool:
    config = source.config
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and (head != "classifier" or "BertForSequenceClassification" in config.get("architectures", []))
    )


def _labels(source: Source) -> list[str]:
    labels = labels_of(source.config.get("id2label", {}))
    if len(labels) != len(LABELS) or set(labels) != LABELS:
        raise ModelRefused(
            f"{source.folder} has the labels {labels}: judging needs entailment, neutral and contradiction, each "
            "once; name them in id2label of its config.json if they only have other names"
        )
    return labels


def _tokenizer(source: Source) -> Any:
    tokenizer = load_tokenizer(source.tokenizer)
    tokenizer.enable_truncation(source.max_tokens)
    return tokenizer


def _fitting(source: Source, golden: Sequence[LabelledPair]) -> list[LabelledPair]:
    """The pairs that fit into the window as they are: run time splits the others, PyTorch would not."""
    tokenizer = load_tokenizer(source.tokenizer)
    rows = tokenizer.encode_batch([tuple(pair.pair) for pair in golden])
    return [pair for pair, row in zip(golden, rows, strict=True) if len(row) <= source.max_tokens]
