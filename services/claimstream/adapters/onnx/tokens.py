"""Tokenised rows, padded to a batch's shape."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from claimstream.errors import ModelRefused


def load_tokenizer(path: Path) -> Tokenizer:
    """A fast tokenizer without its own padding or truncation. Raises ModelRefused."""
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelRefused(f"{path} is not a tokenizer of the `tokenizers` library: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def padded(rows: Sequence[Encoding], length: int, pad_id: int) -> dict[str, NDArray[np.int64]]:
    """The three inputs of a BERT-like graph, each of shape (len(rows), length)."""
    ids = np.full((len(rows), length), pad_id, dtype=np.int64)
    mask = np.zeros((len(rows), length), dtype=np.int64)
    types = np.zeros((len(rows), length), dtype=np.int64)
    for row, encoding in enumerate(rows):
        tokens = len(encoding)
        ids[row, :tokens] = encoding.ids
        mask[row, :tokens] = 1
        types[row, :tokens] = encoding.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
