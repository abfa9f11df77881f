"""Games of the agents that come with the project, what their network foresaw in them for every seat, and what came of it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import numpy as np
import torch

from hansa_agents.scripted.agent import GREEDY
from hansa_agents.scripted.styles import style_names
from hansa_agents.search.foreseen import Foreseen, foresee, results_of
from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.engine.state import OVER, new_games
from hansa_env.play.agents import masks_of, observations_of
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.loop import asking, play_rows
from hansa_training.agent import PPOAgent, look
from hansa_training.workers import one_thread

#: The trained agent, drawing and taking the likeliest. At mixed tables scripted players have half of the seats.
OWN = ("ppo:1:sample", "ppo:1")  # whose values are looked at
#: Positions that a network is asked about at once.
PART = 1024


class Positions(NamedTuple):
    """K positions of games that came to an end, game by game in the order in which they came.

    Attributes:
        games: (K,) records; foreseen: what the network foresees in each.
        own_value: (K,) float32, its value there and then, for who decides.
        shares: (K, P) float64, the result of the game.
        number: (K,) int64, of the game; mixed: (K,) bool, whether scripted players sat at its table.
    """

    games: np.ndarray
    foreseen: Foreseen
    own_value: np.ndarray
    shares: np.ndarray
    number: np.ndarray
    mixed: np.ndarray

    @property
    def weights(self) -> np.ndarray:
        """(K,), by which every game counts the same; they sum to 1."""
        each = 1 / np.bincount(self.number)[self.number]
        return each / each.sum()


def played(ruleset: Ruleset, games: int, seed: int, every: float) -> Positions:
    """Play games, every second one at a mixed table, and look at some of their positions; what is cut off does not count.

    Args:
        ruleset: of the games.
        games: how many.
        seed: of them and of the agents.
        every: decisions of which one is looked at, on the average.
    """
    rng = np.random.default_rng(seed)
    specs = [*OWN, GREEDY, *(f"scripted:{name}" for name in style_names())]
    agents = [make_agent(spec, ruleset, seed) for spec in specs]
    who = rng.integers(len(OWN), size=(games, ruleset.players))
    others = (rng.random(who.shape) < 0.5) & (np.arange(games) % 2 == 1)[:, None]
    who[others] = rng.integers(len(OWN), len(specs), size=int(others.sum()))
    batch = HansaBatch(games, ruleset, seed=seed, max_turns=MAX_TURNS)
    ask, kept, rows = asking(batch, agents, who), [], []
    while len(running := np.flatnonzero(batch.games["asked"] != OVER)):
        looked = running[rng.random(len(running)) < 1 / every]
        if len(looked):
            kept.append(batch.games.take(looked))
            rows.append(looked)
        play_rows(batch, running, ask)
    number = np.concatenate(rows)
    order = np.argsort(number, kind="stable")
    order = order[~np.asarray(batch.cut_off)[number[order]]]
    number, states = number[order], new_games(len(order))
    states[:] = np.concatenate(kept)[order]
    own, foreseen = _looked_at(cast("PPOAgent", agents[1]), ruleset, states)
    mixed = np.asarray((who >= len(OWN)).any(axis=1))
    return Positions(states, foreseen, own, results_of(ruleset, batch.games)[number], number, mixed[number])


@torch.no_grad()
def _looked_at(agent: PPOAgent, ruleset: Ruleset, states: np.ndarray) -> tuple[np.ndarray, Foreseen]:
    """The value (K,) of who decides at positions (K,), and what is foreseen for all."""
    network, values, found = partial(look, agent.policy), [], []  # type: ignore[arg-type]
    with one_thread():
        for first in range(0, len(states), PART):
            part = states[first : first + PART]
            values.append(network(observations_of(ruleset, part), masks_of(ruleset, part))[1])
            found.append(foresee(ruleset, part, network))
    return np.concatenate(values), Foreseen(*(np.concatenate(column) for column in zip(*found)))
