"""Models as files: weights and a description of what they play, as data. Archives of others run code and need a word first.

A model file is safetensors; its metadata has one entry, "hansa", JSON: format, ruleset, fingerprints of the action
space and of the observation, sizes, network. SECURITY.md says what is safe to load.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import torch
from pydantic import Field, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load, save
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import BasePolicy
from torch import Tensor

from hansa_agents.networks.metadata import KEY, LARGEST, NoModel, described, description_in
from hansa_agents.networks.run_models import MODEL
from hansa_env import Ruleset
from hansa_env.engine.action_space import fingerprint
from hansa_env.engine.view.observation import OBSERVATION_VERSION, observation_fingerprint
from hansa_env.formats.fields import Strictly
from hansa_env.formats.file_reading import read_at_most
from hansa_training.archive import load_archive
from hansa_training.checkpoints import Checkpoint, Checkpoints, is_checkpoint, read_checkpoint
from hansa_training.errors import ModelError, RunError, with_kind
from hansa_training.networks import check_sizes, check_weights, policy_arguments, policy_of, weights_of
from hansa_training.networks.shared import KINDS, SharedWeights, carried_over
from hansa_training.networks.trained import SharedNetwork
from hansa_training.run_folder import CHECKPOINTS
from hansa_training.sizes import BOARD
from hansa_training.state import tensors

SHARED_FORMAT: Literal["hansa-shared-model/1"] = "hansa-shared-model/1"

#: SHA-256 in hexadecimal digits.
_Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
#: What reading ends in where bytes are no model.
NO_MODEL = (SafetensorError, ValidationError, ValueError, KeyError, TypeError, AttributeError)


class Description(Strictly):
    """What a model file says of its weights."""

    format: Literal["hansa-model/1"]
    ruleset: dict[str, Any]
    fingerprint: _Fingerprint
    observation_fingerprint: _Fingerprint
    actions: int
    observation: int
    network: dict[str, Any]


def describe(ruleset: Ruleset, network: dict[str, Any]) -> Description:
    """The description of a network that plays a ruleset."""
    return Description(**described(ruleset, network))


def model_bytes(policy: MaskableActorCriticPolicy, ruleset: Ruleset, network: dict[str, Any]) -> bytes:
    """A model file; the same weights give the same bytes."""
    weights = {name: tensor.cpu().numpy().copy() for name, tensor in weights_of(policy).items()}
    return save(weights, {KEY: describe(ruleset, network).model_dump_json()})


class SharedDescription(Strictly):
    """What a file says of weights that rulesets share."""

    format: Literal["hansa-shared-model/1"]
    rulesets: list[dict[str, Any]]
    observation_version: int
    network: dict[str, Any]
    names: dict[str, list[str]]


class Shared(NamedTuple):
    """Weights that rulesets share, as a file has them."""

    description: SharedDescription
    weights: dict[str, Tensor]

    def module(self) -> SharedWeights:
        """As a module, which needs no more memory than the weights. Raises `ModelError` where they do not fit each other."""
        network, names = self.description.network, self.description.names
        policy_arguments(Ruleset(3), network)
        if network["kind"] != BOARD["kind"] or set(names) != set(KINDS):
            given = f"{network!s:.200} with names of {', '.join(names):.200}"
            raise ModelError(f"the network is {given}; expected those of {', '.join(KINDS)}")
        with torch.device("meta"):
            shared = SharedWeights(names, {name: size for name, size in network.items() if name != "kind"})
        check_weights(dict(shared.named_parameters()), self.weights)
        shared.load_state_dict(self.weights, assign=True)
        return shared

    @torch.no_grad()
    def for_names_of(self, other: SharedWeights) -> dict[str, Tensor]:
        """The weights for others' names: what these do not know keeps its beginning. Raises `ModelError`."""
        return carried_over(self.module(), other)


def shared_bytes(trained: SharedNetwork, weights: Mapping[str, Tensor]) -> bytes:
    """A file of weights that rulesets share; the same weights give the same bytes."""
    description = SharedDescription(
        format=SHARED_FORMAT,
        rulesets=[ruleset.config for ruleset in trained.rulesets],
        observation_version=OBSERVATION_VERSION,
        network=trained.network,
        names=trained.shared.names,
    )
    return save({name: one.cpu().numpy().copy() for name, one in weights.items()}, {KEY: description.model_dump_json()})


def read_shared(data: bytes, name: str) -> Shared | None:
    """The weights that rulesets share in a model file's bytes; None where it is another kind of model. Raises `ModelError`."""
    try:
        parsed = description_in(data)
        if not isinstance(parsed, dict) or parsed.get("format") != SHARED_FORMAT:
            return None
        description = SharedDescription.model_validate(parsed)
        weights = tensors(load(data))
    except NoModel as error:
        raise ModelError(f"{name}: {error}") from error
    except NO_MODEL as error:
        raise ModelError(f"{name}: cannot be read as a model ({with_kind(error):.320})") from error
    if description.observation_version != OBSERVATION_VERSION:
        raise ModelError(f"{name}: trained on another version of the observation vector; train it anew with this version")
    return Shared(description, weights)


def load_shared(path: Path) -> Shared:
    """The weights that rulesets share in a model file, or in a run's or a checkpoint's folder. Raises `ModelError`."""
    name, data = _bytes_of(path)
    shared = read_shared(data, name)
    if shared is None:
        raise ModelError(f"{name}: is a network of one ruleset; expected weights that rulesets share")
    return shared


