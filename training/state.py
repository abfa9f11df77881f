"""The state of a run as data: nested dicts and lists of numbers, texts and arrays, to bytes and back, nothing pickled.

Also the state of things that know no such form of their own: random generators, optimizers, objects made of arrays.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load, save

from hansa_env.formats.json_text import parse_json
from hansa_training.errors import RunError

GO_ON = "go on with the version that wrote it, or begin a new run"
#: Stands in the JSON for an array, with its name.
ARRAY = "$array"
#: Of an optimizer's groups: whether it computes in one kernel, which depends on the device.
FUSED = "fused"


def pack(tree: Any) -> tuple[bytes, bytes]:
    """JSON and safetensors of a tree of dicts (keys are texts), lists, tuples, arrays, tensors and plain values.

    Raises:
        TypeError: naming the place of something else.
    """
    arrays: dict[str, np.ndarray] = {}

    def plain(value: Any, place: str) -> Any:
        if isinstance(value, torch.Tensor):
            value = value.detach().cpu().numpy()
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            arrays[place] = np.array(value, order="C")
            return {ARRAY: place}
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return {key: plain(part, f"{place}/{key}") for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(part, f"{place}/{index}") for index, part in enumerate(value)]
        raise TypeError(f"{place or 'the state'} is of type {type(value).__name__}, which a checkpoint cannot keep")

    text = json.dumps(plain(tree, ""), indent=1)
    return (text + "\n").encode(), save(arrays)


def unpack(text: bytes, arrays: bytes) -> Any:
    """The tree again: tuples as lists, tensors as arrays. Raises ValueError where the text is no JSON that can be read."""
    kept = load(arrays)

    def full(value: Any) -> Any:
        if isinstance(value, list):
            return [full(part) for part in value]
        if isinstance(value, dict):
            return kept[value[ARRAY]] if set(value) == {ARRAY} else {key: full(part) for key, part in value.items()}
        return value

    return full(parse_json(text, "state", nan=True))


def same_state(one: Any, other: Any) -> bool:
    """Whether two trees keep the same: numbers of the same type and value, arrays of the same bytes, in any order of keys."""
    (text, arrays), (other_text, other_arrays) = pack(one), pack(other)
    plain, other_plain = (json.dumps(json.loads(each), sort_keys=True) for each in (text, other_text))
    return plain == other_plain and arrays == other_arrays


def within(name: str, number: Any, low: float, high: float) -> Any:
    """A kept number, if it is one of these. Raises RunError."""
    if not low <= number <= high:
        raise RunError(f"{name} is {number}; expected {low} to {high}; {GO_ON}")
    return number


def random_state() -> dict[str, Any]:
    """Where the process's own generators stand: Python's, NumPy's and PyTorch's, with accelerators."""
    version, words, gauss = random.getstate()
    name, key, position, has_gauss, cached = np.random.get_state()
    return {
        "python": [version, list(words), gauss],
        "numpy": [name, key, position, has_gauss, cached],
        "torch": torch.get_rng_state().numpy(),
        "cuda": [one.numpy() for one in torch.cuda.get_rng_state_all()] if torch.cuda.is_initialized() else [],
    }


def set_random_state(state: dict[str, Any]) -> None:
    """Put them back."""
    version, words, gauss = state["python"]
    random.setstate((version, tuple(words), gauss))
    np.random.set_state(tuple(state["numpy"]))
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    if torch.cuda.is_available() and len(state["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all([torch.from_numpy(one) for one in state["cuda"]])


def tensors(state: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """A module's `state_dict` from arrays."""
    return {name: torch.from_numpy(array) for name, array in state.items()}


