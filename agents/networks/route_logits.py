"""The logits of a route's token: which decision about its route each of them is."""

from __future__ import annotations

import numpy as np

from hansa_env import GraphTables, Ruleset
from hansa_env.engine.action_space import KINDS

#: What each logit is on land: a trader there, a merchant, the route. With ships come a merchant on them and the ship posts.
ON_LAND = (0, 1, 2, 1, 2)
PLAIN, WITH_SHIPS = KINDS.index("route") + 1, len(ON_LAND)


def route_logits(ruleset: Ruleset) -> int:
    """How many logits each route has."""
    return WITH_SHIPS if any(route.ships for route in ruleset.board_data.routes) else PLAIN


def logit_of_action(tables: GraphTables) -> np.ndarray:
    """Which logit of its route each action that names a route is, (K,) int64, in the order of these actions."""
    names = np.flatnonzero(tables.action_route >= 0)
    kind, ship = tables.action_kind[names], tables.action_ship[names]
    return np.where(ship, PLAIN + kind - KINDS.index("merchant"), kind)
