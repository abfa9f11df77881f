"""The interval of a share of the wins, the same in every table."""

from __future__ import annotations

from math import sqrt

import numpy as np

from hansa_env.play.result import Z, wilson_interval

LEVEL = 0.95


def interval(wins: np.ndarray, seats: np.ndarray) -> tuple[float, float]:
    """A 95 % interval of wins per seat, from an agent's wins (N,) and seats (N,) by game.

    Wilson's of what it wins a game, over the seats that it holds a game. What is won of a game is 0 to 1, and differs from game
    to game no more than wins and losses would that come to the same; so where wins are shared it is a little wide, and holds
    near 0 and 1 too.
    """
    if not len(wins):
        return 0.0, 1.0
    low, high = wilson_interval(float(wins.sum()), len(wins))
    return float(low / seats.mean()), float(high / seats.mean())


def off_by_deals(by_deal: np.ndarray) -> float:
    """How far a share may lie off at 95 %, to either side, by what it was (N,) on each deal; 0 where there is no more than one.
    Games of one deal that come to the same say less than as many games of different ones."""
    return Z * float(np.std(by_deal, ddof=1)) / sqrt(len(by_deal)) if len(by_deal) > 1 else 0.0
