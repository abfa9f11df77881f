"""What a position is worth to a seat: the value of the trained network, or what came of the game."""

from __future__ import annotations

import numpy as np

from hansa_agents.search.compiled_network import add_above_0, begin_with, encode
from hansa_agents.search.lead import lead_over_best
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.scoring import score, win_reward, win_share
from hansa_env.engine.state import OVER

#: What the end of a game is worth, as the networks were trained: half the win, half a lead in units of LEAD_SCALE points.
WIN, LEAD, LEAD_SCALE, LEAD_LIMIT = 0.5, 0.5, 20.0, 6.0


@inner
def evaluate(game, tables, network, scratch, seat):
    """What a game is worth to a seat, about −3.5 to 3.5: what the network foresees, or, when it is over, what came of it."""
    if game["asked"] == OVER:
        return worth_of_end(game, tables, scratch.scores, seat)
    encode(game, tables, network, scratch, seat)
    begin_with(scratch.value, network.value_first_own)
    add_above_0(scratch.context, scratch, network.value_first, scratch.value)
    worth = network.value_last_own[0]
    for i in range(scratch.value.size):
        worth += max(scratch.value[i], np.float32(0)) * network.value_last[i]
    return np.float64(worth)


@inner
def worth_of_end(game, tables, scores, seat):
    """What the end of a game is worth to a seat; `scores` is scratch to work in."""
    score(game, tables, scores)
    players = tables["players"]
    lead = lead_over_best(scores, players, seat)
    reward = win_reward(win_share(game, tables, scores, seat), players)
    return WIN * reward + LEAD * max(-LEAD_LIMIT, min(LEAD_LIMIT, lead / LEAD_SCALE))
