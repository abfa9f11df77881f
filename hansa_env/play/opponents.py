"""Who plays against a learner: agents as they are, and agents that are made from specs, once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hansa_env.play.agents import Agent, checked_agent, checked_agents
from hansa_env.play.registry import make_agent, seed_at
from hansa_env.ruleset import Ruleset


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
        self._ruleset = ruleset
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
