"""England, Wales and Scotland (R10): permissions, and pieces that may be put down in some countries only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hansa_env.formats.fields import BOOK
from hansa_env.formats.table import Table


def permissions_are_used_by_actions(table: Table) -> Iterator[str]:
    """R10.5: a permission is used by an action of this turn, and one for the route that is displaced on."""
    position = table.position
    used = position.permissions or []
    if used and not position.acted and not table.over:
        yield f"permissions: {', '.join(used)} used before the first action; expected none (R10.5)"
    action = table.action
    if action is None or action.verb != "displace" or action.route is None:
        return
    gateways = table.facts.gateways_of[table.country(action.route)]
    if gateways and not set(used) & set(gateways):
        yield f"permissions: none used for {action.route}; expected {' or '.join(gateways)} (R10.5)"


def foreign_pieces_were_lifted_there(table: Table) -> Iterator[str]:
    """R10.10: of a move no more may still be put in a region than were lifted there."""
    position = table.position
    if not position.foreign:
        return
    if position.asked == "lift":
        held = list(map(str, position.hand))
        for index, kind in enumerate("tm"):
            most, found = held.count(kind), sum(pieces[index] for pieces in position.foreign.values())
            if found > most:
                yield f"foreign: {found} {('traders', 'merchants')[index]}; expected at most the {most} in hand (R10.10)"
    lifted = BOOK[position.abilities[position.turn].book]
    found = sum(sum(pieces) for pieces in position.foreign.values())
    if found > lifted:
        yield f"foreign: {found} pieces; expected at most {lifted}, what a move lifts (R10.10)"


def free_in(table: Table, country: str) -> tuple[int, int]:
    """Free house posts and ship posts of a country."""
    lanes = [lane for lane in table.posts if table.country(lane) == country]
    houses = sum(table.free(lane) for lane in lanes if table.open_to(lane, "t"))
    return houses, sum(map(table.free, lanes)) - houses


def fit(table: Table, country: str, traders: int, merchants: int) -> bool:
    """R9.4: whether a country has free posts for so many pieces."""
    houses, ships = free_in(table, country)
    return traders <= houses and traders + merchants <= houses + ships


def put(table: Table) -> str | None:
    """R10.10: the hand can be put down, some of it where it was lifted, the rest in England."""
    position = table.position
    foreign = position.foreign or {}
    england, *regions = table.facts.board.countries
    limits = [[range(foreign[region][kind] + 1) for region in regions] for kind in (0, 1)]
    for traders, merchants in product(product(*limits[0]), product(*limits[1])):
        home = position.hand.count("t") - sum(traders), position.hand.count("m") - sum(merchants)
        parts = [(england, *home), *zip(regions, traders, merchants)]
        if min(home) >= 0 and all(fit(table, *part) for part in parts):
            return None
    return f"free posts for {len(position.hand)} pieces in their countries (R10.10)"


def drop(table: Table) -> str | None:
    """R10.12: each of the lifted pieces finds a post in its country."""
    pieces = list(zip([piece[1] for piece in table.lifted], table.position.origins or []))
    for country in table.facts.board.countries:
        if not fit(table, country, pieces.count(("t", country)), pieces.count(("m", country))):
            return f"free posts in {country} for what was lifted there (R10.12)"
    return None


def send(table: Table) -> str | None:
    """R10.15: a lifted piece goes abroad; it was lifted for want of any in stock or supply."""
    position = table.position
    if not position.hand:
        return None
    abroad = [lane for lane in table.posts if table.country(lane) != table.facts.board.countries[0]]
    if not any(table.free(lane) and table.open_to(lane, position.hand[0]) for lane in abroad):
        return "a free post abroad (R10.14)"
    if sum(position.stock[position.turn]) + sum(position.supply[position.turn]):
        return f"nothing in hand while stock or supply of seat {position.turn} have pieces (R10.15)"
    return None


def lanes_to_relocate_to(table: Table, kind: str) -> list[str]:
    """R10.11: lanes with a free post for a piece in hand: of the country it was displaced in or of England, and for one lifted
    for want of others also of its own."""
    action, origins = table.action, table.position.origins
    found = [lane for lane in table.posts if table.free(lane) and table.open_to(lane, kind)]
    for country in [table.country(action.route), *(origins or [])]:
        found = [lane for lane in found if table.country(lane) in (country, table.facts.board.countries[0])]
    closed = table.facts.lanes_of[table.facts.route_of[action.route]]
    return [lane for lane in found if lane not in closed]


def permitted(table: Table, lane: str) -> bool:
    """R10.5, R10.6: whether the active player may displace on a lane: in England always, else by the rightmost printed office
    of a city whose permission is not used."""
    gateways = table.facts.gateways_of[table.country(lane)]
    own = [city for city in gateways if table.offices[city] and table.offices[city][-1][0] == str(table.position.turn)]
    return not gateways or any(city not in (table.position.permissions or []) for city in own)
