"""Final scoring, winners and rewards (R7)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.cities import largest_network, owner_of
from hansa_env.engine.compile import inner
from hansa_env.engine.record import ACTIONS, CITIES, EXTRAS, KEYS
from hansa_env.engine.turn import ability_value

#: Columns of a score.
SCORE_COLUMNS = ("track", "abilities", "markers", "prestige_spaces", "control", "network", "total")
TRACK, FROM_ABILITIES, FROM_MARKERS, FROM_SPACES, FROM_CONTROL, FROM_NETWORK, TOTAL = range(7)

#: Kinds of reward, see `hansa_env.batch.HansaBatch`.
REWARDS = ("win", "rank", "margin")
BY_WIN, BY_RANK, BY_MARGIN = range(3)
MARGIN_SCALE = 50.0

_MARKER_POINTS = np.array([0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21], np.int64)  # R7.4


@inner
def marker_points(g, seat):
    """R7.4: markers taken, used or not (R6.1)."""
    taken = 0
    for kind in range(6):
        taken += g["markers"][seat, kind] + g["used"][seat, kind]
    return _MARKER_POINTS[min(taken, 10)]


@inner
def score(g, t, scores):
    """R7.2-R7.7 as the board stands, into scores (at least `players` rows, 7)."""
    for seat in range(t["players"]):
        abilities = 0
        for ability in range(KEYS + 1, 5):  # R7.3
            if g["abilities"][seat, ability] == t["ability_steps"][ability]:
                abilities += 4
        spaces = 0
        for space in range(t["num_spaces"]):  # R7.5
            if g["prestige_spaces"][space] == seat:
                spaces += t["space_value"][space]
        control = 0
        for city in range(CITIES):  # R7.6
            if g["controller"][city] == seat:
                control += 2
        network = largest_network(g, t, seat) * ability_value(g, t, seat, KEYS)  # R7.7
        markers = marker_points(g, seat)
        scores[seat, TRACK] = g["prestige"][seat]
        scores[seat, FROM_ABILITIES] = abilities
        scores[seat, FROM_MARKERS] = markers
        scores[seat, FROM_SPACES] = spaces
        scores[seat, FROM_CONTROL] = control
        scores[seat, FROM_NETWORK] = network
        scores[seat, TOTAL] = g["prestige"][seat] + abilities + markers + spaces + control + network


@inner
def offices_on_board(g, t, seat):
    """Printed and extra offices of a seat."""
    count = 0
    for space in range(t["num_offices"]):
        count += owner_of(g["offices"][space]) == seat
    for i in range(EXTRAS):
        count += owner_of(g["extra_piece"][i]) == seat
    return count


@inner
def standing(g, t, scores, seat):
    """R7.9: a number that orders the seats: points, then where ties are broken fewer actions, then more offices."""
    order = scores[seat, TOTAL] * 10_000
    if t["ties_broken"]:
        order += (9 - ability_value(g, t, seat, ACTIONS)) * 1_000 + offices_on_board(g, t, seat)
    return order


@inner
def reward(g, t, scores, kind, rewards):
    """The reward of every seat at the end of a game, zero-sum, into rewards (players,)."""
    players = t["players"]
    mean = 0.0
    for seat in range(players):
        mean += scores[seat, TOTAL] / players
    for seat in range(players):
        own = standing(g, t, scores, seat)
        better, equal, best, winners = 0, 0, own, 0
        for other in range(players):
            theirs = standing(g, t, scores, other)
            better += theirs > own
            equal += theirs == own
            best = max(best, theirs)
        for other in range(players):
            winners += standing(g, t, scores, other) == best
        if kind == BY_WIN:
            share = 1.0 / winners if own == best else 0.0
            rewards[seat] = (players * share - 1) / (players - 1)
        elif kind == BY_RANK:
            rewards[seat] = 1 - 2 * (better + (equal - 1) / 2) / (players - 1)
        else:
            rewards[seat] = (scores[seat, TOTAL] - mean) / MARGIN_SCALE
