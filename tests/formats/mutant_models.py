"""Model files made wrong: in their bytes, their description, the names, shapes, types and values of their weights."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from hansa_agents.networks.from_file import network_in
from hansa_env import Ruleset
from hansa_env.engine.action_space import fingerprint
from hansa_env.play.errors import AgentError
from hansa_training.errors import ModelError
from hansa_training.model_file import load_policy, model_bytes
from hansa_training.networks import new_policy, weights_of
from hansa_training.sizes import NETWORKS
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, given_twice, json_of, same

PAIR = Ruleset(2)
KINDS = "mlp", "board", "attention"
SMALL = {"kind": "mlp", "widths": [8, 4]}
BOARD = NETWORKS["board"] | {"global": 8, "route": 4, "city": 4}


@cache
def _whole(kind: str) -> bytes:
    network = {"mlp": SMALL, "board": BOARD, "attention": NETWORKS["attention"] | {"global": 8, "route": 4, "city": 4}}[kind]
    return model_bytes(new_policy(PAIR, network), PAIR, network)


def _header(data: bytes) -> dict:
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])


def spoil_weights(weights: dict[str, np.ndarray], choose: random.Random) -> str:
    """Change one array of floats: its name, shape, type or values. Returns what was done."""
    name = choose.choice([name for name, array in weights.items() if array.dtype.kind == "f" and array.ndim])
    array = weights[name]
    spoilt = np.array(array, copy=True).reshape(-1)
    spoilt[choose.randrange(spoilt.size)] = choose.choice((np.nan, np.inf, -np.inf))
    ways = {
        "renamed": array, "gone": array, "not alone": array, "of halves": array.astype(np.float16),
        "of doubles": array.astype(np.float64), "of whole numbers": array.astype(np.int32), "of truth": array > 0,
        "one longer": np.concatenate([array, array[:1]]), "one shorter": array[:-1], "empty": array[:0],
        "flat": array.reshape(-1, 1, 1), "no number": spoilt.reshape(array.shape),
    }  # fmt: skip
    how = choose.choice(list(ways))
    weights[name] = np.ascontiguousarray(ways[how])
    if how in ("renamed", "gone"):
        del weights[name]
    if how in ("renamed", "not alone"):
        weights[f"{name}.atlantis"] = array
    return f"{name} {how}"


def _make(choose: random.Random, kinds: Sequence[str] = KINDS) -> tuple[str, bytes, tuple[str, bool]]:
    kind = choose.choice(kinds)
    data, way = _whole(kind), choose.random()
    weights, about = load(data), json.loads(_header(data)["__metadata__"]["hansa"])
    if way < 0.3:
        # Most bytes are weights, of which any may stand there: it is the beginning that says something.
        long = choose.random() < 0.3
        part, rest = (data, b"") if long else (data[:6000], data[6000:])
        what, part = bytes_changed(part, choose)
        return what, part + rest, (kind, True)
    if way < 0.4:
        text = given_twice(about, choose)
        return "a field twice", save(weights, {"hansa": text}), (kind, False)
    if way < 0.7:
        before = json.loads(json.dumps(about))
        while same(about, before):
            what = changed(about, choose)
        if choose.random() < 0.2:
            about["network"] = {"kind": kind, **{name: 8192 for name in NETWORKS[kind] if name != "kind"}}
            about["network"] |= {"widths": [8192] * 8} if kind == "mlp" else {}
        return what, save(weights, {"hansa": json_of(about)}), (kind, True)
    what = spoil_weights(weights, choose)
    return what, save(weights, {"hansa": json.dumps(about)}), (kind, False)


def _read(path: Path, known: tuple[str, bool]) -> None:
    _check_read({name: one.numpy() for name, one in weights_of(load_policy(path, PAIR)).items()}, path, *known)


def _read_for_searches(path: Path, known: tuple[str, bool]) -> None:
    _check_read(network_in(path, PAIR).weights, path, *known)


def _check_read(weights: Mapping[str, np.ndarray], path: Path, kind: str, may_be_whole: bool) -> None:
    """Raises `TakenWrongly` unless the file may be taken, and these are its weights."""
    if not may_be_whole:
        raise TakenWrongly("its weights are not those of a network, or a field stands twice")
    data, whole = path.read_bytes(), _whole(kind)
    said, meant = (json.loads(_header(one)["__metadata__"]["hansa"]) for one in (data, whole))
    if fingerprint(Ruleset.from_config(said["ruleset"])) != fingerprint(PAIR):
        raise TakenWrongly("it says that it plays something else")
    if kind == "attention" and isinstance(said["network"].get("heads"), int):
        said["network"]["heads"] = meant["network"]["heads"]  # which no shape depends on
    said["ruleset"] = meant["ruleset"]
    if not same(said, meant):
        raise TakenWrongly("its description is another")
    written = load(data)
    for name, found in weights.items():
        if not np.isfinite(written[name]).all() or not np.array_equal(found, written[name]):
            raise TakenWrongly(f"{name} was read otherwise than it was written")


SEARCHES = Kind(
    "models for searches", ".safetensors", (AgentError,), partial(_make, kinds=("board",)), _read_for_searches,
    lambda: (_whole("board"), ("board", True)),
)  # fmt: skip
MODELS = Kind("models", ".safetensors", (ModelError,), _make, _read, lambda: (_whole("attention"), ("attention", True)))
