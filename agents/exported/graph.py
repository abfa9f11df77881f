"""Whether an ONNX file is a plain network: before onnxruntime is given it.

A graph is a little program. What may be in it is therefore little: operators of networks, no loops or branches, no other files,
and only arrays whose sizes are known beforehand and small.
"""

from __future__ import annotations

from math import prod
from typing import Any

import onnx
from google.protobuf.message import DecodeError

from hansa_env import AgentError
from hansa_env.play.errors import said

#: Bytes of a file, nodes of its graph, and numbers of any array in it for one position.
LARGEST, MOST_NODES, MOST_NUMBERS = 2**28, 2000, 2**22
OPERATORS = frozenset((
    "Add", "And", "Cast", "Concat", "Constant", "Div", "Erf", "Exp", "Flatten", "Gather", "GatherElements", "GatherND", "Gemm",
    "Greater", "Identity", "LayerNormalization", "LeakyRelu", "Less", "MatMul", "Max", "Min", "Mul", "Neg", "Not", "Or",
    "Pow", "ReduceMax", "ReduceMean", "ReduceSum", "Relu", "Reshape", "Shape", "Sigmoid", "Slice", "Softmax",
    "LogSoftmax", "Split", "Sqrt", "Squeeze", "Sub", "Tanh", "Transpose", "Unsqueeze", "Where",
))  # fmt: skip


def check_graph(data: bytes) -> int:
    """How many numbers the largest array of a network has for one position. Raises AgentError where a file is none such."""
    try:
        model = onnx.load_model_from_string(data)
    except (DecodeError, ValueError) as error:
        raise AgentError(f"is no ONNX file ({error!s:.200})") from error
    graph = model.graph
    if model.functions or len(graph.node) > MOST_NODES:
        raise AgentError(f"has functions, or {len(graph.node)} nodes; expected none, and at most {MOST_NODES}")
    for node in graph.node:
        plain = node.domain in ("", "ai.onnx") and node.op_type in OPERATORS
        if not plain or any(one.HasField("g") or one.graphs or one.t.data_location for one in node.attribute):
            raise AgentError(f"has the operator {node.op_type!r:.100}, which no network of this project needs")
    if any(one.external_data or one.data_location for one in graph.initializer) or graph.sparse_initializer:
        raise AgentError("takes weights from other files; expected all of them within")
    return _largest_of(model)


def _largest_of(model: Any) -> int:
    """The size of the largest array. Raises AgentError unless every one's follows from the graph, for one position, and is
    small."""
    graph = model.graph
    for value in (*graph.input, *graph.output):
        shape = value.type.tensor_type.shape
        if not shape.dim:
            raise AgentError(f"{value.name!r:.100} has no shape")
        shape.dim[0].Clear()
        shape.dim[0].dim_value = 1
    del graph.value_info[:]
    try:
        found = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    except Exception as error:
        raise AgentError(f"the sizes of its arrays do not fit ({said(error):.200})") from error
    known = {
        value.name: [one.dim_value if one.HasField("dim_value") else -1 for one in value.type.tensor_type.shape.dim]
        for value in (*found.value_info, *found.input, *found.output)
    }
    largest = 1
    for node in found.node:
        for made in node.output:
            shape = known.get(made)
            if made and (shape is None or min(shape, default=0) < 0 or prod(shape) > MOST_NUMBERS):
                raise AgentError(f"{node.op_type} makes an array of size {shape}; expected at most {MOST_NUMBERS:,} numbers")
            largest = max(largest, prod(shape or ()))
    return largest
