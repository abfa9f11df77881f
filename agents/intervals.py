"""The interval of a share of the wins, the same in every table."""

from __future__ import annotations

import numpy as np

from hansa_env.play.result import wilson_interval

LEVEL = 0.95
RESAMPLES = 2000  # of the games, for an interval
SAME = 1e-9  # shares of the win that differ by less are the same


def interval(wins: np.ndarray, seats: np.ndarray) -> tuple[float, float]:
    """A 95 % interval of wins per seat, from an agent's wins (N,) and seats (N,) by game.

    Wilson's where every game is won or lost, by as many seats or always with the same outcome, and where every game is shared
    in the same way, of which a bootstrap would say that none can be otherwise; else by bootstrap over games.
    """
    decided = np.isin(wins, (0.0, 1.0)).all() and (len(set(seats)) == 1 or len(set(wins)) == 1)
    if not decided and len(wins) < 2:
        return 0.0, 1.0
    if decided or np.ptp(wins / seats) < SAME:
        low, high = wilson_interval(float(wins.sum()), len(wins))
        return float(low / seats.mean()), float(high / seats.mean())
    kinds, counts = np.unique(np.stack([wins, seats], axis=1), axis=0, return_counts=True)  # few: games differ in little
    drawn = np.random.default_rng(0).multinomial(len(wins), counts / len(wins), size=RESAMPLES)
    low, high = np.percentile(drawn @ kinds[:, 0] / (drawn @ kinds[:, 1]), (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return float(low), float(high)
