"""Writing an ONNX graph node by node: a list of nodes and constants that grows."""

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from claimstream.training.storage import Blocks

Array = NDArray[Any]

OPSET = 21
IR_VERSION = 10
"""Both of ONNX 1.16: the oldest with all operators used here, so that most runtimes and parsers read the file."""

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class GraphWriter:
    """Nodes and constants of one graph; a method that adds something returns the name of its result."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """A node of the standard operator set with one output."""
        name = f"{operator}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: Array) -> str:
        """A constant, or the one that already has this name."""
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def ints(self, *values: int) -> str:
        """A vector of int64."""
        return self.constant("ints_" + "_".join(map(str, values)), np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        """A scalar of float32."""
        return self.constant(f"number_{value!r}", np.array(value, dtype=np.float32))

    def weight(self, name: str, value: Array, *, half: bool) -> str:
        """A float32 tensor, stored in 16 bits where `half`: a session folds that cast when it starts."""
        if not half:
            return self.constant(name, value.astype(np.float32))
        return self.add("Cast", self.constant(name, value.astype(np.float16)), to=TensorProto.FLOAT)

    def rows_of_blocks(self, name: str, blocks: Blocks, indices: str) -> str:
        """Rows of a table in bytes, `(*indices, blocks, block)`; only the rows that are read become floats."""
        data = self.add("Gather", self.constant(name, blocks.data), indices)
        scale = self.add("Gather", self.constant(name + ".scale", blocks.scale), indices)
        return self.add(
            "Mul",
            self.add("Cast", data, to=TensorProto.FLOAT),
            self.add("Cast", scale, to=TensorProto.FLOAT),
        )

    def model(self, result: str, output: str, width: int, title: str) -> onnx.ModelProto:
        """The checked model: three int64 inputs `(batch, sequence)`, one output `(batch, width)`."""
        identity = helper.make_node("Identity", [result], [output], name=output)
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in INPUTS]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", width])]
        body = helper.make_graph([*self._nodes, identity], title, inputs, outputs, list(self._constants.values()))
        model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="claimstream")
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model)
        return model
