"""The networks of this project as RLlib's modules."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule

from hansa_env import Ruleset
from hansa_training.networks import evaluate, new_policy
from hansa_training.sizes import NETWORKS


class HansaModule(TorchRLModule, ValueFunctionAPI):
    """A policy with action masks, for observations of `HansaMultiAgentEnv`.

    Its `model_config` has "ruleset", the arguments of `Ruleset`, and "network", a name in NETWORKS. `policy` is the policy as
    everywhere else in the project: `model_file.model_bytes` makes it an agent of the arena.
    """

    def setup(self) -> None:
        ruleset = Ruleset(**self.model_config["ruleset"])
        self.policy = new_policy(ruleset, NETWORKS[self.model_config["network"]])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        return {Columns.ACTION_DIST_INPUTS: self._evaluate(batch)[0]}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Values (N,)."""
        return self._evaluate(batch)[1]

    def _evaluate(self, batch: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
        seen = batch[Columns.OBS]
        return evaluate(self.policy, seen["observations"], seen["action_mask"].bool())