def optimizer_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Its `state_dict` with texts for keys, without how it computes on this device."""
    state = optimizer.state_dict()
    groups = [group | {FUSED: None} if FUSED in group else group for group in state["param_groups"]]
    return {"state": {str(index): part for index, part in state["state"].items()}, "groups": groups}


def set_optimizer_state(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Put it back into an optimizer of the same parameters.

    Raises:
        RunError: it is not the state of such an optimizer, which would be found out at its next step, in the run's midst.
    """
    form = _form_of(optimizer)
    # A parameter has no part in it until it has had a gradient.
    form["state"] = {index: form["state"].get(index) for index in state["state"]}
    _check_form(state, form, "optimiser")
    for group, own in zip(state["groups"], form["groups"]):  # the rate is all that changes in a run
        for name, value in group.items():
            if name == "lr" and not 0 < value <= 1:
                raise RunError(f"optimiser/groups has lr {value}; expected more than 0 and at most 1; {GO_ON}")
            if name != "lr" and value != own[name]:
                raise RunError(f"optimiser/groups has {name} {value!s:.100}; expected {own[name]!s:.100}; {GO_ON}")

    def as_tensor(one: Any) -> Any:
        return torch.from_numpy(one) if isinstance(one, np.ndarray) else one

    kept = {int(index): {name: as_tensor(one) for name, one in part.items()} for index, part in state["state"].items()}
    groups = [{name: tuple(one) if isinstance(one, list) else one for name, one in group.items()} for group in state["groups"]]
    for group, own in zip(groups, optimizer.param_groups):
        group |= {FUSED: own[FUSED]} if FUSED in own else {}
    optimizer.load_state_dict({"state": kept, "param_groups": groups})


def _form_of(optimizer: torch.optim.Optimizer) -> Any:
    """What it keeps once every parameter has had a gradient: found by a step that changes none of them."""
    rates = [group["lr"] for group in optimizer.param_groups]
    for group in optimizer.param_groups:
        group["lr"] = 0.0
        for one in group["params"]:
            one.grad = torch.zeros_like(one)
    optimizer.step()
    optimizer.zero_grad()
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        group["lr"] = rate
    return unpack(*pack(optimizer_state(optimizer)))


def _check_form(kept: Any, form: Any, place: str) -> None:
    """Raises RunError where what was kept has other keys, lengths, types or shapes than its form, or entries that are no
    numbers."""
    same = type(kept) is type(form)
    if same and isinstance(form, dict):
        same = kept.keys() == form.keys()
    elif same and isinstance(form, list):
        same = len(kept) == len(form)
    elif same and isinstance(form, np.ndarray):
        same = (kept.shape, kept.dtype) == (form.shape, form.dtype)
    if not same:
        raise RunError(f"{place} is not of the form that this version of the program keeps; {GO_ON}")
    if isinstance(kept, np.ndarray) and not np.isfinite(kept).all():
        raise RunError(f"{place} has entries that are no numbers; expected finite ones")
    for name in form if isinstance(form, dict) else range(len(form)) if isinstance(form, list) else ():
        _check_form(kept[name], form[name], f"{place}/{name}")


def contents(thing: object) -> dict[str, Any]:
    """The arrays and flags of an object that keeps its state in them, by attribute; records (games) as bytes.

    Read-only arrays are tables that belong to the rules, and no state.
    """
    found: dict[str, Any] = {}
    for name, value in vars(thing).items():
        if isinstance(value, np.ndarray) and value.flags.writeable:
            found[name] = value.view(np.uint8) if value.dtype.fields else value
            if value.dtype.fields:
                found[_layout(name)] = str(value.dtype.descr)
        elif isinstance(value, bool):
            found[name] = value
    return found


def set_contents(thing: object, state: dict[str, Any]) -> None:
    """Put them back into an object made the same way.

    Raises:
        RunError: the object has other attributes, flags, shapes or record fields than the one that was kept.
    """
    put_back(contents(thing), state, type(thing).__name__)


def put_back(own: Mapping[str, Any], state: Mapping[str, Any], what: str) -> None:
    """Put kept arrays back into `own` ones, by name, and check that flags and texts are the same; `what` has them.

    Raises RunError where one is of another shape, type or value than the one that was kept.
    """
    for name, value in own.items():
        kept = state.get(name)
        if isinstance(kept, np.ndarray) and isinstance(value, np.ndarray):
            same = kept.shape == value.shape and kept.dtype == value.dtype
        else:
            same = type(kept) is type(value) and kept == value
        if not same:
            raise RunError(f"the checkpoint's {what} does not fit this version of the program ({name} differs); {GO_ON}")
        if isinstance(value, np.ndarray):
            value[...] = kept


def _layout(name: str) -> str:
    return f"layout of {name}"
