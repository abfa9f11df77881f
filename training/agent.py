"""A trained network as an agent of the arena: spec `ppo:path/to/model.zip`."""

from __future__ import annotations

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents import Agent
from hansa_env import Ruleset
from hansa_training.policy import ModelError, load_model, logits


class PPOAgent(Agent):
    """Plays a policy, by default sampling from it; `greedily` takes the likeliest action."""

    sees = "observations"

    def __init__(self, policy: MaskableActorCriticPolicy, seed: int = 0, greedily: bool = False) -> None:
        self.policy = policy
        self.greedily = greedily
        self.generator = torch.Generator().manual_seed(seed)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> PPOAgent:
        """The agent of a spec `ppo:FILE` or `ppo:FILE:sample`. Raises `ModelError`."""
        if not argument:
            raise ModelError("ppo needs the file of a model: ppo:runs/ppo/model.zip")
        path, _, how = argument.partition(":")
        if how not in ("", "sample"):
            raise ModelError(f"ppo:{argument}: expected nothing or 'sample' after the file, not {how!r}")
        policy = load_model(path, ruleset).policy
        policy.set_training_mode(False)
        return cls(policy, seed, greedily=how == "")

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for observations (N, D) int8 and masks (N, A) bool; −1 where nothing is legal."""
        if len(inputs) == 0:
            return np.empty(0, np.int64)
        scores = logits(self.policy, torch.from_numpy(inputs), torch.from_numpy(masks))
        if not self.greedily:
            noise = torch.empty_like(scores).exponential_(generator=self.generator)
            scores = scores - noise.log()  # the largest is a draw from the softmax
        actions = scores.argmax(1).numpy()
        actions[~masks.any(1)] = -1
        return actions
