"""Who plays against a learner, and at which seats: agents as they are, and agents that are made from specs, once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from hansa_env.engine.compile import kernel
from hansa_env.engine.rng import GAMMA, below, mix
from hansa_env.play.agents import Agent, checked_agent, checked_agents
from hansa_env.play.registry import make_agent, seed_at
from hansa_env.ruleset import Ruleset

_SALT = np.uint64(0x1EA12E25EA7)  # so that who sits where does not follow the shuffle of the markers


@kernel
def draw_seats(seeds, learner, num_agents, seats, opponent_of):  # type: ignore[no-untyped-def]
    """Seat the learners and, at random, the agents: fills what `Opponents.seating` returns."""
    players = opponent_of.shape[1]
    for i in range(seeds.size):
        state = mix(seeds[i] ^ _SALT) + GAMMA
        seats[i] = below(mix(state), players) if learner < 0 else learner
        for seat in range(players):
            state += GAMMA
            opponent_of[i, seat] = -1 if seat == seats[i] else below(mix(state), num_agents)


class Opponents:
    """The agents of a `LearnerBatch`, at their beginning as often as that is wanted.

    Args:
        given: agents, or specs for `make_agent`; a single one may stand alone.
        ruleset: the game that they play.
        mix: seats draw theirs among any number of agents; else there is one for each other seat, or one for them all.

    Raises:
        ValueError: there are too few or too many, or it is no agent. AgentError: there is no such agent, it cannot be
            made, or it was made for another ruleset.
    """

    def __init__(self, given: Any, ruleset: Ruleset, mix: bool) -> None:
        self._given = checked_agents("opponents", given)
        self._ruleset, self._mix = ruleset, mix
        self._fresh: dict[int, tuple[int, Agent]] = {}  # by place: the seed of an agent, and a copy that was never asked
        others = ruleset.players - 1
        if not self._given or (not mix and len(self._given) not in (1, others)):
            in_order = f"one for all seats, or one for each of the {others} others; mix=True draws among any number"
            expected = "at least one" if mix else in_order
            raise ValueError(f"{len(self._given)} opponents were given; expected {expected}")

    def agents(self, seed: int) -> list[Agent]:
        """The agents; those of specs as the seed makes them, those given as objects as they are, since only their maker can
        begin them anew.

        An agent of a spec is made once for a seed (a network is read from the disk once). Later it is a copy of what was made
        then; one that cannot be copied is made anew.
        """
        return [self._one(place, one, seed_at(seed, place)) for place, one in enumerate(self._given)]

    def seating(self, seeds: np.ndarray, learner: int) -> tuple[np.ndarray, np.ndarray]:
        """Who sits where in games with the given seeds (N,) uint64: the learners' seats (N,) int8, and the index of each seat's
        agent (N, P) int64, -1 at the learner's.

        Args:
            learner: the learner's seat, -1 = drawn anew for each game.
        """
        players, count = self._ruleset.players, len(self._given)
        seats, opponent_of = np.empty(len(seeds), np.int8), np.empty((len(seeds), players), np.int64)
        draw_seats(seeds, learner, count, seats, opponent_of)
        if not self._mix:
            away = (np.arange(players) - seats[:, None]) % players
            opponent_of = np.where(away > 0, (away - 1) % count, -1)
        return seats, opponent_of

    def _one(self, place: int, given: Any, seed: int) -> Agent:
        if not isinstance(given, str):
            return checked_agent(given, self._ruleset)
        made_with, agent = self._fresh.get(place, (None, None))
        if agent is None or made_with != seed:
            agent = make_agent(given, self._ruleset, seed)
        try:
            self._fresh[place] = seed, deepcopy(agent)
        except Exception:  # of whatever it holds: an open file, a process
            self._fresh.pop(place, None)
        return agent
