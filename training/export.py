"""A trained network as ONNX, for whatever runs that: no torch is needed then, and the batch may be of any size.

Inputs are `observations` (N, D) int8 and `masks` (N, A) bool. Outputs are `logits` (N, A) float32, −1e8 where not legal,
`policy` (N, A), their softmax, 0 where not legal, and `value` (N,) as the network foresees it. The metadata's entry "hansa"
says of which game (`hansa_agents.exported.description`).
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from hansa_agents.exported.description import KEY, LOGITS, MASKS, OBSERVATIONS, POLICY, VALUE, describe
from hansa_env import Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_env.formats.file_writing import write_whole
from hansa_training.agent import is_shipped, load_player, weights_hash
from hansa_training.errors import ModelError
from hansa_training.model_file import is_archive, trained_for
from hansa_training.networks import evaluate, is_ours

OPSET = 18
#: Warns of operators of torchvision, which no network here has.
logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)


class Exported(nn.Module):
    """What is exported of a policy."""

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, policy and value of observations (N, D) int8 and masks (N, A) bool."""
        logits, value = evaluate(self.policy, observations, masks)
        return logits, torch.where(masks, logits.softmax(1), 0.0), value


def onnx_bytes(policy: MaskableActorCriticPolicy, ruleset: Ruleset) -> bytes:
    """An ONNX file of a policy of this project. Raises ModuleNotFoundError without the extra `onnx`."""
    import onnxscript  # noqa: F401  # the exporter needs it, and says so in many lines

    example = torch.zeros(2, observation_size(ruleset), dtype=torch.int8), torch.ones(2, num_actions(ruleset), dtype=torch.bool)
    batch = torch.export.Dim("batch")
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own, of what will go from torch
        program: Any = torch.onnx.export(
            Exported(policy).eval(), example, dynamo=True, opset_version=OPSET, verbose=False,
            input_names=[OBSERVATIONS, MASKS], output_names=[LOGITS, POLICY, VALUE], dynamic_shapes=({0: batch}, {0: batch}),
        )  # fmt: skip
    program.model.metadata_props[KEY] = describe(ruleset, weights_hash(policy)).model_dump_json()
    return program.model_proto.SerializeToString()


def game_of(model: Path | None) -> Ruleset:
    """The game that a model was trained for, by path or version as after `ppo:`; the base game where it does not
    say: weights that rulesets share, archives, and networks that come with the project. Raises ModelError."""
    trained = None if model is None or is_shipped(model) else trained_for(model)
    return trained or Ruleset()


def export(model: Path | None, ruleset: Ruleset, file: Path) -> int:
    """Write the ONNX file of a model, by path or version as after `ppo:`; None: that of this version. Returns its bytes.

    Raises ModelError, OSError; ModuleNotFoundError without the extra `onnx`.
    """
    if model is not None and is_archive(model):  # which runs code when it is loaded, for nothing here
        raise ModelError(
            f"{model}: is an archive by Stable-Baselines3, and only networks of `hansa train` can be exported; here it plays "
            f"as ppo:{model}:trust"
        )
    policy = load_player(model, ruleset)
    assert is_ours(policy), model
    data = onnx_bytes(policy, ruleset)
    write_whole(file, data)
    return len(data)
