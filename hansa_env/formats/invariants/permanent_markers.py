"""Permanent markers in use (R9.14): the route was claimed just now, and there is something to do."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.permanent_markers import MOST_LANDED, MOST_MOVED
from hansa_env.engine.state import GREEN_SPACES
from hansa_env.formats.position_on_board import Table


def claimed_maritime_route_is_cleared(table: Table) -> Iterator[str]:
    """R9.14: the pieces of the claimed route are gone from it, but for those that the marker put there since."""
    marker = table.permanent
    routes = [id_ for id_, route in table.facts.routes.items() if marker and route.permanent_marker == marker]
    most = pieces_put(table)
    if routes and all(len(table.pieces_of(route)) > most for route in routes):
        found = f"posts {routes[0]}: {len(table.pieces_of(routes[0]))} pieces at {table.position.asked}"
        yield f"{found}; expected at most {most} on the claimed route (R9.14)"


def pieces_put(table: Table) -> int:
    """How many pieces the permanent marker in use has put down at most."""
    asked = table.position.asked
    if asked == "drop":
        return MOST_MOVED - len(table.lifted)
    if asked == "land":
        return MOST_LANDED - table.action.remaining
    return 0


def hand_after_a_claim(table: Table) -> tuple[int, int]:
    """R9.14d: how many pieces of the claimed route may be in hand: all of it, less one as office or prestige, less those put
    down."""
    posts = [route.posts for route in table.facts.routes.values() if route.permanent_marker == table.permanent]
    put = MOST_LANDED - table.action.remaining
    return min(posts) - 1 - put, max(posts) - put


def office_goes_to_a_green_city(table: Table) -> Iterator[str]:
    """R9.14c: the permanent marker founds offices in green cities only, of pieces of the supply."""
    action, seat = table.action, table.position.turn
    if table.position.asked == "green" and not sum(table.position.supply[seat]):
        yield f"supply of seat {seat}: no piece at green; expected one or more (R9.14)"
    if action is None or action.verb != "permanent" or action.city is None:
        return
    if not table.facts.cities[action.city].green:
        yield f"action city: {action.city}; expected a green city (R9.14)"
    elif table.position.asked != "tribute" and len(table.offices[action.city]) >= GREEN_SPACES:  # there it has been founded
        yield f"action city: {action.city} with {GREEN_SPACES} offices; expected one with room for another"
