"""The legal decisions of the question asked."""

from __future__ import annotations

from hansa_env.engine.bits import bit, size
from hansa_env.engine.claim import (
    offer_claimed_pieces,
    offer_extra_office_cities,
    offer_rewards,
)
from hansa_env.engine.compile import inner
from hansa_env.engine.displace import (
    displaceable_routes,
    offer_displaced_routes,
    offer_relocation,
    offer_supply,
    offer_victims,
)
from hansa_env.engine.markers import (
    offer_exchange_cities,
    offer_markers,
    offer_pairs,
    offer_removals,
    offer_replacement_routes,
)
from hansa_env.engine.place import offer_income, offer_kinds, offer_lifts, offer_puts
from hansa_env.engine.posts import pawn_routes
from hansa_env.engine.record import (
    ASK_ACT,
    ASK_DISPLACE,
    ASK_EXCHANGE,
    ASK_EXTRA,
    ASK_LIFT,
    ASK_MARKER,
    ASK_NEUTRAL,
    ASK_PAIR,
    ASK_PAWN,
    ASK_PAY,
    ASK_PUT,
    ASK_RELOCATE,
    ASK_REMOVE,
    ASK_REWARD,
    ASK_RIDE,
    ASK_VICTIM,
    ASK_WITH,
    DISPLACE,
    DONE,
    MERCHANT,
    MOVE,
    OTHER,
    RIDE,
    ROUTE,
    TRADER,
    WORDS,
)
from hansa_env.engine.two_players import offer_free_pawn_move, offer_neutral_offices, offer_provinces


@inner
def offer_actions(g, t):
    """R2.1: the five actions while any are left (and the pawn's ride), markers, the free pawn move, the end of the turn."""
    seat = g["turn"]
    g["legal"][OTHER] = bit(DONE)
    if g["actions_left"] > 0:
        routes = pawn_routes(g, t)
        offer_income(g, t, seat)
        offer_kinds(g, g["supply"][seat, TRADER], g["supply"][seat, MERCHANT], g["free"] & routes)
        if displaceable_routes(g, t, seat):
            g["legal"][OTHER] |= bit(DISPLACE)
        if g["held"][seat, TRADER] | g["held"][seat, MERCHANT]:
            g["legal"][OTHER] |= bit(MOVE)
        g["legal"][ROUTE] = g["whole"][seat] & routes
        if t["pawn"]:
            g["legal"][OTHER] |= bit(RIDE)
    offer_markers(g, t, seat)
    offer_free_pawn_move(g, t)


@inner
def find_legal(g, t):
    """Fill `legal` for the question asked; returns how many decisions there are."""
    legal = g["legal"]
    for i in range(WORDS):
        legal[i] = 0
    asked = g["asked"]
    if asked == ASK_ACT:
        offer_actions(g, t)
    elif asked == ASK_PUT:
        offer_puts(g)
    elif asked == ASK_LIFT:
        offer_lifts(g)
    elif asked == ASK_RELOCATE:
        offer_relocation(g, t)
    elif asked == ASK_PAY or (asked == ASK_WITH and g["doing"] == DISPLACE):
        offer_supply(g)
    elif asked == ASK_WITH:
        offer_claimed_pieces(g)
    elif asked == ASK_DISPLACE:
        offer_displaced_routes(g, t)
    elif asked == ASK_VICTIM:
        offer_victims(g, t)
    elif asked == ASK_REWARD:
        offer_rewards(g, t)
    elif asked == ASK_EXTRA:
        offer_extra_office_cities(g, t)
    elif asked == ASK_EXCHANGE:
        offer_exchange_cities(g, t)
    elif asked == ASK_PAIR:
        offer_pairs(g, t)
    elif asked == ASK_REMOVE:
        offer_removals(g, t)
    elif asked == ASK_MARKER:
        offer_replacement_routes(g, t)
    elif asked == ASK_PAWN or asked == ASK_RIDE:
        offer_provinces(g, t)
    elif asked == ASK_NEUTRAL:
        offer_neutral_offices(g, t)
    return count_legal(g)


@inner
def count_legal(g):
    """Number of legal decisions."""
    count = 0
    for i in range(WORDS):
        count += size(g["legal"][i])
    return count
