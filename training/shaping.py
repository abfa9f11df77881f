"""A potential of a position for one seat, for potential-based reward shaping (Ng, Harada, Russell 1999)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner, kernel
from hansa_env.engine.rules.scoring import TOTAL, score
from hansa_env.engine.state import ABILITIES, MERCHANT, TRADER
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import Ruleset

#: Points that a wholly held route is worth before it is claimed; a part counts by the square of its share.
ROUTE = 3.0
#: Points per piece removed from a track, beside what scoring gives for a full one: keys, actions, privilege, book, bank.
DEVELOPED = np.array([1.5, 3.0, 1.5, 1.0, 0.8])
#: Points per tradesman in the supply, ready to be placed.
SUPPLY = 0.15
#: The potential is the lead over the mean of the opponents, in this many points.
SCALE = 30.0


@inner
def estimate(game, tables, seat, points):
    """Points the seat stands at, progress that is not scored yet included."""
    value = float(points)
    for route in range(tables["num_routes"]):
        own = game["pieces"][route, seat, TRADER] + game["pieces"][route, seat, MERCHANT]
        if own > 0:
            others = tables["posts"][route] - game["vacant"][route] - own
            share = own / tables["posts"][route]
            value += ROUTE * share * share / (1 + others)
    for ability in range(len(ABILITIES)):
        value += DEVELOPED[ability] * game["abilities"][seat, ability]
    return value + SUPPLY * (game["supply"][seat, TRADER] + game["supply"][seat, MERCHANT])


@kernel
def potentials(games, tables, seats, scores, out):
    """The lead of the given seats (N,) into out (N,) float32; scores (1, P, 7) int16 is room to work in."""
    players = tables[0]["players"]
    for i in range(out.size):
        score(games[i], tables[0], scores[0])
        lead = 0.0
        for seat in range(players):
            value = estimate(games[i], tables[0], seat, scores[0, seat, TOTAL])
            lead += value if seat == seats[i] else -value / (players - 1)
        out[i] = lead / SCALE


def potential(ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Potential (N,) float32 of each game for its seat (N,) int8."""
    out = np.empty(len(games), np.float32)
    scores = np.zeros((1, ruleset.players, 7), np.int16)
    potentials(games, tables_of(ruleset), seats, scores, out)
    return out
