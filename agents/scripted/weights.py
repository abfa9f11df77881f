"""What the scripted player thinks things are worth, in prestige points.

`left` below is the share of the game still to come, 1 at the start and 0 at the end; a weight said to fade is multiplied
by it. The defaults, those of `greedy`, were set by hand and then improved by an evolution strategy in games among variants
(2 to 5 players), so that they are right together rather than one by one: a negative one only says that something else
counts it too high.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from hansa_env.boards import ABILITIES
from hansa_env.engine.state import KINDS_OF_MARKERS

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
    "marker": (KINDS_OF_MARKERS,),  # use of a marker of each kind, beside its points at the end; fades
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
    "low_supply": (),  # with so few pieces in supply or fewer, income comes before a route that must wait anyway
    "spare": (),  # supply at which actions of a +3/+4 marker find use
    "exchange": (),  # least gain for which an exchange marker is used; fades
    "site": (2,),  # laying a replacement marker: own control less others' in the route's cities, and the own rate there
    "closing": (),  # a claim that ends the game, per point of lead it leaves
    "block": (),  # an own piece beside opponents', to be displaced with profit (R4.2): share of the route's worth, fades
    "haste": (),  # per point of lead: each coin, marker and completed city, which bring the end nearer
    "ship": (),  # a ship post of a claimed route: its merchant goes to the stock (R9.4)
    "move_two": (),  # use of a permanent marker that moves two tradesmen (R9.14a)
    "land_two": (),  # use of one that puts two of the claimed route's on posts again (R9.14d)
    "trade": (),  # least worth of a marker for which a trade-in is used (R13.5)
    "token": (),  # share of the game left from which on tribute and block are not laid any more (R13.6, R13.7)
    "mission": (),  # a step towards control of the mission's three cities, times its points over those still missing (R11.2)
    "favour": (6,),  # each Emperor's Favour tile, beside what it adds to cities and abilities had already (R12.4); fades
    "turn": (),  # factor for what a turn's actions promise, which a tile costs (R12.2)
    "send_two": (),  # use of one that puts two of the stock on posts abroad (R10.14)
    "permission": (),  # an office that permits to place in a region (R10.5); fades
    "region": (),  # 1 point of a region as the board stands (R10.16)
}
WEIGHTS = np.dtype([(name, np.float64, shape) for name, shape in FIELDS.items()])

DEFAULT = {
    "develop": (
        (3.42, 5.62, 4.48, 2.53, 0.0),  # keys
        (32.94, 3.05, 10.44, -7.7, 9.06),  # actions
        (5.04, 1.79, 0.65, 0.0, 0.0),  # privilege
        (1.01, -3.01, 3.08, 0.0, 0.0),  # book
        (1.74, 0.21, 8.6, 0.0, 0.0),  # bank
    ),
    "office": -0.59,
    "join": -0.25,
    "traffic": 0.33,
    "traffic_ability": 1.26,
    "deny": 0.25,
    "secure": 0.81,
    "complete": 0.01,
    "link": -0.48,
    "coin": 0.76,
    "gift": 0.24,
    "table": 0.12,
    "marker": (0.52, -0.05, 0.47, 8.21, 10.1, 13.98, 0.47, 5.0, 2.0, 0.3),
    "marker_points": 3.41,
    "keep_extra": 0.85,
    "piece": 0.25,
    "displace": 1.05,
    "lift": 0.15,
    "merchant": 0.82,
    "overhead": 1.02,
    "patience": 0.77,
    "exposure": 0.98,
    "shared": 0.92,
    "low_supply": 2.52,
    "spare": -1.33,
    "exchange": 0.62,
    "site": (0.65, 1.5),
    "closing": -0.08,
    "block": 0.0,
    "haste": -0.02,
    "ship": 0.25,
    "move_two": 1.5,
    "land_two": 2.5,
    "trade": 1.0,
    "token": 0.2,
    "mission": 0.0,
    "favour": (3.0, 12.0, 6.0, 2.0, 12.0, 3.0),
    "turn": 1.0,
    "send_two": 2.5,
    "permission": 2.0,
    "region": 0.7,
}


def weights(changes: Mapping[str, float] | None = None) -> np.ndarray:
    """The weights as an array (1,) of WEIGHTS, the defaults but for `changes`, by the names of `entry_names`."""
    array = np.zeros(1, WEIGHTS)
    for name, value in DEFAULT.items():
        array[0][name] = value
    names, numbers = entry_names(), as_numbers(array)
    for name, value in (changes or {}).items():
        numbers[names.index(name)] = value
    return array


def entry_names() -> list[str]:
    """The name of every number: "office", "marker.3" or "develop.actions.0", in the order of the array."""
    names = []
    for name, shape in FIELDS.items():
        labels = [list(map(str, range(size))) for size in shape]
        if name == "develop":
            labels[0] = list(ABILITIES)
        names += [".".join((name, *one)) for one in product(*labels)]
    return names


def as_numbers(array: np.ndarray) -> np.ndarray:
    """The numbers of an array (1,) of WEIGHTS, (K,) float64, sharing its memory."""
    return array.view(np.float64)
