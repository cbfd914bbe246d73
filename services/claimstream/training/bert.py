"""BERT encoders as ONNX graphs, written from a Hugging Face state dict.

Written and not exported, since that leaves liberties that an exporter does not take: where only `[CLS]` is read,
the last layer is computed for that row alone; weights are kept in 16 bits and the word table in bytes; only
standard operators occur, so that CPU, CUDA and TensorRT can all take them. Hidden states are
`(batch * sequence, hidden)`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import onnx
from onnx import TensorProto

from claimstream.errors import ModelRefused
from claimstream.training.graph import Array, GraphWriter
from claimstream.training.storage import in_blocks

Precision = Literal["fp32", "fp16w"]
"""`fp16w`: computed in fp32, matrices kept in 16 bits, the word table in bytes."""

Head = Literal["classifier", "mean", "cls"]
"""What becomes of the hidden states: logits from `[CLS]`, or a unit vector from all tokens or from `[CLS]`."""

OUTPUT = {"classifier": "logits", "mean": "embedding", "cls": "embedding"}
MASKED = -1e4
"""Added to the score of a padded key: its weight is exactly 0 in fp32, and it stays finite in fp16."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of a BERT encoder."""

    layers: int
    hidden: int
    heads: int
    epsilon: float

    @property
    def head(self) -> int:
        """Width of one attention head."""
        return self.hidden // self.heads

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "BertShape":
        """Read a Hugging Face `config.json`. Raises ModelRefused for what the graph does not implement."""
        wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
        for key, value in wanted.items():
            if config.get(key, value) != value:
                raise ModelRefused(f"the BERT graph takes {key} {value!r} only, the config says {config[key]!r}")
        return cls(
            layers=int(config["num_hidden_layers"]),
            hidden=int(config["hidden_size"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config["layer_norm_eps"]),
        )


def build_bert(
    config: Mapping[str, Any], tensors: Mapping[str, Array], head: Head, precision: Precision
) -> onnx.ModelProto:
    """The model: `logits` `(batch, labels)`, or `embedding` `(batch, hidden)` of unit length.

    Raises ModelRefused where the weights are not those of a plain BERT with this head.
    """
    weights = {name.removeprefix("bert."): value.astype(np.float32) for name, value in tensors.items()}
    shape = BertShape.from_config(config)
    try:
        return _BertWriter(shape, weights, precision).model(head)
    except KeyError as error:
        raise ModelRefused(f"the weights lack {error}: this is not a BERT with a {head} head") from None


class _BertWriter:
    """Turns a state dict into nodes, one block of BERT a method."""

    def __init__(self, shape: BertShape, weights: Mapping[str, Array], precision: Precision) -> None:
        self._shape = shape
        self._weights = weights
        self._half = precision == "fp16w"
        self._precision = precision
        self._graph = GraphWriter()
        # Once for all layers.
        self._mask_bias = self._mask()

    def model(self, head: Head) -> onnx.ModelProto:
        hidden, last = self._embeddings(), self._shape.layers - 1
        for index in range(last):
            hidden = self._layer(index, hidden, hidden)
        if head == "mean":
            result = self._mean(self._layer(last, hidden, hidden))
        else:
            first = self._layer(last, self._first_rows(hidden), hidden)
            result = self._classifier(first) if head == "classifier" else self._unit(first)
        width = len(self._weights["classifier.bias"]) if head == "classifier" else self._shape.hidden
        return self._graph.model(result, OUTPUT[head], width, f"bert-{head}-{self._precision}")

    def _embeddings(self) -> str:
        """Sum of word, position and type embeddings, normalised."""
        add, ints = self._graph.add, self._graph.ints
        words = add("Reshape", self._words(), ints(0, 0, self._shape.hidden))
        types = add("Gather", self._stored("embeddings.token_type_embeddings.weight"), "token_type_ids")
        sequence = add("Shape", "input_ids", start=1, end=2)
        table = self._stored("embeddings.position_embeddings.weight")
        positions = add("Slice", table, ints(0), sequence, ints(0))
        total = add("Add", add("Add", words, types), positions)
        return self._norm("embeddings.LayerNorm", add("Reshape", total, ints(-1, self._shape.hidden)))

    def _words(self) -> str:
        name = "embeddings.word_embeddings.weight"
        if not self._half:
            return self._graph.add("Gather", self._stored(name), "input_ids")
        return self._graph.rows_of_blocks(name, in_blocks(self._weights[name]), "input_ids")

    def _layer(self, index: int, rows: str, context: str) -> str:
        """One transformer layer for `rows`, which attend to all rows of `context`."""
        prefix = f"encoder.layer.{index}."
        attended = self._linear(
            prefix + "attention.output.dense", self._attention(prefix, rows, context, single=rows != context)
        )
        hidden = self._norm(prefix + "attention.output.LayerNorm", self._graph.add("Add", attended, rows))
        inner = self._graph.add("Gelu", self._linear(prefix + "intermediate.dense", hidden))
        output = self._linear(prefix + "output.dense", inner)
        return self._norm(prefix + "output.LayerNorm", self._graph.add("Add", output, hidden))

    def _attention(self, prefix: str, rows: str, context: str, *, single: bool) -> str:
        """The heads' weighted means of values, `(rows, hidden)`; `single`: one query a text."""
        add, name = self._graph.add, prefix + "attention.self."
        query = self._linear(name + "query", rows)
        # Scaled here and not in the weights: those stay exactly what was trained.
        query = add("Mul", query, self._graph.number(1 / math.sqrt(self._shape.head)))
        queries = self._heads(query, (0, 2, 1, 3), single=single)
        keys = self._heads(self._linear(name + "key", context), (0, 2, 3, 1))
        values = self._heads(self._linear(name + "value", context), (0, 2, 1, 3))
        scores = add("Add", add("MatMul", queries, keys), self._mask_bias)
        means = add("MatMul", add("Softmax", scores, axis=-1), values)
        joined = add("Transpose", means, perm=(0, 2, 1, 3))
        return add("Reshape", joined, self._graph.ints(-1, self._shape.hidden))

    def _mask(self) -> str:
        """0 at tokens and -10,000 at padding, `(batch, 1, 1, sequence)`."""
        add = self._graph.add
        mask = add("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = add("Sub", self._graph.number(1.0), mask)
        bias = add("Mul", padding, self._graph.number(MASKED))
        return add("Unsqueeze", bias, self._graph.ints(1, 2))

    def _heads(self, rows: str, order: tuple[int, ...], *, single: bool = False) -> str:
        """`(rows, hidden)` as `(batch, sequence, heads, head)`, its axes in the order given."""
        split = self._graph.ints(self._shape.heads, self._shape.head)
        if single:
            split = self._graph.ints(-1, 1, self._shape.heads, self._shape.head)
        else:
            split = self._graph.add("Concat", self._graph.add("Shape", "input_ids"), split, axis=0)
        return self._graph.add("Transpose", self._graph.add("Reshape", rows, split), perm=order)

    def _texts(self, rows: str) -> str:
        """`(rows, hidden)` as `(batch, sequence, hidden)`."""
        sizes = self._graph.add("Shape", "input_ids")
        sizes = self._graph.add("Concat", sizes, self._graph.ints(self._shape.hidden), axis=0)
        return self._graph.add("Reshape", rows, sizes)

    def _first_rows(self, rows: str) -> str:
        """The `[CLS]` row of each text, `(batch, hidden)`."""
        return self._graph.add("Gather", self._texts(rows), self._graph.constant("first", np.array(0)), axis=1)

    def _classifier(self, first: str) -> str:
        return self._linear("classifier", self._graph.add("Tanh", self._linear("pooler.dense", first)))

    def _mean(self, rows: str) -> str:
        """The mean over a text's tokens, of unit length; sum and mean differ by a factor that the norm removes."""
        add = self._graph.add
        mask = add("Cast", "attention_mask", to=TensorProto.FLOAT)
        kept = add("Mul", self._texts(rows), add("Unsqueeze", mask, self._graph.ints(-1)))
        return self._unit(add("ReduceSum", kept, self._graph.ints(1), keepdims=0))

    def _unit(self, rows: str) -> str:
        return self._graph.add("LpNormalization", rows, axis=-1, p=2)

    def _linear(self, name: str, rows: str) -> str:
        product = self._graph.add("MatMul", rows, self._stored(name + ".weight", transposed=True))
        return self._graph.add("Add", product, self._bias(name))

    def _bias(self, name: str) -> str:
        return self._graph.weight(name + ".bias", self._weights[name + ".bias"], half=False)

    def _stored(self, name: str, *, transposed: bool = False) -> str:
        value = self._weights[name]
        return self._graph.weight(name, value.T if transposed else value, half=self._half)

    def _norm(self, name: str, rows: str) -> str:
        gain = self._graph.weight(name + ".weight", self._weights[name + ".weight"], half=False)
        return self._graph.add(
            "LayerNormalization", rows, gain, self._bias(name), axis=-1, epsilon=self._shape.epsilon
        )
