"""What names a game whose seed nobody knows, such as one that goes on from a position."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.identity import hash_games


def noise_without_seed(games: np.ndarray) -> np.ndarray:
    """The noise (N,) uint64 of game records (N,) whose seeds nobody knows: it follows from what everybody sees there.

    By their noise agents that draw tell games apart: with one for all, they would draw alike in every position. Nothing hidden
    is in it, so it tells nobody what lies in the pile.
    """
    return hash_games(games) >> np.uint64(32)  # 32 bits, as the noise of a seed has
