"""The scripted player: goes for the route that brings most for the actions it still takes.

`greedy_weights` says what it thinks things are worth, `greedy_values` what abilities, offices and control are worth to a
seat, `greedy_routes` what claims bring and cost, `greedy_choices` and `greedy_pieces` how it answers each question.
"""

from __future__ import annotations

import numpy as np

from hansa_agents.greedy_choices import decide, index_of
from hansa_agents.greedy_values import VIEW
from hansa_agents.greedy_weights import weights
from hansa_agents.protocol import Agent, without_idle_rows
from hansa_agents.registry import no_argument
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import kernel
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.legal import count_legal
from hansa_env.engine.tables import tables
from hansa_env.ruleset import Ruleset


@kernel
def decide_games(games, rules, weights, views, actions):
    """The scripted player's action for each game (N,) into actions (N,), NO_ACTION where none is."""
    t = rules[0]
    for i in range(games.size):
        g = games[i]
        if count_legal(g) == 0:
            actions[i] = NO_ACTION
            continue
        choice = decide(g, t, weights[0], views[0])
        if g["legal"][choice // 64] & bit(choice % 64):
            actions[i] = index_of(t, choice)
        else:
            actions[i] = -2  # would be a mistake of ours: refused by `act`


class GreedyAgent(Agent):
    """The scripted player, deterministic: of equals it takes the first.

    Args:
        ruleset: the game it is to play.
        changes: other weights than the defaults, by name (see `greedy_weights`).
        name: shown by the arena.
    """

    sees = "games"

    def __init__(self, ruleset: Ruleset, changes: dict | None = None, name: str = "greedy") -> None:
        self.name = name
        self.weights = weights(changes)
        self._rules = tables(ruleset)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> GreedyAgent:
        """The agent of the spec "greedy"; it needs no seed. Raises `AgentError` for an argument."""
        no_argument("greedy", argument)
        return cls(ruleset)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = np.ascontiguousarray(inputs)
        actions = np.empty(len(games), np.int64)
        decide_games(games, self._rules, self.weights, np.zeros(1, VIEW), actions)
        if (actions < NO_ACTION).any():
            game = games[np.flatnonzero(actions < NO_ACTION)[0]]
            raise AssertionError(f"greedy chose no legal decision at question {game['asked']} of seed {game['seed']}")
        return without_idle_rows(actions, masks)
