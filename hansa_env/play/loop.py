"""The one way in which agents play: they are asked, their answers are checked, once, and played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.state import OVER
from hansa_env.play.agents import Agent, ask_agents, checked_agent
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game

#: The decisions (K,) int64 in rows (K,) of a batch, known to be legal; NO_ACTION leaves a game as it is.
Ask = Callable[[np.ndarray], np.ndarray]


def play_rows(batch: HansaBatch, rows: np.ndarray, ask: Ask) -> np.ndarray:
    """Play one decision in each of some rows (K,) of a batch; returns the decisions (K,)."""
    actions = np.full(batch.num_games, NO_ACTION, np.int64)
    actions[rows] = found = ask(rows)
    batch.step_legal(actions)
    return found


def play_on(batch: HansaBatch, ask: Ask, waiting: Callable[[], np.ndarray] | None = None) -> Iterator[np.ndarray]:
    """Play a decision in every row that waits for one, again and again until none does; yields the rows (K,) after each time.

    Args:
        batch: without autoreset.
        ask: for the decisions.
        waiting: gives the rows (K,) that wait; None = those whose game is not over.
    """
    while len(rows := np.flatnonzero(batch.games["asked"] != OVER) if waiting is None else waiting()):
        play_rows(batch, rows, ask)
        yield rows


def asking(batch: HansaBatch, agents: Sequence[Agent], who: np.ndarray) -> Ask:
    """How agents decide in a batch, each asked once for all of the rows that it decides in.

    Args:
        who: (N, P), the place of each seat's agent among `agents`; read anew each time.

    What it returns raises AgentFault as `ask_agents` does; no game has been changed then.
    """

    def ask(rows: np.ndarray) -> np.ndarray:
        return ask_agents(agents, who[rows, batch.seat[rows]], batch.ruleset, batch.games.take(rows))

    return ask


def let_decide(game: Game, agent: Agent) -> int:
    """Let an agent decide in a game that is not over; returns the action index, which has been played.

    Raises:
        AgentError: it is no agent, but its spec, say, or it was made for another ruleset. IllegalAction: the game is over.
            AgentFault: the agent raised, or its answer is none. Nothing has been changed.
    """
    agent = checked_agent(agent, game.ruleset)
    if game.over:
        raise IllegalAction("the game is over, and nobody is asked any more; expected a game that goes on")
    action = int(ask_agents([agent], np.zeros(1, np.int64), game.ruleset, game.games)[0])
    game.play_action(action)
    return action
