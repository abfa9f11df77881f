"""ONNX files made wrong: in their bytes, and as graphs, in their operators, names, shapes, attributes and description."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto

from hansa_agents.exported.agent import OnnxAgent
from hansa_env import AgentError
from hansa_env.play.agents import ask_agents
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import AgentFault
from hansa_training.export import onnx_bytes
from hansa_training.networks import new_policy
from tests.formats.mutant_models import BOARD, PAIR, SMALL
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, given_twice, json_of

STRANGE_OPERATORS = ("Loop", "If", "Scan", "Tile", "Expand", "ConstantOfShape", "RandomNormal", "Atlantis", "")
FORBIDDEN = frozenset(STRANGE_OPERATORS)
#: Of a description, what says of which game the network is.
GAME = ("format", "fingerprint", "observation_fingerprint")


@cache
def _whole(kind: str) -> bytes:
    network = SMALL if kind == "mlp" else BOARD
    policy = new_policy(PAIR, network)
    policy.set_training_mode(False)
    return onnx_bytes(policy, PAIR)


@cache
def _positions() -> HansaBatch:
    batch, rng = HansaBatch(16, PAIR, seed=5), np.random.default_rng(5)
    for _ in range(40):
        batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return batch


def _graph_changed(model: onnx.ModelProto, choose: random.Random) -> str:
    graph = model.graph
    node, tensor = choose.choice(graph.node), choose.choice(graph.initializer)
    how = choose.choice((
        "operator", "input", "output", "input gone", "node gone", "node twice", "attribute", "tensor shape", "tensor type",
        "tensor elsewhere", "tensor gone", "tensor short", "shape of an end", "end renamed", "domain", "function", "order",
        "description", "description",
    ))  # fmt: skip
    if how == "operator":
        node.op_type = choose.choice((*STRANGE_OPERATORS, "Add", "Concat", "Gather", "Reshape", "MatMul", "Softmax", "Exp"))
    elif how == "input" and node.input:
        other = choose.choice(graph.node)
        node.input[choose.randrange(len(node.input))] = choose.choice(
            (*other.output, *other.input, tensor.name, "atlantis", "")
        )
    elif how == "output":
        node.output[0] = choose.choice((choose.choice(graph.node).output[0], "atlantis"))
    elif how == "input gone" and node.input:
        node.input.pop()
    elif how == "node gone":
        graph.node.remove(node)
    elif how == "node twice":
        graph.node.append(node)
    elif how == "attribute":
        node.attribute.append(onnx.helper.make_attribute(choose.choice(("axis", "perm", "to", "keepdims")), choose.choice((
            -7, 0, 1, 99, 2**40, "text", [0, 0], [2**62, 2]))))  # fmt: skip
    elif how == "tensor shape":
        tensor.dims[:] = [choose.choice((-1, 0, 1, 3, 2**20, 2**40)) for _ in range(choose.randint(0, 4))]
    elif how == "tensor type":
        tensor.data_type = choose.choice((0, TensorProto.INT64, TensorProto.STRING, TensorProto.DOUBLE, 99))
    elif how == "tensor elsewhere":
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="/etc/passwd")
    elif how == "tensor gone":
        graph.initializer.remove(tensor)
    elif how == "tensor short":
        tensor.raw_data = tensor.raw_data[: len(tensor.raw_data) // 2]
    elif how == "shape of an end":
        end = choose.choice((*graph.input, *graph.output))
        end.type.tensor_type.shape.dim.add(dim_value=choose.choice((0, 1, 2**40)))
    elif how == "end renamed":
        choose.choice((*graph.input, *graph.output)).name = "atlantis"
    elif how == "domain":
        node.domain = "com.microsoft"
    elif how == "function":
        model.functions.add(name="f", domain="d")
    elif how == "order":
        nodes = list(graph.node)
        choose.shuffle(nodes)
        del graph.node[:]
        graph.node.extend(nodes)
    else:
        return f"description: {_description_changed(model, choose)}"
    return f"{node.op_type}: {how}"


def _description_changed(model: onnx.ModelProto, choose: random.Random) -> str:
    said = model.metadata_props[0]
    about = json.loads(said.value)
    if choose.random() < 0.2:
        what, text = "a field twice", given_twice(about, choose)
    else:
        what = changed(about, choose)
        text = json_of(about)
    said.value = text.encode("utf-8", "replace").decode()
    return what


def _make(choose: random.Random) -> tuple[str, bytes, None]:
    data = _whole(choose.choice(("mlp", "board")))
    if choose.random() < 0.3:
        what, data = bytes_changed(data, choose)
        return what, data, None
    model = onnx.load_model_from_string(data)
    what = _graph_changed(model, choose)
    return what, model.SerializeToString(), None


def _read(path: Path, _: None) -> None:
    agent, batch = OnnxAgent.from_spec(PAIR, 0, str(path)), _positions()
    graph = onnx.load(str(path), load_external_data=False)
    if any(node.op_type in FORBIDDEN or node.domain for node in graph.graph.node) or graph.functions:
        raise TakenWrongly("it holds what no network needs")
    about = json.loads(graph.metadata_props[0].value)
    if {name: about[name] for name in GAME} != {name: getattr(agent.description, name) for name in GAME}:
        raise TakenWrongly("it says that it plays something else")
    # What it answers is for whoever plays it to judge; it may fail as any agent may.
    actions = ask_agents([agent], np.zeros(batch.num_games, np.int64), PAIR, batch.games)
    assert batch.action_mask[np.arange(batch.num_games), actions].all()


GRAPHS = Kind("networks as ONNX", ".onnx", (AgentError, AgentFault), _make, _read, lambda: (_whole("board"), None))
