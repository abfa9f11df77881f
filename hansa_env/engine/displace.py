"""Displacing a tradesman and relocating him (R4)."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.place import offer_kinds, total
from hansa_env.engine.posts import (
    nearest_free_routes,
    pawn_routes,
    put_piece,
    take_piece,
    two_posts_free_elsewhere,
)
from hansa_env.engine.record import (
    ASK_DISPLACE,
    ASK_PAY,
    ASK_RELOCATE,
    ASK_VICTIM,
    ASK_WITH,
    DISPLACE,
    DONE,
    MERCHANT,
    ON_ROUTE_MERCHANT,
    ON_ROUTE_TRADER,
    OTHER,
    PIECE_BIT,
    ROUTE,
    TRADER,
    WITH_MERCHANT,
    WITH_TRADER,
)
from hansa_env.engine.turn import ask, end_action, spend_action


@inner
def can_displace(g, seat, kind):
    """R4.1: the supply covers the displacing piece and the penalty: 1 for a trader, 2 for a merchant."""
    return total(g["supply"], seat) >= 2 + kind


@inner
def displaceable_routes(g, t, seat):
    """R4.1, R8.1.4: routes with a piece that the seat may displace."""
    routes = 0
    for owner in range(t["owners"]):
        if owner != seat:
            if can_displace(g, seat, TRADER):
                routes |= g["held"][owner, TRADER]
            if can_displace(g, seat, MERCHANT):
                routes |= g["held"][owner, MERCHANT]
    return routes & pawn_routes(g, t)


@inner
def begin_displace(g):
    """R4.1."""
    spend_action(g)
    g["doing"] = DISPLACE
    ask(g, ASK_DISPLACE, g["turn"])


@inner
def offer_displaced_routes(g, t):
    """R4.1."""
    g["legal"][ROUTE] = displaceable_routes(g, t, g["seat"])


@inner
def choose_route(g, route):
    """The route of the piece to displace or to remove."""
    g["route"] = route
    ask(g, ASK_VICTIM, g["seat"])


@inner
def piece_bit(g, t, owner, kind):
    """The decision that names a piece: its owner's place relative to the deciding seat, and its kind."""
    place = owner
    if owner < t["players"]:
        place = (owner - g["seat"]) % t["players"]
    return bit(PIECE_BIT + 2 * place + kind)


@inner
def piece_owner(g, t, place):
    """The owner that `piece_bit` calls by that place."""
    if place < t["players"]:
        return (place + g["seat"]) % t["players"]
    return place


@inner
def offer_victims(g, t):
    """R4.1: opponents' pieces on the chosen route that the supply can displace; R6.4: any piece."""
    for owner in range(t["owners"]):
        for kind in range(2):
            if g["pieces"][g["route"], owner, kind] == 0:
                continue
            if g["doing"] != DISPLACE or (owner != g["seat"] and can_displace(g, g["seat"], kind)):
                g["legal"][OTHER] |= piece_bit(g, t, owner, kind)


@inner
def displace(g, owner, kind):
    """R4.1: the victim leaves its post."""
    take_piece(g, g["route"], owner, kind)
    g["hand"][kind] = 1
    g["victim_owner"] = owner
    g["victim_kind"] = kind
    ask(g, ASK_WITH, g["seat"])


@inner
def offer_pieces(g, traders, merchants):
    """Offer the choice between a trader and a merchant, as far as there are any."""
    if traders > 0:
        g["legal"][OTHER] |= bit(WITH_TRADER)
    if merchants > 0:
        g["legal"][OTHER] |= bit(WITH_MERCHANT)


@inner
def offer_supply(g):
    """R4.1: the displacing piece and the penalty come from the supply, kinds of the player's choice."""
    offer_pieces(g, g["supply"][g["seat"], TRADER], g["supply"][g["seat"], MERCHANT])


@inner
def take_victims_place(g, t, kind):
    """R4.1."""
    g["supply"][g["seat"], kind] -= 1
    put_piece(g, t, g["route"], g["seat"], kind)
    g["remaining"] = 1 + g["victim_kind"]
    ask(g, ASK_PAY, g["seat"])


