"""Tokenised rows, padded to a batch's shape."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from claimstream.errors import ModelRefused

PADDING = ("[PAD]", "<pad>")
"""As BERT and as RoBERTa write it; RoBERTa also counts positions by it."""


def load_tokenizer(path: Path) -> Tokenizer:
    """A fast tokenizer without its own padding or truncation. Raises ModelRefused."""
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelRefused(f"{path} is not a tokenizer of the `tokenizers` library: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def pad_id(tokenizer: Tokenizer) -> int:
    """The token that fills a row up; 0 where the vocabulary has none, since the mask hides it anyway."""
    found = (tokenizer.token_to_id(token) for token in PADDING)
    return next((number for number in found if number is not None), 0)


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
