"""A Hugging Face folder as the exporter reads it: configuration, tokenizer, window, pooling, PyTorch model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from transformers import AutoModel, AutoModelForSequenceClassification

from claimstream.errors import ModelRefused

Pooling = Literal["mean", "cls"]

UNLIMITED = 100_000
"""Tokenizers without a limit write a number far above this."""

OFFSET_POSITIONS = {"roberta": 2, "xlm-roberta": 2, "camembert": 2}
"""Architectures whose position table begins after the padding's index: that many rows hold no position."""


@dataclass(frozen=True, slots=True)
class Source:
    """One folder of weights; nothing is read from anywhere else."""

    folder: Path
    config: Mapping[str, Any]

    @classmethod
    def open(cls, folder: Path) -> "Source":
        """Raises ModelRefused for a folder without configuration or fast tokenizer."""
        source = cls(folder, _json(folder / "config.json"))
        if not source.tokenizer.is_file():
            raise ModelRefused(
                f"{folder} has no tokenizer.json: load it with transformers and save its fast tokenizer there"
            )
        return source

    @property
    def tokenizer(self) -> Path:
        """The file of the `tokenizers` library."""
        return self.folder / "tokenizer.json"

    @property
    def max_tokens(self) -> int:
        """The window: the smallest of what positions, tokenizer and sentence encoder allow."""
        offset = OFFSET_POSITIONS.get(str(self.config.get("model_type")), 0)
        limits = [int(self.config.get("max_position_embeddings", 512)) - offset]
        for file, key in (
            ("tokenizer_config.json", "model_max_length"),
            ("sentence_bert_config.json", "max_seq_length"),
        ):
            found = _json(self.folder / file).get(key) if (self.folder / file).is_file() else None
            if isinstance(found, int | float) and 0 < found < UNLIMITED:
                limits.append(int(found))
        return min(limits)

    @property
    def pooling(self) -> Pooling:
        """As in `1_Pooling/config.json`; the mean where there is none. Raises ModelRefused for another mode."""
        path = self.folder / "1_Pooling" / "config.json"
        if not path.is_file():
            return "mean"
        config = _json(path)
        modes = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token"}
        for mode in ("mean", "cls"):
            if config.get(modes[mode]) or config.get("pooling_mode") == mode:
                return "cls" if mode == "cls" else "mean"
        raise ModelRefused(f"{path} asks for a pooling that is neither mean nor cls: {config}")

    def classifier(self) -> Any:
        """The PyTorch classifier in fp32, ready to run."""
        return self._load(AutoModelForSequenceClassification)

    def encoder(self) -> Any:
        """The PyTorch encoder in fp32, ready to run."""
        return self._load(AutoModel)

    def _load(self, loader: Any) -> Any:
        try:
            # Plain attention: it exports with dynamic shapes, and padding is a mask like ours.
            model = loader.from_pretrained(
                self.folder, dtype=torch.float32, local_files_only=True, attn_implementation="eager"
            )
        except (OSError, ValueError) as error:
            raise ModelRefused(f"{self.folder} does not load in transformers: {error}") from error
        return model.eval()


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelRefused(f"{path} cannot be read: {error}; name a folder as Hugging Face saves it") from None
    if not isinstance(content, dict):
        raise ModelRefused(f"{path} holds no JSON object; name a folder as Hugging Face saves it")
    return content
