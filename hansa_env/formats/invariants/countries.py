"""England, Wales and Scotland (R10): permissions, and pieces that may be put down in some countries only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hansa_env.formats.fields import BOOK
from hansa_env.formats.position_on_board import Table


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


def moved_fit(table: Table) -> bool:
    """R10.10: the hand can be put down, some of it where it was lifted, the rest in England."""
    position = table.position
    foreign = position.foreign or {}
    england, *regions = table.facts.board.countries
    limits = [[range(foreign[region][kind] + 1) for region in regions] for kind in (0, 1)]
    for traders, merchants in product(product(*limits[0]), product(*limits[1])):
        home = position.hand.count("t") - sum(traders), position.hand.count("m") - sum(merchants)
        parts = [(england, *home), *zip(regions, traders, merchants)]
        if min(home) >= 0 and all(fit(table, *part) for part in parts):
            return True
    return False


def lifted_fit(table: Table) -> bool:
    """R10.12: each of the lifted pieces finds a post in its country."""
    pieces = list(zip([piece[1] for piece in table.lifted], table.position.origins or []))
    countries = table.facts.board.countries
    return all(fit(table, country, pieces.count(("t", country)), pieces.count(("m", country))) for country in countries)


def piece_to_send_was_lifted_for_want_of_others(table: Table) -> Iterator[str]:
    """R10.15: own pieces are lifted to be sent only with stock and supply empty."""
    position, seat = table.position, table.position.turn
    if position.asked == "send" and position.hand and sum(position.stock[seat]) + sum(position.supply[seat]):
        yield f"hand: {position.hand[0]} at send; expected nothing while stock or supply of seat {seat} have pieces (R10.15)"
