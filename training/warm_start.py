"""A warm start from a teacher: DAgger (Ross, Gordon, Bagnell 2011) against `greedy`'s choices.

Games are played by the learner and the teacher in turn; every state met is labelled with what the teacher would do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.play.agents import ask_agents
from hansa_training.agent import PPOAgent
from hansa_training.policy import logits
from hansa_training.state import contents, optimiser_state, set_contents, set_optimiser_state

LEARNING_RATE = 1e-3
ROWS = 1024
PASSES = 2


class Imitation:
    """Trains a policy's actor in place, round by round, on decisions that a teacher labels.

    Args:
        policy: the learner.
        decisions: how many labelled decisions there are to be.
        games, ticks: a round is `ticks` decisions of each of `games` games.

    Attributes:
        done: decisions labelled so far; share: of the teacher's choices copied in the last round.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        ruleset: Ruleset,
        decisions: int,
        seed: int,
        games: int = 512,
        ticks: int = 32,
        max_turns: int = 100,
        teacher: str = "greedy",
    ) -> None:
        self.policy, self.decisions, self.ticks = policy, decisions, ticks
        self.batch = HansaBatch(games, ruleset, seed=seed, max_turns=max_turns, autoreset=True)
        self.expert = make_agent(teacher, ruleset, seed)
        self.learner = PPOAgent(policy, seed)
        self.rng = np.random.default_rng(seed)
        self.optimiser = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
        self.done, self.share = 0, 0.0

    @property
    def finished(self) -> bool:
        return self.done >= self.decisions

    def round(self) -> None:
        """Collect and learn from one round."""
        mixing = 1.0 - self.done / self.decisions  # share of games the teacher plays himself
        observations, masks, labels = self._collect(self.rng.random(self.batch.num_games) < mixing)
        self.share = self._fit(observations, masks, labels)
        self.done += len(labels)
        for group in self.optimiser.param_groups:
            group["lr"] = LEARNING_RATE * max(0.05, 1 - self.done / self.decisions)

    def state(self) -> dict[str, Any]:
        """Everything but the policy's weights, as `hansa_training.state` keeps it."""
        return {
            "done": self.done,
            "share": self.share,
            "games": contents(self.batch),
            "optimiser": optimiser_state(self.optimiser),
            "random": self.rng.bit_generator.state,
            "sampling": self.learner.generator.get_state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there. Raises `RunError` where the games do not fit this version."""
        self.done, self.share = state["done"], state["share"]
        set_contents(self.batch, state["games"])
        set_optimiser_state(self.optimiser, state["optimiser"])
        self.rng.bit_generator.state = state["random"]
        self.learner.generator.set_state(torch.from_numpy(state["sampling"]))

    def _collect(self, by_teacher: np.ndarray) -> tuple[np.ndarray, ...]:
        """`ticks` decisions of every game: observations, masks and the teacher's labels."""
        batch, shape = self.batch, (self.ticks, self.batch.num_games)
        observations = np.empty((*shape, batch.observation_size), np.int8)
        masks = np.empty((*shape, batch.num_actions), np.bool_)
        labels, everyone = np.empty(shape, np.int64), np.zeros(batch.num_games, np.int64)
        for tick in range(self.ticks):
            batch.observe(observations[tick])
            batch.write_mask(masks[tick])
            labels[tick] = ask_agents([self.expert], everyone, batch.ruleset, batch.games)
            own = ask_agents([self.learner], everyone, batch.ruleset, batch.games)
            batch.step(np.where(by_teacher, labels[tick], own))
        rows = labels.size
        return observations.reshape(rows, -1), masks.reshape(rows, -1), labels.reshape(rows)

    def _fit(self, observations: np.ndarray, masks: np.ndarray, labels: np.ndarray) -> float:
        self.policy.set_training_mode(True)
        right = 0
        for _ in range(PASSES):
            order = self.rng.permutation(len(labels))
            right = 0
            for start in range(0, len(order), ROWS):
                rows = order[start : start + ROWS]
                scores = logits(self.policy, torch.from_numpy(observations[rows]), torch.from_numpy(masks[rows]))
                target = torch.from_numpy(labels[rows])
                loss = torch.nn.functional.cross_entropy(scores, target)
                self.optimiser.zero_grad()
                loss.backward()
                self.optimiser.step()
                right += int((scores.argmax(1) == target).sum())
        self.policy.set_training_mode(False)
        return right / len(labels)
