"""The sentence encoder on ONNX Runtime; pooling and normalisation are part of the graph."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimstream.adapters.onnx.folder import ModelManifest, read_manifest
from claimstream.adapters.onnx.session import Session, SessionOptions, shapes_for
from claimstream.adapters.onnx.tokens import encodable, load_tokenizer, pad_id, padded
from claimstream.domain.judging.batching import Shapes, plan
from claimstream.ports.models import ModelIdentity


class OnnxEmbedder:
    """Unit vectors of texts; a text longer than the model's window is cut there. Not thread-safe."""

    def __init__(self, folder: Path, options: SessionOptions, shapes: Shapes | None = None) -> None:
        self.manifest: ModelManifest = read_manifest(folder, "embedding")
        self._session = Session(folder / "model.onnx", options)
        self._shapes = shapes or shapes_for(self._session.provider)
        self._tokenizer = load_tokenizer(folder / "tokenizer.json")
        self._tokenizer.enable_truncation(min(self.manifest.max_tokens, self._shapes.lengths[-1]))
        self._pad_id = pad_id(self._tokenizer)
        self.dimension = self.manifest.dimension
        self.identity = ModelIdentity(
            name=self.manifest.name,
            hash=self.manifest.hash,
            provider=self._session.provider,
            precision=self.manifest.precision,
        )

    @property
    def tokenizer(self) -> Tokenizer:
        """A copy of the tokenizer without truncation: chunk sizes are counted with it."""
        copy = Tokenizer.from_str(self._tokenizer.to_str())
        copy.no_truncation()
        return copy

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        rows = self._tokenizer.encode_batch([encodable(text) for text in texts])
        vectors = np.zeros((len(rows), self.dimension), dtype=np.float32)
        batches = plan([len(row) for row in rows], self._shapes)
        inputs = [padded([rows[i] for i in batch.members], batch.length, self._pad_id) for batch in batches]
        for batch, found in zip(batches, self._session.run_all(inputs), strict=True):
            vectors[list(batch.members)] = found
        return vectors

    def floor(self, chunker: str) -> float | None:
        """The relevance floor that was measured for passages of this chunker, or None."""
        return self.manifest.floors.get(chunker)
