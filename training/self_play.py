"""Self-play: the learner meets frozen copies of itself and its teacher, in new company each game."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

from hansa_agents import Agent, make_agent
from hansa_env import Ruleset
from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent
from hansa_training.policy import NETWORK, new_policy
from hansa_training.state import tensors


def frozen_copy(policy: MaskableActorCriticPolicy, ruleset: Ruleset, seed: int = 0, greedily: bool = False) -> PPOAgent:
    """An agent that plays a policy as it is now. Draws nothing from the process's generators."""
    copy = new_policy(ruleset, NETWORK)
    copy.load_state_dict(policy.state_dict())
    copy.set_training_mode(False)
    return PPOAgent(copy, seed, greedily)


class SelfPlay(BaseCallback):
    """Opponents for the next rollout: the policy as it is now, as it was some rollouts ago, and the teacher.

    Args:
        keep: rollouts after which "some rollouts ago" moves on.
        teacher: spec of the third opponent; nothing of it is kept in the state, so it may not draw from a stream.
    """

    def __init__(self, ruleset: Ruleset, keep: int = 10, teacher: str = "greedy", seed: int = 0) -> None:
        super().__init__()
        self.ruleset, self.keep = ruleset, keep
        self.teacher: Agent = make_agent(teacher, ruleset, seed)
        self.rollouts = 0
        self.older: PPOAgent | None = None

    def _on_rollout_start(self) -> None:
        policy = self.model.policy
        assert isinstance(policy, MaskableActorCriticPolicy)
        newest = frozen_copy(policy, self.ruleset, self.model.num_timesteps)
        if self.older is None or self.rollouts % self.keep == 0:
            self.older = newest
        self.rollouts += 1
        env = self.model.get_env()
        assert isinstance(env, HansaVecEnv)
        env.core.set_agents([newest, newest, self.older, self.teacher])

    def _on_step(self) -> bool:
        return True

    def state(self) -> dict[str, Any]:
        """The older policy and where its sampling stands; the newest one is made anew for each rollout."""
        if self.older is None:
            return {"rollouts": self.rollouts, "older": None}
        older = {"weights": dict(self.older.policy.state_dict()), "sampling": self.older.generator.get_state()}
        return {"rollouts": self.rollouts, "older": older}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.rollouts, older = state["rollouts"], state["older"]
        if older is None:
            self.older = None
            return
        policy = new_policy(self.ruleset, NETWORK)
        policy.load_state_dict(tensors(older["weights"]))
        policy.set_training_mode(False)
        self.older = PPOAgent(policy)
        self.older.generator.set_state(torch.from_numpy(older["sampling"]))
