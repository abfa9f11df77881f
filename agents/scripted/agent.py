"""The scripted player: goes for the route that brings most for the actions it still takes.

`weights` says what it thinks things are worth, `values` what abilities, offices and control are worth to a
seat, `routes` what claims bring and cost, `choices` and `pieces` how it answers each question.
"""

from __future__ import annotations

import numpy as np

from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.values import VIEW
from hansa_agents.scripted.weights import weights
from hansa_env.engine.compile import kernel
from hansa_env.engine.decisions import count_legal, is_legal
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Agent, without_idle_rows
from hansa_env.ruleset import Ruleset


@kernel
def decide_games(games, tables, weights, views, actions):
    """The scripted player's action for each game (N,) into actions (N,), NO_ACTION where none is."""
    for i in range(games.size):
        game = games[i]
        if count_legal(game) == 0:
            actions[i] = NO_ACTION
            continue
        actions[i] = decide(game, tables[0], weights[0], views[0])
        if not is_legal(game, tables[0], actions[i]):
            actions[i] = -2  # would be a mistake of ours: refused by `act`


class GreedyAgent(Agent):
    """The scripted player, deterministic: of equals it takes the first.

    Args:
        ruleset: the game it is to play.
        changes: other weights than the defaults, by name (see `weights`).
        name: shown by the arena.
    """

    sees = "games"

    def __init__(self, ruleset: Ruleset, changes: dict | None = None, name: str = "greedy") -> None:
        self.name = name
        self.weights = weights(changes)
        self.ruleset = ruleset

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = np.require(inputs, requirements=["C", "W"])  # one kind of array, one compiled kernel
        actions = np.empty(len(games), np.int64)
        decide_games(games, tables_of(self.ruleset), self.weights, np.zeros(1, VIEW), actions)
        if (actions < NO_ACTION).any():
            game = games[np.flatnonzero(actions < NO_ACTION)[0]]
            raise AssertionError(f"greedy chose no legal decision at question {game['asked']} of seed {game['seed']}")
        return without_idle_rows(actions, masks)
