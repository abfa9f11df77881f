"""Promo markers, their tokens above routes, and move-three (R13.3-R13.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hansa_env.engine.rules.favours import FAVOUR_PRICE
from hansa_env.formats.position_on_board import Table
from hansa_env.ruleset import TOKEN_KINDS


def tokens_are_laid_at_once(table: Table) -> Iterator[str]:
    """R13.6, R13.7: a tribute or block stands among the used markers only while its route is being chosen, or where it paid
    for a favour (R12.2)."""
    position = table.position
    for seat in table.seats:
        owed = table.action.remaining if table.action is not None and position.asked == "spend" and seat == position.turn else 0
        most = FAVOUR_PRICE * len(table.tiles(seat)) - owed
        if not 0 <= table.spent_tokens(seat) <= most:
            said = ", ".join(kind for kind in position.used[seat] if kind in TOKEN_KINDS) or "no tribute or block"
            laying = int(position.asked == "token" and seat == position.turn)
            expected = f"{laying} to {laying + most}" if most else laying or "none"
            yield f"used of seat {seat}: {said} at {position.asked}; expected {expected} of tribute and block (R13.8)"


def token_to_lay_is_known(table: Table) -> Iterator[str]:
    """R13.6-R13.8: which of tribute and block is being laid, with a trader, and that it stands among the used ones; where the
    action does not say it, one kind only stands there."""
    position, action = table.position, table.action
    if position.asked != "token" or action is None:
        return
    if not position.supply[position.turn][0]:
        yield f"supply of seat {position.turn}: 0 traders at token; expected 1 or more, for one stands on it (R13.6)"
    kinds = [kind for kind in TOKEN_KINDS if kind in position.used[position.turn]]
    if action.laying is None and len(kinds) > 1:
        yield "action laying: null with tribute and block among the used ones; expected which of them is being laid (R13.8)"
    elif action.laying is not None and action.laying not in kinds:
        seat = position.turn
        yield f"action laying: {action.laying}; expected {' or '.join(kinds)}, among the used ones of seat {seat} (R13.8)"


def tribute_is_due(table: Table) -> Iterator[str]:
    """R13.6: tributes are due for an office that the active seat founded just now, on the route it claimed, which is cleared,
    or in a green city."""
    position, action = table.position, table.action
    if position.asked != "tribute" or action is None:
        return
    seat = str(position.turn)
    offices = [*table.offices[action.city], *position.extras.get(action.city, [])]
    if not any(piece[0] == seat for piece in offices):
        yield f"action city: {action.city} without an office of seat {seat}; expected the one founded just now (R13.6)"
    if action.verb == "permanent":
        return
    if action.city not in table.facts.routes[action.route].cities:
        yield f"action city: {action.city}; expected a city of the route {action.route} (R13.6)"
    if not table.within_pawn(action.route):
        yield f"action route: {action.route}; expected one that borders the pawn's province {position.pawn} (R8.1.4)"
    if table.pieces_of(action.route):
        yield f"posts {action.route}: {len(table.pieces_of(action.route))} pieces at tribute; expected none any more (R5.4)"
    if action.route in position.route_markers:
        yield f"route_markers {action.route}: a marker on the claimed route; expected none (R5.3)"


def hand_at_a_tribute(table: Table) -> tuple[int, int]:
    """R9.14d, R13.6: the rest of the claimed route, where its permanent marker puts it down again; else nothing."""
    keeping = [r for r in table.facts.routes.values() if r.permanent_marker == "place-two-from-route"]
    claimed = [route for route in keeping if route.id == table.action.route]
    return (claimed[0].posts - 1,) * 2 if claimed else (0, 0)


def most_blocks(table: Table) -> int:
    """R13.7: the most blocks that lie above one route."""
    return max(Counter(route for route, kind, _ in table.tokens if kind == "block").values(), default=0)


def partner_is_another_seat(table: Table) -> Iterator[str]:
    """R13.5: a trade-in is between two seats."""
    action = table.action
    if action is not None and action.partner == table.position.turn and not table.paying_favour:
        yield f"action partner: {action.partner}, whose turn it is; expected another seat (R13.5)"
