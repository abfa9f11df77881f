"""Who sits at the learner's tables: itself, its frozen snapshots, and scripted agents; drawn anew for each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_env import Agent, Ruleset, make_agent
from hansa_training.agent import PPOAgent
from hansa_training.errors import RunError
from hansa_training.networks import AS_IT_IS, Computing, frozen, weights_of
from hansa_training.state import tensors

#: The learner's number among the agents of a table.
LEARNER = -1
#: How quickly a result is forgotten, per game; and the win share at which a new opponent begins.
MEMORY, UNKNOWN = 0.995, 0.0


@dataclass
class Opponent:
    """One that the learner meets; `share` is the learner's win share against it of late, 1/P when they are even."""

    name: str
    policy: MaskableActorCriticPolicy | None = None
    share: float = UNKNOWN
    games: int = 0
    retired: bool = field(default=False)


class League:
    """The opponents of a run and how often each is met.

    Args:
        scripted: specs of agents that take part from the beginning to the end.
        snapshots: how many frozen copies are in the pool at a time.
        all_learners, two_learners: share of games in which the learner has every seat, or two; else it has one.
        from_snapshots: share of the other games whose opponents are snapshots, once there are any.
        computing: how snapshots compute.

    An opponent is drawn in proportion to how far the learner is from always beating it (prioritised fictitious
    self-play, Vinyals et al. 2019), and holds all seats of the table that the learner does not. Of the snapshots one at a
    time meets the learner, until `draw_snapshot` is called: a network is cheap only for many games at once.
    """

    def __init__(
        self, ruleset: Ruleset, network: dict[str, Any], scripted: list[str], snapshots: int, all_learners: float,
        two_learners: float, from_snapshots: float, computing: Computing = AS_IT_IS,
    ) -> None:  # fmt: skip
        self.ruleset, self.network, self.scripted = ruleset, network, list(scripted)
        self.snapshots, self.from_snapshots = snapshots, from_snapshots
        self.all_learners, self.two_learners = all_learners, two_learners
        self.opponents: dict[int, Opponent] = {number: Opponent(spec) for number, spec in enumerate(scripted)}
        self.computing = computing
        self._next = len(scripted)
        self._met: int | None = None  # the snapshot of the games that begin now

    def add_snapshot(self, weights: Mapping[str, torch.Tensor], name: str) -> None:
        """A frozen player with these weights joins; the oldest retires when there are too many, and leaves after its games."""
        self.opponents[self._next] = Opponent(name, self._frozen(weights))
        self._next += 1
        active = [one for one in self.opponents.values() if one.policy is not None and not one.retired]
        for one in active[: -self.snapshots]:
            one.retired = True

    def forget(self, seated: set[int]) -> None:
        """Drop retired snapshots that sit at no table."""
        for number in [n for n, one in self.opponents.items() if one.retired and n not in seated]:
            del self.opponents[number]

    def seat_players(self, count: int, random: np.random.Generator) -> np.ndarray:
        """Who sits where in new games: (count, P) int64 of LEARNER or an opponent's number."""
        players = self.ruleset.players
        who = np.full((count, players), LEARNER)
        for row in who:
            kind = random.random()
            if kind < self.all_learners:
                continue
            learners = 2 if kind < self.all_learners + self.two_learners and players > 2 else 1
            row[random.permutation(players)[learners:]] = self._draw(random)
        return who

    def _draw(self, random: np.random.Generator) -> int:
        fixed = list(range(len(self.scripted)))
        if self._met is not None and (not fixed or random.random() < self.from_snapshots):
            return self._met
        return self._weighted(fixed, random) if fixed else LEARNER

    def draw_snapshot(self, random: np.random.Generator) -> None:
        """From now on another snapshot meets the learner, in games that begin."""
        frozen = [n for n, one in self.opponents.items() if one.policy is not None and not one.retired]
        self._met = self._weighted(frozen, random) if frozen else None

    def _weighted(self, among: list[int], random: np.random.Generator) -> int:
        weights = np.array([1.05 - self.opponents[n].share for n in among])
        return int(random.choice(among, p=weights / weights.sum()))

    def note(self, number: int, share: float) -> None:
        """A game ended in which one learner met an opponent, with this share of the win."""
        one = self.opponents[number]
        one.games += 1
        one.share += max(1 - MEMORY, 1 / (one.games + 1)) * (share - one.share)

    def agent(self, number: int, seed: int) -> Agent:
        """The player of one opponent, with a stream of its own."""
        one = self.opponents[number]
        if one.policy is None:
            return make_agent(one.name, self.ruleset, seed)
        return PPOAgent(self.ruleset, one.policy, seed)

    def _frozen(self, weights: Mapping[str, torch.Tensor]) -> MaskableActorCriticPolicy:
        return frozen(self.ruleset, self.network, weights, self.computing)

    def state(self) -> dict[str, Any]:
        """All of it, as `hansa_training.state` keeps it."""
        return {
            "next": self._next,
            "met": self._met,
            "opponents": {
                str(number): {
                    "name": one.name, "share": one.share, "games": one.games, "retired": one.retired,
                    "weights": None if one.policy is None else weights_of(one.policy),
                }
                for number, one in self.opponents.items()
            },
        }  # fmt: skip

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._next, self._met = state["next"], state["met"]
        self.opponents = {}
        for number, one in state["opponents"].items():
            policy = None
            if one["weights"] is None and one["name"] not in self.scripted:  # a checkpoint is data: it names no agents itself
                raise RunError(f"its league has an agent {one['name']!r}, which is none of the plan's opponents")
            if one["weights"] is not None:
                policy = self._frozen(tensors(one["weights"]))
            self.opponents[int(number)] = Opponent(one["name"], policy, one["share"], one["games"], one["retired"])
