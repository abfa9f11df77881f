"""What the decisions of a rollout were worth beside what the value foresaw: generalised advantage estimation, compiled."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import kernel


@kernel
def compute_gae(games, seats, rewards, ended, values, discount, decay, advantages, returns, outcomes, known, next_row):
    """Generalised advantage estimation (Schulman et al. 2016) along the decisions of each (game, seat).

    Args:
        games, seats, rewards, ended, values: (K,), rows in the order of play; `ended`: the seat's last decision of a game.
        discount, decay: gamma and lambda.
        advantages, returns: (K,) float32, written.
        outcomes: (K,) float32, written: discounted rewards up to the end of the game; NaN where that is not among the rows.
        known: (K,) bool, written: False at a decision whose successor has not been taken yet.
        next_row: (number of games, P) int64, room to work in.
    """
    next_row[:] = -1
    for row in range(len(games) - 1, -1, -1):
        game, seat = games[row], seats[row]
        after = next_row[game, seat]
        next_row[game, seat] = row
        known[row] = ended[row] or after >= 0
        if ended[row]:
            advantages[row], outcomes[row] = rewards[row] - values[row], rewards[row]
        elif after >= 0:
            outcomes[row] = rewards[row] + discount * outcomes[after]
            advantages[row] = rewards[row] + discount * values[after] - values[row]
            if known[after]:
                advantages[row] += discount * decay * advantages[after]
        else:
            advantages[row], outcomes[row] = 0.0, np.nan
        returns[row] = advantages[row] + values[row]
