"""The game as an RLlib environment of several agents, one for each seat that learns."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.play.agents import ask_agents
from hansa_env.play.arguments import MAX_TURNS
from hansa_training.networks import spaces_of


class HansaMultiAgentEnv(MultiAgentEnv):
    """Turns follow the game: an observation comes to whoever is asked next, rewards to every seat when the game ends.

    Args:
        config: the arguments of `Ruleset`, and
            opponents: a spec whose agent plays the other seats where one seat learns, None = every seat learns always.
            all_learners: share of the games in which every seat learns (0.5).
            max_turns, reward: as in `HansaBatch`.

    Agents are "player_0" .. by seat. An observation has "observations" (D,) int8 and "action_mask" (A,) int8.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        settings = dict(config or {})
        opponents, self.all_learners = settings.pop("opponents", None), settings.pop("all_learners", 0.5)
        max_turns, reward = settings.pop("max_turns", MAX_TURNS), settings.pop("reward", "margin")
        self.ruleset = Ruleset(**settings)
        observation, action = spaces_of(self.ruleset)
        self.possible_agents = [f"player_{seat}" for seat in range(self.ruleset.players)]
        self.agents = list(self.possible_agents)
        self.learning = list(range(self.ruleset.players))
        mask = spaces.Box(0, 1, (int(action.n),), np.int8)
        whole = spaces.Dict({"observations": observation, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, whole)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self.batch = HansaBatch(1, self.ruleset, max_turns=max_turns, reward=reward)
        self.opponent = None if opponents is None else make_agent(opponents, self.ruleset)
        self.random = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        """Deal the next game; a seed names it and who learns in it."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.batch.reset(seeds=[int(self.random.integers(2**63))])
        self.learning = list(range(self.ruleset.players))
        if self.opponent is not None and self.random.random() >= self.all_learners:
            self.learning = [int(self.random.integers(self.ruleset.players))]
        self.agents = [self.possible_agents[seat] for seat in self.learning]
        self._let_opponents_play()
        return self._observations(), {}

    def step(self, action_dict: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        """Play the decision of the agent that was asked."""
        (action,) = action_dict.values()
        self.batch.step(np.array([action]))
        self._let_opponents_play()
        batch = self.batch
        rewards = {self.possible_agents[seat]: float(batch.rewards[0, seat]) for seat in self.learning}
        terminated, truncated = ({"__all__": bool(flags[0])} for flags in (batch.terminated, batch.truncated))
        return self._observations(), rewards, terminated, truncated, {}

    def _let_opponents_play(self) -> None:
        while not self.batch.ended[0] and self.batch.seat[0] not in self.learning:
            assert self.opponent is not None
            self.batch.step(ask_agents([self.opponent], np.zeros(1, np.int64), self.ruleset, self.batch.games))

    def _observations(self) -> dict[str, dict[str, np.ndarray]]:
        """Of the seat that decides; at the end of every learning seat, with nothing masked, since nothing is chosen."""
        mask, seats = self.batch.action_mask[0].astype(np.int8), [int(self.batch.seat[0])]
        if self.batch.ended[0]:
            mask, seats = np.ones_like(mask), self.learning
        return {
            self.possible_agents[seat]: {
                "observations": self.batch.observe(seats=np.array([seat]))[0].copy(),
                "action_mask": mask,
            }
            for seat in seats
        }
