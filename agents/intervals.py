"""The interval of a share of the wins, the same in every table."""

from __future__ import annotations

import numpy as np

from hansa_env.play.result import wilson_interval

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
