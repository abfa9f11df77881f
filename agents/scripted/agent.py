"""The scripted player: goes for the route that brings most for the actions it still takes.

`weights` says what it thinks things are worth, `styles` what others think, `values` what abilities, offices and control are
worth to a seat, `routes` what claims bring and cost, `choices` and `pieces` how it answers each question.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.styles import style
from hansa_agents.scripted.values import VIEW
from hansa_agents.scripted.weights import weights
from hansa_env.engine.action_space import count_legal, is_legal
from hansa_env.engine.compile import kernel
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Agent, game_records, name_of, without_idle_rows
from hansa_env.play.estimates import Estimate, all_on
from hansa_env.ruleset import Ruleset

#: The style without a file: the weights as they are.
GREEDY = "greedy"


@kernel
def decide_games(games, tables, weights, which, views, actions):
    """Scripted players' actions for games (N,) into actions (N,), NO_ACTION where none is; by weights[which[i]]."""
    for i in range(games.size):
        game = games[i]
        if count_legal(game) == 0:
            actions[i] = NO_ACTION
            continue
        actions[i] = decide(game, tables[0], weights[which[i]], views[0])
        if not is_legal(game, tables[0], actions[i]):
            actions[i] = -2  # would be a mistake of ours: refused by `act`


def refuse_mistakes(agent: Agent, games: np.ndarray, actions: np.ndarray) -> None:
    """Raises AssertionError where `decide_games` chose what is not legal."""
    if (actions < NO_ACTION).any():
        game = games[np.flatnonzero(actions < NO_ACTION)[0]]
        raise AssertionError(f"{name_of(agent)} chose no legal decision at question {game['asked']} of seed {game['seed']}")


class ScriptedAgent(Agent):
    """The scripted player, deterministic: of equals it takes the first.

    Args:
        ruleset: the game it is to play.
        changes: other weights than those of `greedy`, by name (see `weights`).
    """

    sees = "games"
    values_decisions = False

    def __init__(self, ruleset: Ruleset, changes: Mapping[str, float] | None = None) -> None:
        self.weights = weights(changes)
        self.ruleset = ruleset

    @classmethod
    def from_spec(cls, ruleset: Ruleset, argument: str | None) -> ScriptedAgent:
        """The agent of a spec `scripted:STYLE`. Raises AgentError."""
        return cls(ruleset, style(argument or "").weights)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = game_records(inputs)
        which, actions = np.zeros((2, len(games)), np.int64)
        decide_games(games, tables_of(self.ruleset), self.weights, which, np.zeros(1, VIEW), actions)
        refuse_mistakes(self, games, actions)
        return without_idle_rows(actions, masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """All on the decision it takes. What its weights say of decisions is no share of the win, so it gives no values."""
        return Estimate(all_on(self.act(inputs, masks, seats), masks))


def style_weights(name: str) -> np.ndarray:
    """The weights (1,) of "greedy" or of a style. Raises AgentError."""
    return weights() if name == GREEDY else weights(style(name).weights)


def greedy(ruleset: Ruleset) -> ScriptedAgent:
    """The scripted player with the default weights: rushes for bonus markers."""
    return ScriptedAgent(ruleset)


greedy.values_decisions = ScriptedAgent.values_decisions  # type: ignore[attr-defined]
