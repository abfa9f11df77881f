"""The scripted player's answers about the Emperor's Favour tiles (R12)."""

from __future__ import annotations

from hansa_agents.scripted.routes import best_route
from hansa_agents.scripted.values import CITY_MORE, FULL_MORE
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, is_offered, offered
from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import fully_developed

WITHOUT_ROUTE = 0.5  # worth of an action while no route can be claimed


@inner
def favour_worth(game, tables, w, v, seat, tile):
    """R12.4: what a tile brings from now on; the last two count what stands already."""
    worth = w["favour"][tile] * v["left"]
    if tile == state.FOR_CITIES:
        worth += CITY_MORE * game["controlled"][seat]
    elif tile == state.FOR_ABILITIES:
        for ability in range(state.KEYS + 1, 5):
            if fully_developed(game, tables, seat, ability):
                worth += FULL_MORE
    return worth


@inner
def marker_use(w, v, kind):
    """What an unused marker would still bring beside its points, which it keeps when it pays."""
    if kind == state.UPGRADE:
        best = 0.0
        for ability in range(5):
            best = max(best, v["ability"][ability])
        return best
    if kind == state.EXTRA_OFFICE:
        return w["keep_extra"] * v["left"]
    return w["marker"][kind] * v["left"]


@inner
def cheapest_marker(game, tables, w, v, seat, spent):
    """The kind of an unused marker that brings least, but for one of the kind `spent`; -1 = none."""
    best, use = -1, 0.0
    for kind in range(tables["num_markers"]):
        if game["markers"][seat, kind] > (kind == spent):
            here = marker_use(w, v, kind)
            if best < 0 or here < use:
                best, use = kind, here
    return best


@inner
def favour_cost(game, tables, w, v, seat):
    """R12.2: a turn's actions, each worth what the best route promises for it, and the use of two markers."""
    route = best_route(tables, v, tables["all_lanes"])
    rate = v["rate"][route] if route >= 0 else WITHOUT_ROUTE
    first = cheapest_marker(game, tables, w, v, seat, -1)
    second = cheapest_marker(game, tables, w, v, seat, first)
    markers = marker_use(w, v, first) + marker_use(w, v, second)
    return w["turn"] * rate * game["actions_left"] + markers


@inner
def best_favour(game, tables, w, v, seat):
    """The tile on display that is worth more than it costs by most, -1 = none."""
    tiles, best = offered(game, tables, kinds.FAVOUR), -1
    if tiles == 0:
        return best
    worth = favour_cost(game, tables, w, v, seat)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        here = favour_worth(game, tables, w, v, seat, tile)
        if here > worth:
            best, worth = tile, here
    return best


@inner
def choose_spent(game, tables, w, v, seat):
    """R12.2: the marker that brings least pays."""
    return action_of(tables, kinds.MARKER, cheapest_marker(game, tables, w, v, seat, -1))


@inner
def choose_tithe(game, tables, seat):
    """R12.4: a piece always, a merchant where none is in supply."""
    merchants = is_offered(game, tables, kinds.VERB, kinds.WITH_MERCHANT)
    traders = is_offered(game, tables, kinds.VERB, kinds.WITH_TRADER)
    if merchants and (game["supply"][seat, state.MERCHANT] == 0 or not traders):
        return action_of(tables, kinds.VERB, kinds.WITH_MERCHANT)
    return action_of(tables, kinds.VERB, kinds.WITH_TRADER)
