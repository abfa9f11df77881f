"""What the scripted player thinks things are worth, in prestige points.

`left` below is the share of the game still to come, 1 at the start and 0 at the end; a weight said to fade is multiplied
by it.
"""

from __future__ import annotations

import numpy as np

FIELDS = {
    # develop[ability, step]: what the next step of a track is worth at the start of the game, fading; the 4 points of a
    # full track (R7.3) and the network points of keys (R7.7) are counted on top.
    "develop": (5, 5),
    "office": (),  # any office: a foothold for networks, control and the link; fades
    "join": (),  # an office beside own ones, because networks grow together; fades
    "traffic": (),  # control of a city, for the prestige of claims to come (R5.1); per route of the city, fades
    "traffic_ability": (),  # the same for a city that shows an ability, where everyone has to go; fades
    "deny": (),  # taking 1 point of control from an opponent
    "secure": (),  # one more office in a city already controlled; fades
    "complete": (),  # completing a city, which brings the end nearer (R5.6)
    "link": (),  # a step towards Arnheim-Stendal, times its points over the cities still missing (R5.7)
    "coin": (),  # 1 prestige at once, beside hastening the end
    "gift": (),  # 1 prestige for an opponent who controls a city of the claimed route
    "table": (),  # 1 point of the Coellen table (R5.9)
    "marker": (6,),  # use of a marker of each kind, beside its points at the end; fades
    "marker_points": (),  # 1 point of R7.4, smoothed over two markers
    "keep_extra": (),  # what an extra-office marker is worth unused; fades
    "piece": (),  # a post of a claimed route: its piece goes to the stock and has to come back by income
    "displace": (),  # each penalty piece, and the opponent's free placement (R4)
    "lift": (),  # in actions: taking an own piece off another route
    "merchant": (),  # in actions: using up a merchant
    "overhead": (),  # actions added to every cost, so that a small gain is not chosen only because it is near
    "patience": (),  # factor for what cannot be claimed this turn, since opponents may come between
    "exposure": (),  # factor for each further turn
    "shared": (),  # factor for each opponent's piece on the route
    "contested": (),  # factor when such a route must wait as well: whoever is displaced comes back with more
    "low_supply": (),  # with so few pieces in supply or fewer, income comes before a route that must wait anyway
    "spare": (),  # supply at which actions of a +3/+4 marker find use
    "exchange": (),  # least gain for which an exchange marker is used; fades
    "site": (2,),  # laying a replacement marker: own control less others' in the route's cities, and the own rate there
    "seal": (),  # a claim that ends the game, per point of lead it leaves
    "haste": (),  # per point of lead: each coin, marker and completed city, which bring the end nearer
}
WEIGHTS = np.dtype([(name, np.float64, shape) for name, shape in FIELDS.items()])

DEFAULT = {
    "develop": (
        (3.52, 5.03, 4.56, 3.02, 0.0),  # keys
        (31.7, 3.55, 5.86, -8.14, 5.85),  # actions
        (3.92, 1.97, 0.09, 0.0, 0.0),  # privilege
        (1.09, -3.43, 3.27, 0.0, 0.0),  # book
        (2.58, 0.17, 10.53, 0.0, 0.0),  # bank
    ),
    "office": -0.75,
    "join": -0.21,
    "traffic": 0.35,
    "traffic_ability": 1.19,
    "deny": 0.49,
    "secure": 0.93,
    "complete": -0.18,
    "link": -0.46,
    "coin": 0.75,
    "gift": 0.32,
    "table": 0.0,
    "marker": (-0.99, 0.12, 0.49, 4.32, 10.59, 12.01),
    "marker_points": 3.82,
    "keep_extra": 1.08,
    "piece": 0.05,
    "displace": 0.85,
    "lift": 0.15,
    "merchant": 0.96,
    "overhead": 0.95,
    "patience": 0.72,
    "exposure": 1.2,
    "shared": 0.97,
    "low_supply": 0.76,
    "spare": -2.57,
    "exchange": 0.44,
    "site": (0.72, 1.4),
    "seal": 0.2,
    "haste": -0.04,
    "contested": 1.0,
}


def weights(changes: dict | None = None) -> np.ndarray:
    """The weights as an array (1,) of WEIGHTS, the defaults but for `changes`."""
    array = np.zeros(1, WEIGHTS)
    for name, value in (DEFAULT | (changes or {})).items():
        array[0][name] = value
    return array
