"""Who sits at the learner's tables: itself, frozen networks, and other agents; drawn anew for each game."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents.mixture import MixtureAgent
from hansa_env import Agent, Ruleset, make_agent
from hansa_training.agent import PPOAgent
from hansa_training.networks import set_weights, weights_of
from hansa_training.networks.recorded import Inference
from hansa_training.state import tensors, within

#: The learner's number among the agents of a table.
LEARNER = -1
#: How quickly a result is forgotten, per later one; and the learner's share at which a new opponent begins.
MEMORY, UNKNOWN = 0.995, 0.0


@dataclass
class Opponent:
    """One that the learner meets.

    Attributes:
        name: its spec, or when a snapshot was taken.
        policy: of a snapshot.
        rival: it takes turns with the snapshots.
        share: of the pairs of a learner's and this opponent's seat at one table, those in which the learner did better;
            a tie counts half, recent results count more. 1/2 when they are even.
        games: how many results it has: one for each seat of the learner in each game.
    """

    name: str
    policy: MaskableActorCriticPolicy | None = None
    share: float = UNKNOWN
    games: int = 0
    retired: bool = False
    rival: bool = False

    @property
    def takes_turns(self) -> bool:
        return self.rival or self.policy is not None


@dataclass(frozen=True)
class Company:
    """How tables are composed, as shares of the games.

    Attributes:
        all_learners, two_learners: the learner has every seat, or two; all other seats are held by one opponent.
        mixed: the learner has from one seat to all but one, each number as likely; every other seat is drawn by itself.
        from_frozen: share of snapshots and rivals among the opponents that are drawn, once there are any.
        at_once: how many of the snapshots and rivals are met at a time.

    In the games that are left the learner has one seat, and one opponent holds all others.
    """

    all_learners: float
    two_learners: float
    mixed: float
    from_frozen: float
    at_once: int


class League:
    """The opponents of a run and how often each is met.

    Args:
        fixed: specs of agents that take part from the beginning to the end.
        rivals: specs of agents, usually networks, that take turns with the snapshots.
        snapshots: how many frozen copies are in the pool at a time.
        company: how tables are composed.
        empty: makes a network like the snapshots, for the weights of those that a checkpoint kept.
        seed: of which of them are met; who sits where is drawn by the shards.

    An opponent is drawn in proportion to how far the learner is from always doing better (prioritised fictitious self-play,
    Vinyals et al. 2019). Of snapshots and rivals only `company.at_once` meet the learner, until `draw_frozen` is called: a
    network is cheap only for many games at once. So they are drawn in that proportion twice: which are met, and for each game
    which of these.
    """

    def __init__(
        self, ruleset: Ruleset, fixed: list[str], rivals: list[str], snapshots: int, company: Company,
        empty: Callable[[], MaskableActorCriticPolicy], seed: int = 0,
    ) -> None:  # fmt: skip
        self.ruleset, self._empty = ruleset, empty
        self.snapshots, self.company = snapshots, company
        self.random = np.random.default_rng(seed)
        self.opponents: dict[int, Opponent] = {
            number: Opponent(spec, rival=number >= len(fixed)) for number, spec in enumerate([*fixed, *rivals])
        }
        self._next = len(self.opponents)
        self._met: list[int] = []  # the snapshots and rivals of the games that begin now
        self._draw_where_alone()

    @property
    def labels(self) -> dict[int, str]:
        """What each opponent is called, told apart where several have one name: greedy, greedy (2), greedy (rival)."""
        found: dict[int, str] = {}
        for number, one in self.opponents.items():
            what, count = one.name, 1
            while what in found.values():
                count += 1
                what = f"{one.name} (rival)" if one.rival and count == 2 else f"{one.name} ({'rival ' * one.rival}{count})"
            found[number] = what
        return found

    def add_snapshot(self, policy: MaskableActorCriticPolicy, name: str) -> None:
        """A network that learns no more joins; the oldest retires when there are too many, and leaves after its games."""
        self.opponents[self._next] = Opponent(name, policy)
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
        players, company = self.ruleset.players, self.company
        who = np.full((count, players), LEARNER)
        for row in who:
            kind = random.random()
            if kind < company.all_learners:
                continue
            kind -= company.all_learners
            if kind < company.mixed:
                others = random.permutation(players)[random.integers(1, players) :]
                row[others] = [self._draw(random) for _ in others]
                continue
            learners = 2 if kind < company.mixed + company.two_learners and players > 2 else 1
            row[random.permutation(players)[learners:]] = self._draw(random)
        return who

    def _draw(self, random: np.random.Generator) -> int:
        fixed = [number for number, one in self.opponents.items() if not one.takes_turns]
        if self._met and (not fixed or random.random() < self.company.from_frozen):
            return self._weighted(self._met, random)
        return self._weighted(fixed, random) if fixed else LEARNER

    def draw_frozen(self) -> None:
        """From now on other snapshots and rivals meet the learner, in games that begin."""
        frozen = [n for n, one in self.opponents.items() if one.takes_turns and not one.retired]
        count = min(self.company.at_once, len(frozen))
        met: Any = self.random.choice(frozen, count, replace=False, p=self._weights(frozen)) if frozen else []
        self._met = [int(number) for number in met]

    def _draw_where_alone(self) -> None:
        """Else the learner would have all seats until `draw_frozen` is called."""
        if not self._met and all(one.takes_turns for one in self.opponents.values()):
            self.draw_frozen()

    def _weighted(self, among: list[int], random: np.random.Generator) -> int:
        return int(random.choice(among, p=self._weights(among)))

    def _weights(self, among: list[int]) -> np.ndarray:
        weights = np.array([1.05 - self.opponents[n].share for n in among])
        return weights / weights.sum()

    def note(self, number: int, share: float) -> None:
        """A game ended in which a learner's seat met an opponent; `share` is that of the opponent's seats that it was ahead of.
        Each such seat of a game is told by itself."""
        if number not in self.opponents:
            return
        one = self.opponents[number]
        one.games += 1
        one.share += max(1 - MEMORY, 1 / (one.games + 1)) * (share - one.share)

    def agent(self, number: int, seed: int, inference: Inference | None = None) -> Agent:
        """The player of one opponent, with a stream of its own; `inference` asks a snapshot, on a GPU other networks too."""
        one = self.opponents[number]
        if one.policy is not None:
            return PPOAgent(self.ruleset, one.policy, seed, inference=inference)
        agent = make_agent(one.name, self.ruleset, seed)
        if inference is not None and inference.on_gpu:
            for player in agent.members if isinstance(agent, MixtureAgent) else [agent]:
                if isinstance(player, PPOAgent):
                    player.ask_by(inference)
        return agent

    def state(self) -> dict[str, Any]:
        """All of it, as `hansa_training.state` keeps it."""
        return {
            "next": self._next,
            "random": self.random.bit_generator.state,
            "met": self._met,
            "opponents": {
                str(number): {
                    "name": one.name, "share": one.share, "games": one.games, "retired": one.retired,
                    "weights": None if one.policy is None else weights_of(one.policy),
                }
                for number, one in self.opponents.items()
            },
        }  # fmt: skip

    def has_opponents_of(self, state: dict[str, Any]) -> bool:
        """Whether the opponents by spec that are kept there are this new league's, which may have others now, or the same ones
        all as rivals."""
        kept = sorted(one["name"] for one in state["opponents"].values() if one["weights"] is None)
        alike = kept == sorted(one.name for one in self.opponents.values() if one.policy is None)
        return alike and (not self._met or bool(state["met"]))

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there. Opponents by spec are this league's own; those that were there before keep number and results.

        Raises RunError where a result is none, or a number is not one of those given so far.
        """
        kept, own = state["opponents"], list(self.opponents.values())
        self._next, self.opponents = int(state["next"]), {}
        self.random.bit_generator.state = state["random"]
        for number, one in kept.items():
            share = within(f"share of opponent {number}", float(one["share"]), 0, 1)
            games = within(f"games of opponent {number}", int(one["games"]), 0, math.inf)
            within("number of an opponent", int(number), 0, self._next - 1)
            if one["weights"] is not None:
                policy = self._empty()
                set_weights(policy, tensors(one["weights"]))
                self.opponents[int(number)] = Opponent(str(one["name"]), policy, share, games, bool(one["retired"]))
            elif same := [each for each in own if each.name == one["name"]]:
                own.remove(same[0])
                self.opponents[int(number)] = Opponent(same[0].name, None, share, games, rival=same[0].rival)
        for one in own:
            self.opponents[self._next] = one
            self._next += 1
        self._met = [number for number in state["met"] if number in self.opponents]
        self._draw_where_alone()

    def reseat(self, who: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Give seats (N, P) whose players are gone to others, in place; returns (N,) bool, in which games."""
        gone = ~np.isin(who, [LEARNER, *self.opponents])
        who[gone] = [self._draw(random) for _ in range(gone.sum())]
        return np.asarray(gone.any(1))
