"""Missions (R11): a hidden card of three cities for each seat, behind the position in the record."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.bits import bit, lowest, size
from hansa_env.engine.compile import inner
from hansa_env.engine.rng import GAMMA, below, mix

#: R11.2: for control of all three cities.
ALL_CONTROLLED = 5
_DEAL = np.uint64(0x3C6E_F372_FE94_F82B)


@inner
def deal_missions(game, tables, seed):
    """R11.1: a card to each seat, by the seed."""
    for seat in range(tables["players"]):
        game["missions"][seat] = -1
    deal_unknown_missions(game, tables, seed)


@inner
def deal_unknown_missions(game, tables, seed):
    """The cards that no seat has yet, to those without (-1); which one each gets follows from `seed`."""
    unseen = (1 << len(tables["mission_cities"])) - 1
    for seat in range(tables["players"]):
        if game["missions"][seat] >= 0:
            unseen &= ~bit(game["missions"][seat])
    state = mix(seed ^ _DEAL)
    for seat in range(tables["players"]):
        if game["missions"][seat] < 0:
            state += GAMMA
            rest = unseen
            for _ in range(below(mix(state), size(unseen))):
                rest &= rest - 1
            game["missions"][seat] = lowest(rest)
            unseen &= ~bit(lowest(rest))


@inner
def reshuffle_missions(game, tables, seed):
    """Deal the cards of all but the deciding seat anew."""
    for seat in range(tables["players"]):
        if seat != game["seat"]:
            game["missions"][seat] = -1
    deal_unknown_missions(game, tables, seed)


@inner
def mission_points(game, tables, seat):
    """R11.2: 1 for each city of the card with an office of the seat's, 5 more for control of all three; 0 without cards."""
    if not tables["missions"]:
        return np.int64(0)
    cities, controlled = tables["mission_cities"][game["missions"][seat]], 0
    points = np.int64(size(game["presence"][seat] & cities))
    while cities:
        controlled += game["controller"][lowest(cities)] == seat
        cities &= cities - 1
    if controlled == 3:
        points += ALL_CONTROLLED
    return points