def trained_for(path: Path) -> Ruleset | None:
    """The ruleset that a model file, or the one in a folder, says that it was trained for; None of other files. Raises
    `ModelError` where it cannot be read."""
    if is_archive(path):
        return None
    name, data = _bytes_of(path)
    if read_shared(data, name) is not None:
        return None
    return _described(data, name)[1]


def network_of(path: Path) -> dict[str, Any] | None:
    """Kind and sizes of the network in a model file, or of the one in a folder, as in `hansa_training.sizes`; None of other
    files. Raises `ModelError` where it cannot be read."""
    if is_archive(path):
        return None
    name, data = _bytes_of(path)
    shared = read_shared(data, name)
    return shared.description.network if shared else _described(data, name)[0].network


def is_archive(path: Path) -> bool:
    """Whether a path names an archive by Stable-Baselines3, not a model file of this project."""
    return not path.is_dir() and (path.suffix == ".zip" or zipfile.is_zipfile(path))


def load_weights(path: Path) -> tuple[Ruleset, dict[str, Any], dict[str, Tensor]]:
    """What the network of one ruleset in a model file, or in a run's or a checkpoint's folder, was trained for, its sizes and
    its weights. Raises `ModelError`."""
    name, data = _bytes_of(path)
    if read_shared(data, name) is not None:
        raise ModelError(f"{name}: has weights that rulesets share; expected a network of one ruleset")
    description, ruleset, _ = _described(data, name)
    return ruleset, description.network, weights_of(read_policy(data, name, ruleset))


def load_policy(path: Path, ruleset: Ruleset, trust: bool = False) -> BasePolicy:
    """The policy of a model file, of a run's or a checkpoint's folder, or, with trust, of a Stable-Baselines3 archive.

    A run's folder stands for its newest checkpoint whose model is whole; the run may be going on meanwhile.

    Raises:
        ModelError: there is no model, it is broken, it does not fit the ruleset, or it would run code and is not trusted.
    """
    if is_archive(path):
        return load_archive(path, ruleset, trust)
    name, data = _bytes_of(path)
    return read_policy(data, name, ruleset)


def _bytes_of(path: Path) -> tuple[str, bytes]:
    """Name and content of a model file, or of the one in a folder. Raises `ModelError`."""
    if path.is_dir():
        checkpoint = _checkpoint(path)
        if MODEL not in checkpoint.files:
            raise ModelError(f"{checkpoint.path} has no {MODEL}")
        return str(checkpoint.path / MODEL), checkpoint.files[MODEL]
    try:
        return str(path), read_at_most(path, LARGEST)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read as a model ({error.strerror})") from error
    except ValueError as error:
        raise ModelError(str(error)) from error


def read_policy(data: bytes, name: str, ruleset: Ruleset) -> MaskableActorCriticPolicy:
    """The policy in a model file's bytes; `name` is for messages. Runs nothing of what is in it. Raises `ModelError`."""
    shared = read_shared(data, name)
    if shared is not None:
        try:
            with torch.no_grad():
                return policy_of(ruleset, shared.description.network, shared.module().weights_for(ruleset))
        except (ModelError, RuntimeError) as error:
            raise ModelError(f"{name}: its weights do not fit its network ({with_kind(error):.400})") from error
    description, played, weights = _described(data, name)
    check_sizes(name, description.observation, description.actions, ruleset, description.ruleset)
    if description.fingerprint != fingerprint(ruleset):
        raise ModelError(
            f"{name}: trained for {description.ruleset!s:.200}, not {ruleset.config}: the actions have other meanings "
            f"(fingerprint {description.fingerprint[:12]}…, expected {fingerprint(ruleset)[:12]}…)"
        )
    if description.observation_fingerprint != observation_fingerprint(ruleset):
        raise ModelError(f"{name}: trained on another version of the observation vector; train it anew with this version")
    said = f"{description.ruleset!s:.200}"
    if fingerprint(played) != description.fingerprint or json.dumps(played.config) != json.dumps(description.ruleset):
        raise ModelError(f"{name}: says that it was trained for {said}, but its actions are of another game")
    try:
        return policy_of(ruleset, description.network, weights)
    except (ModelError, RuntimeError) as error:
        network = f"{description.network!s:.200}"
        raise ModelError(f"{name}: its weights do not fit its network {network} ({with_kind(error):.400})") from error


def _described(data: bytes, name: str) -> tuple[Description, Ruleset, dict[str, Tensor]]:
    """Description, ruleset and weights in a model file's bytes, not compared yet. Raises `ModelError`."""
    try:
        weights = tensors(load(data))
        description = Description.model_validate(description_in(data))
        return description, Ruleset.from_config(description.ruleset), weights
    except NO_MODEL as error:
        raise ModelError(f"{name}: cannot be read as a model ({with_kind(error):.320})") from error


def _checkpoint(folder: Path) -> Checkpoint:
    """The checkpoint of a folder, of which the model alone is read. Raises `ModelError`."""
    try:
        if is_checkpoint(folder):
            return read_checkpoint(folder, MODEL, LARGEST)
        newest = Checkpoints(folder / CHECKPOINTS).newest(only=MODEL, most=LARGEST)
    except RunError as error:
        raise ModelError(str(error)) from error
    if newest is None:
        raise ModelError(f"{folder} is a folder without checkpoints; expected a run's folder or the file of a model")
    return newest
