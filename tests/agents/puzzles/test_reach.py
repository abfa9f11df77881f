"""Whether a game can end within its turn is never denied where one did."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.puzzles.reach import may_end
from hansa_agents.puzzles.settings import SETTINGS
from hansa_env import HansaBatch, make_agent
from hansa_env.engine.state import BY_CITIES, BY_MARKERS, BY_PRESTIGE, OVER, new_games
from hansa_env.play.agents import ask_agents
from hansa_env.play.loop import play_on

GAMES, SLIPS = 100, 0.25


@pytest.mark.parametrize("setting", ["two", "two-base-4-5"])
def test_wherever_a_game_ended_within_the_turn_it_was_known_that_it_might(setting: str) -> None:
    """With the neutral player, whom both have, a displacement alone may end it (R8.2.3)."""
    ruleset, rng = SETTINGS[setting], np.random.default_rng(1)
    batch = HansaBatch(GAMES, ruleset, seed=1, max_turns=60)
    players = [make_agent("random", ruleset, 0), make_agent("greedy", ruleset, 0)]
    turn = [[game.copy()] for game in batch.games]  # of each game, the positions of the turn that it is in

    def ask(rows: np.ndarray) -> np.ndarray:
        return ask_agents(players, (rng.random(len(rows)) >= SLIPS).astype(np.int64), ruleset, batch.games.take(rows))

    for rows in play_on(batch, ask):
        for row in rows.tolist():
            if batch.games["turns"][row] != turn[row][0]["turns"]:
                turn[row] = []
            if batch.games["asked"][row] != OVER:
                turn[row].append(batch.games[row].copy())
    ended = np.flatnonzero(np.isin(batch.games["reason"], (BY_PRESTIGE, BY_MARKERS, BY_CITIES))).tolist()
    assert len(ended) >= GAMES // 2
    for row in ended:
        positions = new_games(len(turn[row]))
        for number, position in enumerate(turn[row]):
            positions[number] = position
        assert may_end(ruleset, positions, int(positions["turn"][0])).all()
