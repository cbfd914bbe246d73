"""What PyTorch says in fp32: the reference that every exported file is measured against."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from claimstream.adapters.onnx.tokens import pad_id, padded
from claimstream.ports.models import Pair
from claimstream.training.source import Pooling

BATCH = 8


def probabilities(model: Any, tokenizer: Tokenizer, pairs: Sequence[Pair]) -> NDArray[np.float32]:
    """Of each pair, `(len(pairs), labels)` in the order of the model's logits.

    Segment ids come from the tokenizer file, as at run time: `AutoTokenizer` may drop them by its configuration.
    """
    rows = tokenizer.encode_batch([tuple(pair) for pair in pairs])
    return _by_batch(
        rows, pad_id(tokenizer), lambda inputs: torch.softmax(model(**known(model, inputs)).logits, -1)
    )


def vectors(model: Any, tokenizer: Tokenizer, texts: Sequence[str], pooling: Pooling) -> NDArray[np.float32]:
    """Unit vectors, `(len(texts), hidden)`."""
    rows = tokenizer.encode_batch(list(texts))
    return _by_batch(
        rows,
        pad_id(tokenizer),
        lambda inputs: pooled(model(**known(model, inputs)).last_hidden_state, inputs["attention_mask"], pooling),
    )


def known(model: Any, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    """Those of the inputs that this architecture takes: some have no segments, or a table of one."""
    wanted = set(inspect.signature(model.forward).parameters)
    if getattr(model.config, "type_vocab_size", 2) < 2:
        wanted.discard("token_type_ids")
    return {name: value for name, value in inputs.items() if name in wanted}


def pooled(hidden: Tensor, mask: Tensor, pooling: Pooling) -> Tensor:
    """Hidden states `(batch, sequence, hidden)` as one unit vector a text."""
    if pooling == "cls":
        return torch.nn.functional.normalize(hidden[:, 0], dim=-1)
    kept = hidden * mask.unsqueeze(-1).to(hidden.dtype)
    return torch.nn.functional.normalize(kept.sum(dim=1), dim=-1)


def _by_batch(rows: Sequence[Encoding], pad: int, run: Any) -> NDArray[np.float32]:
    """The results of all rows, in their order; computed in batches of rows of like length."""
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    parts = []
    with torch.inference_mode():
        for members in _cut(order):
            length = max(len(rows[index]) for index in members)
            inputs = padded([rows[index] for index in members], length, pad)
            parts.append(run({name: torch.from_numpy(value) for name, value in inputs.items()}).numpy())
    result = np.concatenate(parts).astype(np.float32)
    return np.asarray(result[np.argsort(order)], dtype=np.float32)


def _cut(order: Sequence[int]) -> Iterator[Sequence[int]]:
    return (order[start : start + BATCH] for start in range(0, len(order), BATCH))
