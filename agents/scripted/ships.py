"""Ship posts as the scripted player counts them (R9.4): which merchants a maritime route still takes, and where they are."""

from __future__ import annotations

from hansa_agents.scripted.countries import sources_of
from hansa_agents.scripted.rivals import rivals_on
from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.state import ASK_LIFT, ASK_PUT, MERCHANT


@inner
def merchants_for_ships(game, tables, seat, route):
    """Merchants that the ship posts of a maritime route still take: on free posts, and in the place of others'."""
    sea = tables["ship_lane"][route]
    return game["vacant"][sea] + rivals_on(game, tables, seat, sea)


@inner
def merchants_elsewhere(game, tables, seat, route):
    """Own merchants on other routes or lifted, which a move could bring to a maritime route; while lifted ones are put down,
    only those."""
    count = 0
    if game["asked"] == ASK_LIFT or game["asked"] == ASK_PUT:
        count += game["hand"][MERCHANT]
    if game["asked"] != ASK_PUT:
        lanes = game["held"][seat, MERCHANT] & sources_of(tables, route) & ~tables["lanes_of"][route]
        while lanes:
            count += game["pieces"][seat, MERCHANT, lowest(lanes)]
            lanes &= lanes - 1
    return count
