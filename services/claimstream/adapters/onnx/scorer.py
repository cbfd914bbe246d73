"""The entailment scorer on ONNX Runtime."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from claimstream.adapters.onnx.folder import ModelManifest, read_manifest
from claimstream.adapters.onnx.session import Session, SessionOptions, check_placement, shapes_for
from claimstream.adapters.onnx.tokens import encodable, load_tokenizer, pad_id, padded
from claimstream.domain.judging.batching import Shapes, plan
from claimstream.domain.judging.scores import Scores
from claimstream.ports.models import ModelIdentity, Pair

MIN_PREMISE_TOKENS = 64
"""A hypothesis that leaves less room than this for a premise cannot be judged."""
WINDOW_OVERLAP = 0.25
UNJUDGED = Scores(entailment=0.0, neutral=1.0, contradiction=0.0)


class OnnxScorer:
    """Scores pairs in token-budget batches of a few fixed shapes. Not thread-safe."""

    def __init__(self, folder: Path, options: SessionOptions, shapes: Shapes | None = None) -> None:
        self.manifest: ModelManifest = read_manifest(folder, "nli")
        self._folder, self._options = folder, options
        self._session = Session(folder / "model.onnx", options)
        self._shapes = shapes or shapes_for(self._session.provider)
        self._tokenizer = load_tokenizer(folder / "tokenizer.json")
        self._pad_id = pad_id(self._tokenizer)
        self._max_tokens = min(self.manifest.max_tokens, self._shapes.lengths[-1])
        self._columns = [self.manifest.labels.index(label) for label in Scores._fields]
        self.identity = ModelIdentity(
            name=self.manifest.name,
            hash=self.manifest.hash,
            provider=self._session.provider,
            precision=self.manifest.precision,
        )

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """One distribution a pair, in order.

        A premise longer than the window is split into overlapping windows, and the one that leans most to a side
        decides; a hypothesis that leaves a premise less than 64 tokens is neutral: it cannot be judged.
        """
        rows, owners = self._rows(pairs)
        distributions = self._distributions(rows)
        best: list[Scores | None] = [None] * len(pairs)
        for owner, values in zip(owners, distributions.tolist(), strict=True):
            best[owner] = _stronger(best[owner], Scores(*values))
        return [scores or UNJUDGED for scores in best]

    def warm_up(self) -> None:
        """Check where the matrix products run, then run every shape once: nothing grows or is built in mid-traffic.

        Raises ConfigurationError where they run elsewhere than the identity says.
        """
        check_placement(self._folder / "model.onnx", self._options)
        for size, length in self._shapes.all():
            ones = np.ones((size, length), dtype=np.int64)
            self._session.run({"input_ids": ones, "attention_mask": ones, "token_type_ids": ones * 0})

    def _rows(self, pairs: Sequence[Pair]) -> tuple[list[Encoding], list[int]]:
        """The tokenised windows of all pairs, and for each the pair it belongs to."""
        rows: list[Encoding] = []
        owners: list[int] = []
        texts = [(encodable(pair.premise), encodable(pair.hypothesis)) for pair in pairs]
        for owner, encoding in enumerate(self._tokenizer.encode_batch(texts)):
            windows = [encoding] if len(encoding) <= self._max_tokens else self._windows(*texts[owner])
            rows.extend(windows)
            owners.extend([owner] * len(windows))
        return rows, owners

    def _windows(self, premise: str, hypothesis: str) -> list[Encoding]:
        overhead = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        claim_tokens = len(self._tokenizer.encode(hypothesis, add_special_tokens=False))
        room = self._max_tokens - overhead - claim_tokens
        if room < MIN_PREMISE_TOKENS:
            return []
        self._tokenizer.enable_truncation(
            self._max_tokens, stride=int(room * WINDOW_OVERLAP), strategy="only_first"
        )
        try:
            first = self._tokenizer.encode(premise, hypothesis)
        finally:
            self._tokenizer.no_truncation()
        return [first, *first.overflowing]

    def _distributions(self, rows: Sequence[Encoding]) -> NDArray[np.float32]:
        """Probabilities, shape (len(rows), 3), columns in the order of `Scores`."""
        result = np.zeros((len(rows), 3), dtype=np.float32)
        batches = plan([len(row) for row in rows], self._shapes)
        inputs = [padded([rows[i] for i in batch.members], batch.length, self._pad_id) for batch in batches]
        for batch, logits in zip(batches, self._session.run_all(inputs), strict=True):
            result[list(batch.members)] = _softmax(logits)[:, self._columns]
        return result


def _stronger(one: Scores | None, other: Scores) -> Scores:
    if one is None:
        return other
    return max(one, other, key=lambda scores: max(scores.entailment, scores.contradiction))


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row-wise softmax of shape (rows, labels)."""
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True), dtype=np.float32)
