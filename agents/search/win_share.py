"""From what is foreseen for every seat to the share of the win that each may expect: measured, and together 1.

A network of this project foresees half a win and half a lead. A softmax over the seats turns what it foresees for each into
shares, and where the game ends, its result counts. What a point of value says of the win depends on how far the game is, and a
network thinks too well or too badly of who has a question of its own; the parameters in `win_share.json`, a set for each number
of players, say how much. `python -m hansa_training.win_share --write` fits them to games of the agents that come with the
project.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from scipy.special import softmax

from hansa_agents.search.foreseen import Foreseen, results_of
from hansa_env.engine.state import OVER
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Estimate
from hansa_env.ruleset import Ruleset

NAME = "win_share.json"
#: Of a seat's logit, in the order of `terms_of`.
TERMS = (
    "value", "value, near the end", "value at an own question", "own question", "own question, near the end", "own turn ended",
    "own turn ended, near the end",
)  # fmt: skip


def near_the_end(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """How far games (N,) are, 0 to 1: of three ways to their end (R7.1), the one that is furthest gone; float64."""
    table = tables_of(ruleset)[0]
    prestige = games["prestige"][:, : ruleset.players].max(axis=1)
    gone = (games["drawn"], "pile_size"), (games["completed"], "cities_to_end"), (prestige, "prestige_to_end")
    return np.clip(np.max([count / max(int(table[limit]), 1) for count, limit in gone], axis=0), 0, 1)


def terms_of(ruleset: Ruleset, foreseen: Foreseen) -> np.ndarray:
    """(N, P, K) float64: what each of TERMS is for each seat of N positions."""
    games = foreseen.games
    far = near_the_end(ruleset, games)[:, None]
    values, own = np.asarray(foreseen.values, np.float64), np.asarray(foreseen.own, np.float64)
    before = np.where(games["asked"] == OVER, games["turn"], (games["turn"] - 1) % ruleset.players)
    ended = (np.arange(ruleset.players) == before[:, None]) * (1 - own)
    terms = values, values * far, values * own, own, own * far, ended, ended * far
    return np.stack(terms, axis=2)


@cache
def parameters(players: int) -> Sequence[float]:
    """What TERMS count, K numbers."""
    found = json.loads((files("hansa_agents.search") / NAME).read_text("utf-8"))[f"{players} players"]
    return [float(found[name]) for name in TERMS]


def shares_of_win(ruleset: Ruleset, foreseen: Foreseen, counts: Sequence[float] | None = None) -> np.ndarray:
    """The share of the win that every seat may expect, (N, P) float64; rows sum to 1.

    Args:
        ruleset: of the games.
        foreseen: of N positions; where a game ends, its result counts as it is.
        counts: in place of `parameters`, others.
    """
    counts = parameters(ruleset.players) if counts is None else counts
    on = softmax(terms_of(ruleset, foreseen) @ np.array(counts), axis=1)
    return foreseen.results + (1 - np.asarray(foreseen.over, np.float64))[:, None] * on


def estimate_by(
    ruleset: Ruleset, games: np.ndarray, shares: np.ndarray, of_seats: np.ndarray, after: np.ndarray | None = None
) -> Estimate:
    """An estimate of games (N,); where one is over, its result counts.

    Args:
        ruleset: of the games.
        games: (N,) records.
        shares: (N, A), as of `Estimate`.
        of_seats: (N, P), the share of the win of every seat.
        after: (N, A), that of who decides after each decision; NaN where it is not known.
    """
    over = np.flatnonzero(games["asked"] == OVER)
    of_seats = of_seats.astype(np.float32)
    if len(over):
        of_seats[over] = results_of(ruleset, games.take(over))
    values = of_seats[np.arange(len(games)), games["seat"]]
    return Estimate(shares.astype(np.float32), values, None if after is None else after.astype(np.float32), of_seats)
