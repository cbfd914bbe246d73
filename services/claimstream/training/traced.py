"""Any other Hugging Face architecture as an ONNX graph, by PyTorch's own exporter."""

import warnings
from typing import Any

import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from claimstream.errors import ModelRefused
from claimstream.training.bert import OUTPUT, Head, Precision
from claimstream.training.graph import INPUTS, IR_VERSION, OPSET
from claimstream.training.reference import known, pooled

HALF_FROM = 4_096
"""Values from which a matrix is worth keeping in 16 bits."""


class _Function(nn.Module):
    """A model with its head as a function of exactly those inputs that its architecture knows."""

    def __init__(self, model: Any, head: Head) -> None:
        super().__init__()
        self.model = model
        self.head: Head = head

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
        if token_type_ids is not None:
            inputs["token_type_ids"] = token_type_ids
        result = self.model(**inputs)
        if self.head == "classifier":
            return torch.as_tensor(result.logits)
        return pooled(result.last_hidden_state, attention_mask, self.head)


def trace(model: Any, head: Head, precision: Precision) -> onnx.ModelProto:
    """The model of a PyTorch module in fp32, its batch and sequence dynamic. Raises ModelRefused."""
    # Two unlike sizes, neither of them 1: what the exporter sees as 1 or as equal it may take for constant.
    example = {name: torch.ones((2, 7), dtype=torch.int64) for name in INPUTS}
    inputs = known(model, example)
    axes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence")}
    try:
        with warnings.catch_warnings():
            # It warns that inputs share the names of their axes, which is what they should.
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                _Function(model, head).eval(),
                kwargs=inputs,
                dynamic_shapes=dict.fromkeys(inputs, axes),
                output_names=[OUTPUT[head]],
                opset_version=OPSET,
                dynamo=True,
                verbose=False,
            )
    except Exception as error:
        kind = type(model).__name__
        raise ModelRefused(f"PyTorch cannot export {kind} with dynamic shapes: {error}") from error
    if program is None:
        raise ModelRefused(f"PyTorch exported nothing for {type(model).__name__}")
    traced: onnx.ModelProto = program.model_proto
    traced.ir_version = IR_VERSION
    return traced if precision == "fp32" else in_half(traced)


def in_half(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same model with its large matrices kept in 16 bits; a session casts them back when it starts."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    casts = []
    for tensor in result.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or value.ndim < 2 or value.size < HALF_FROM:
            continue
        name, stored = tensor.name, tensor.name + ".half"
        tensor.CopyFrom(numpy_helper.from_array(value.astype("float16"), stored))
        casts.append(helper.make_node("Cast", [stored], [name], name=name + ".cast", to=TensorProto.FLOAT))
    nodes = [*casts, *result.graph.node]
    del result.graph.node[:]
    result.graph.node.extend(nodes)
    onnx.checker.check_model(result)
    return result
