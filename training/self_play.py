"""Self-play: the learner meets frozen copies of itself and its teacher, in new company each game."""

from __future__ import annotations

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from hansa_agents import Agent, make_agent
from hansa_env import Ruleset
from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent


def frozen_copy(model: MaskablePPO) -> PPOAgent:
    """An agent that plays the model's policy as it is now."""
    policy = model.policy.__class__(**model.policy._get_constructor_parameters())
    policy.load_state_dict(model.policy.state_dict())
    policy.set_training_mode(False)
    return PPOAgent(policy, seed=model.num_timesteps)


class SelfPlay(BaseCallback):
    """Opponents for the next rollout: the policy as it is now, as it was some rollouts ago, and the teacher.

    Args:
        keep: rollouts after which "some rollouts ago" moves on.
        teacher: spec of the third opponent.
    """

    def __init__(self, ruleset: Ruleset, keep: int = 10, teacher: str = "greedy", seed: int = 0) -> None:
        super().__init__()
        self.keep = keep
        self.teacher: Agent = make_agent(teacher, ruleset, seed)
        self.rollouts = 0
        self.older: PPOAgent | None = None

    def _on_rollout_start(self) -> None:
        newest = frozen_copy(self.model)
        if self.older is None or self.rollouts % self.keep == 0:
            self.older = newest
        self.rollouts += 1
        env = self.model.get_env()
        assert isinstance(env, HansaVecEnv)
        env.core.set_agents([newest, newest, self.older, self.teacher])

    def _on_step(self) -> bool:
        return True
