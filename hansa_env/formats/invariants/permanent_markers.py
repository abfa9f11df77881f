"""Permanent markers in use (R9.14): the route was claimed just now, and there is something to do."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.permanent_markers import MOST_MOVED
from hansa_env.engine.state import GREEN_SPACES
from hansa_env.formats.fields import TRACKS
from hansa_env.formats.invariants import countries, promo_markers
from hansa_env.formats.table import Table


def claimed_maritime_route_is_cleared(table: Table) -> Iterator[str]:
    """R9.14: the pieces of the claimed route are gone from it, but for those that the marker put there since."""
    marker = None if table.moving_three else table.permanent
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
        return MOST_MOVED - table.action.remaining
    return 0


def hand_after_a_claim(table: Table) -> tuple[int, int]:
    """R9.14d: how many pieces of the claimed route may be in hand: all of it, less one as office or prestige, less those put
    down."""
    posts = [route.posts for route in table.facts.routes.values() if route.permanent_marker == table.permanent]
    put = MOST_MOVED - table.action.remaining
    return min(posts) - 1 - put, max(posts) - put


def office_goes_to_a_green_city(table: Table) -> Iterator[str]:
    """R9.14c: the permanent marker founds offices in green cities only."""
    action = table.action
    if action is None or action.verb != "permanent" or action.city is None:
        return
    if not table.facts.cities[action.city].green:
        yield f"action city: {action.city}; expected a green city (R9.14)"
    elif len(table.offices[action.city]) >= GREEN_SPACES:
        yield f"action city: {action.city} with {GREEN_SPACES} offices; expected one with room for another"


def fetch(table: Table) -> str | None:
    if table.moving_three:
        found = any(promo_markers.of_others(table, lane) for lane in table.posts)
        return None if found else "a piece of others on a post (R13.3)"
    return None if any(table.posts.values()) else "a piece on a post (R9.14)"


def drop(table: Table) -> str | None:
    if table.facts.board.regions:
        return countries.drop(table)
    kinds = [piece[1] for piece in table.lifted]
    return None if table.room_for(kinds) else f"free posts for {len(kinds)} pieces, for traders no ship posts (R9.4)"


def choice(table: Table) -> str | None:
    seat = table.position.turn
    if table.position.abilities[seat].privilege < TRACKS["privilege"]:
        return None
    return f"a privilege of seat {seat} that is not fully developed (R9.14)"


def green(table: Table) -> str | None:
    seat = table.position.turn
    return None if sum(table.position.supply[seat]) else f"a piece in the supply of seat {seat} (R9.14)"


ANSWERS = {"fetch": fetch, "drop": drop, "permanent": choice, "green": green, "send": countries.send}
