"""A trained network as an agent: specs `ppo`, `ppo:runs/ppo`, `ppo:model.safetensors:sample`, `ppo:model.zip:trust`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents import Agent
from hansa_env import Ruleset
from hansa_training.errors import ModelError
from hansa_training.model_file import load_policy, read_policy
from hansa_training.networks import draw, logits
from hansa_training.shipped import shipped_model
from hansa_training.workers import one_thread

SAMPLE, TRUST = "sample", "trust"


class PPOAgent(Agent):
    """Plays a policy, by default sampling from it; `greedily` takes the likeliest action."""

    sees = "observations"

    def __init__(self, policy: MaskableActorCriticPolicy, seed: int = 0, greedily: bool = False) -> None:
        self.policy = policy
        self.greedily = greedily
        self.generator = torch.Generator().manual_seed(seed)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> PPOAgent:
        """The agent of a spec `ppo:PATH`, with `:sample`, `:trust` or both after it in any order.

        PATH is a model file, the folder of a run (its newest checkpoint) or of a checkpoint, or an archive by
        Stable-Baselines3, which runs code when it is loaded and therefore needs `:trust` (or HANSA_TRUST=1). Without PATH
        (`ppo`, `ppo::sample`) it is the agent that comes with the project. `:sample` draws from the policy instead of taking
        the likeliest action. Raises `ModelError`.
        """
        path, *words = (argument or "").split(":")
        wrong = [word for word in words if word not in (SAMPLE, TRUST)]
        if wrong:
            raise ModelError(f"ppo:{argument}: expected '{SAMPLE}' or '{TRUST}' after the path, not {wrong[0]!r}")
        if path:
            policy = load_policy(Path(path), ruleset, trust=TRUST in words)
        else:
            name, data = shipped_model(ruleset)
            policy = read_policy(data, name, ruleset)
        policy.set_training_mode(False)
        return cls(policy, seed, greedily=SAMPLE not in words)

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for observations (N, D) int8 and masks (N, A) bool; −1 where nothing is legal."""
        if len(inputs) == 0:
            return np.empty(0, np.int64)
        with one_thread():
            scores = logits(self.policy, torch.from_numpy(inputs), torch.from_numpy(masks))
        actions = (scores.argmax(1) if self.greedily else draw(scores, self.generator)).numpy()
        actions[~masks.any(1)] = -1
        return actions
