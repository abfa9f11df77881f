"""Whether a win within the turn is likely there: lines of the turn are tried, before it is worth while to prove anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hansa_agents.puzzles.proof import wins_alone
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine.state import OVER, copies_of
from hansa_env.play.agents import ask_agents
from hansa_env.play.loop import play_on

#: Lines that are tried, and the share of decisions in them that are any legal one.
LINES, ANY = 12, 0.35


def wins_in_lines(ruleset: Ruleset, game: np.ndarray, players: Sequence[Agent], rng: np.random.Generator) -> np.ndarray:
    """(LINES,) bool: which lines end the game (1,) within the turn, won alone by the seat that decides.

    Args:
        players: the first decides at random; the second decides everything in the first line. In the others they take turns.
    """
    seat, turns, games = game["seat"][0], game["turns"][0], copies_of(game, LINES)
    batch = HansaBatch.holding(ruleset, games, 0)

    def waiting() -> np.ndarray:
        return np.flatnonzero((games["asked"] != OVER) & (games["turns"] == turns))

    def ask(rows: np.ndarray) -> np.ndarray:
        who = np.where(rng.random(len(rows)) < ANY, 0, rng.integers(1, len(players), len(rows)))
        return ask_agents(players, np.where(rows == 0, 1, who), ruleset, games.take(rows))

    for _ in play_on(batch, ask, waiting):
        pass
    won = (games["asked"] == OVER) & (games["turns"] == turns)
    won[won] = wins_alone(ruleset, games[won], int(seat))
    return won
