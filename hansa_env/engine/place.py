"""Income, place and move (R3), and the piece counts of supply and stock."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.posts import put_piece, take_piece
from hansa_env.engine.record import (
    ASK_LIFT,
    ASK_PUT,
    BANK,
    BOOK,
    DONE,
    INCOME_BIT,
    MERCHANT,
    ON_ROUTE_MERCHANT,
    ON_ROUTE_TRADER,
    OTHER,
    TRADER,
)
from hansa_env.engine.turn import ability_value, ask, end_action, spend_action


@inner
def total(pieces, seat):
    """Pieces of both kinds in a seat's supply or stock."""
    return pieces[seat, TRADER] + pieces[seat, MERCHANT]


@inner
def offer_kinds(g, traders, merchants, routes):
    """Offer the routes of a set for whichever kinds there are."""
    if traders > 0:
        g["legal"][ON_ROUTE_TRADER] = routes
    if merchants > 0:
        g["legal"][ON_ROUTE_MERCHANT] = routes


@inner
def offer_income(g, t, seat):
    """R3.1: one decision per possible number of merchants among the income."""
    stock = g["stock"]
    if total(stock, seat) == 0:
        return
    amount = min(ability_value(g, t, seat, BANK), total(stock, seat))
    fewest = max(0, amount - stock[seat, TRADER])
    most = min(amount, stock[seat, MERCHANT])
    for merchants in range(fewest, most + 1):
        g["legal"][OTHER] |= bit(INCOME_BIT + merchants)


@inner
def take_income(g, t, merchants):
    """R3.1."""
    seat = g["turn"]
    spend_action(g)
    traders = min(ability_value(g, t, seat, BANK), total(g["stock"], seat)) - merchants
    g["stock"][seat, TRADER] -= traders
    g["supply"][seat, TRADER] += traders
    g["stock"][seat, MERCHANT] -= merchants
    g["supply"][seat, MERCHANT] += merchants
    end_action(g, t)


@inner
def place(g, t, kind, route):
    """R3.2."""
    spend_action(g)
    g["supply"][g["turn"], kind] -= 1
    put_piece(g, t, route, g["turn"], kind)
    end_action(g, t)


@inner
def begin_move(g, t):
    """R3.3: first the pieces are lifted, up to the book's value."""
    spend_action(g)
    g["remaining"] = ability_value(g, t, g["turn"], BOOK)
    g["started"] = 0
    ask(g, ASK_LIFT, g["turn"])


@inner
def offer_lifts(g):
    """R3.3."""
    seat = g["seat"]
    g["legal"][ON_ROUTE_TRADER] = g["held"][seat, TRADER]
    g["legal"][ON_ROUTE_MERCHANT] = g["held"][seat, MERCHANT]
    if g["started"]:
        g["legal"][OTHER] = bit(DONE)


@inner
def lift(g, kind, route):
    """R3.3: one piece is picked up."""
    take_piece(g, route, g["seat"], kind)
    g["hand"][kind] += 1
    g["started"] = 1
    g["remaining"] -= 1
    if g["remaining"] == 0:
        end_lifting(g)


@inner
def end_lifting(g):
    """R3.3: then all are put down."""
    ask(g, ASK_PUT, g["seat"])


@inner
def offer_puts(g):
    """R3.3."""
    offer_kinds(g, g["hand"][TRADER], g["hand"][MERCHANT], g["free"])


@inner
def put(g, t, kind, route):
    """R3.3: one piece is put down on any free post."""
    g["hand"][kind] -= 1
    put_piece(g, t, route, g["seat"], kind)
    if g["hand"][TRADER] + g["hand"][MERCHANT] == 0:
        end_action(g, t)
