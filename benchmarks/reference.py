"""The packaged NLI model as a sentence-transformers CrossEncoder in fp32, rebuilt from its own ONNX file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from claimstream.domain.judging.scores import Scores
from claimstream.ports.models import Pair

TOLERANCE = 0.02
HEAD_WIDTHS = (32, 64)
"""Widths of an attention head in small BERTs: the weights do not tell, agreement with the file's scores does."""


class Reference:
    """A CrossEncoder with the columns of its output in the order of `Scores`."""

    def __init__(self, model: CrossEncoder, columns: Sequence[int]) -> None:
        self._model = model
        self._columns = list(columns)

    def score(self, pair: Pair) -> Scores:
        """One pair, one call."""
        values = self._model.predict(
            [(pair.premise, pair.hypothesis)], activation_fn=torch.nn.Softmax(dim=-1), show_progress_bar=False
        )
        return Scores(*(float(values[0][column]) for column in self._columns))


def open_reference(folder: Path, work: Path, threads: int, known: dict[Pair, Scores]) -> Reference:
    """The CrossEncoder of a packaged model. Raises ValueError where it disagrees with scores that are known."""
    torch.set_num_threads(threads)
    manifest = json.loads((folder / "manifest.json").read_text())
    tensors = _tensors(onnx.load(str(folder / "model.onnx")))
    apart: list[float] = []
    for width in HEAD_WIDTHS:
        reference = Reference(
            _cross_encoder(tensors, folder / "tokenizer.json", width, work / f"heads-of-{width}"),
            [manifest["labels"].index(label) for label in Scores._fields],
        )
        apart.append(_furthest(reference, known))
        if apart[-1] <= TOLERANCE:
            return reference
    raise ValueError(
        f"the CrossEncoder rebuilt from {folder} is off by {min(apart):.3f} in a probability, "
        f"more than {TOLERANCE}: teach benchmarks/reference.py how this file keeps its weights"
    )


def _furthest(reference: Reference, known: dict[Pair, Scores]) -> float:
    scores = ((reference.score(pair), wanted) for pair, wanted in known.items())
    return max(abs(a - b) for got, wanted in scores for a, b in zip(got, wanted, strict=True))


def _tensors(model: onnx.ModelProto) -> dict[str, NDArray[np.float32]]:
    """The state dict in fp32: scales applied, matrices of linear layers turned back."""
    raw = {item.name: numpy_helper.to_array(item) for item in model.graph.initializer}
    found = {}
    for name, value in raw.items():
        if name.endswith((".weight", ".bias")):
            scale = raw.get(f"{name}.scale")
            full = value.astype(np.float32) * (1.0 if scale is None else scale.astype(np.float32))
            full = full.reshape(len(full), -1) if full.ndim > 2 else full
            found[name] = full.T.copy() if full.ndim == 2 and "embeddings" not in name else full
    return found


def _cross_encoder(
    tensors: dict[str, NDArray[np.float32]], tokenizer: Path, head_width: int, folder: Path
) -> CrossEncoder:
    vocabulary, hidden = tensors["embeddings.word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=sum(name.endswith("attention.self.query.bias") for name in tensors),
        num_attention_heads=hidden // head_width,
        intermediate_size=len(tensors["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(tensors["embeddings.position_embeddings.weight"]),
    )
    config.num_labels = len(tensors["classifier.bias"])
    model = BertForSequenceClassification(config)
    model.load_state_dict(_prefixed(tensors, model), strict=True)
    model.save_pretrained(folder)
    _tokenizer(tokenizer, config.max_position_embeddings).save_pretrained(folder)
    model_of: CrossEncoder = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    return model_of


def _prefixed(
    tensors: dict[str, NDArray[np.float32]], model: BertForSequenceClassification
) -> dict[str, torch.Tensor]:
    """As the model names them; a bias that the file has folded away is 0."""
    given = {
        name if name.startswith("classifier.") else f"bert.{name}": torch.from_numpy(value)
        for name, value in tensors.items()
    }
    folded = {
        name: torch.zeros_like(value)
        for name, value in model.state_dict().items()
        if name.endswith(".bias") and name not in given
    }
    return given | folded


def _tokenizer(file: Path, max_length: int) -> Any:
    special = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # transformers leaves it untyped
        tokenizer_file=str(file),
        model_max_length=max_length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{name}_token": token for name, token in special.items()},
    )