@inner
def pay(g, t, kind):
    """R4.1: one penalty piece goes from supply to stock; after the last one the owner relocates (R4.2)."""
    g["supply"][g["seat"], kind] -= 1
    g["stock"][g["seat"], kind] += 1
    g["remaining"] -= 1
    if g["remaining"] == 0:
        g["settled"] = 0
        g["remaining"] = 1 + g["victim_kind"]
        continue_relocation(g, t)


@inner
def relocator(g, t):
    """R4.2: the owner of the displaced piece; R8.2.2: the other player, for a neutral trader."""
    if g["victim_owner"] == t["neutral"]:
        return 1 - g["turn"]
    return g["victim_owner"]


@inner
def continue_relocation(g, t):
    """R4.2, R4.5: ask on while something is left to put down and somewhere to put it."""
    somewhere = nearest_free_routes(g, t, g["route"]) != 0
    if not g["settled"] and not somewhere:  # R4.5
        kind = g["victim_kind"]
        g["hand"][kind] = 0
        g["settled"] = 1
        if g["victim_owner"] != t["neutral"]:
            g["stock"][g["victim_owner"], kind] += 1
    holding = g["hand"][TRADER] + g["hand"][MERCHANT] > 0
    if (not holding and g["remaining"] == 0) or (not holding and g["victim_owner"] == t["neutral"] and not somewhere):
        end_action(g, t)
    else:
        ask(g, ASK_RELOCATE, relocator(g, t))


@inner
def offer_relocation(g, t):
    """R4.2-R4.4: where the displaced piece and the further tradesmen may go."""
    routes = nearest_free_routes(g, t, g["route"])
    owner, hand = g["victim_owner"], g["hand"]
    offer_kinds(g, hand[TRADER], hand[MERCHANT], routes)
    if owner == t["neutral"]:
        g["legal"][ON_ROUTE_TRADER] = routes
    elif not g["settled"]:
        other = 1 - g["victim_kind"]
        if g["remaining"] > 0 and further_pieces(g, owner, other) > 0 and two_posts_free_elsewhere(g, g["route"]):
            g["legal"][ON_ROUTE_TRADER + other] = routes
    elif hand[TRADER] + hand[MERCHANT] == 0:
        g["legal"][OTHER] = bit(DONE)
        offer_kinds(g, further_pieces(g, owner, TRADER), further_pieces(g, owner, MERCHANT), routes)
        if total(g["stock"], owner) == 0 and total(g["supply"], owner) == 0:
            liftable = t["all_routes"] if routes else ~bit(g["route"])
            g["legal"][ON_ROUTE_TRADER] = g["held"][owner, TRADER] & liftable
            g["legal"][ON_ROUTE_MERCHANT] = g["held"][owner, MERCHANT] & liftable


@inner
def further_pieces(g, seat, kind):
    """R4.4: further tradesmen come from the stock, and only with an empty stock from the supply."""
    if total(g["stock"], seat) > 0:
        return g["stock"][seat, kind]
    return g["supply"][seat, kind]


@inner
def relocate(g, t, kind, route):
    """R4.2-R4.4: one piece is put down, or, as the last resort, lifted. The caller goes on with the relocation."""
    owner = g["victim_owner"]
    if g["hand"][kind] > 0:
        g["hand"][kind] = 0
        g["settled"] = 1
        put_piece(g, t, route, owner, kind)
        return
    g["remaining"] -= 1
    if owner == t["neutral"]:
        put_piece(g, t, route, owner, kind)
    elif total(g["stock"], owner) > 0:
        g["stock"][owner, kind] -= 1
        put_piece(g, t, route, owner, kind)
    elif total(g["supply"], owner) > 0:
        g["supply"][owner, kind] -= 1
        put_piece(g, t, route, owner, kind)
    else:
        take_piece(g, route, owner, kind)
        g["hand"][kind] = 1
