"""Where every bonus marker is (R1.5, R1.6, R5.3, R6).

Each marker taken from a route, or discarded by the neutral player, is replaced from the pile at once. So there are always
three on routes and plates together, but for replacements that were due when the pile was empty, and those that left the
game with its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.state import END_BY_LIMIT
from hansa_env.formats.position_on_board import Table


def no_kind_is_more_than_the_edition_has(table: Table) -> Iterator[str]:
    """Of no kind are there more markers than the edition has (R1.6)."""
    where = "on routes, with the seats and discarded" if table.discarded else "on routes and with the seats"
    for kind, count in (table.known_markers + table.discarded).items():
        if count > table.facts.markers[kind]:
            yield f"markers: {count} {kind} {where}; expected at most {table.facts.markers[kind]} (R1.6)"
    if table.position.pile > table.facts.pile_size:
        yield f"pile: {table.position.pile}; expected 0 to {table.facts.pile_size} (R1.6)"


def hidden_markers_are_unseen(table: Table) -> Iterator[str]:
    """R1.5, R5.3: those on plates and in the pile are among those not on routes, with the seats or discarded."""
    position = table.position
    hidden = sum(position.plate) + position.pile
    most = min(table.facts.pile_size, unseen(table))
    if hidden > most:
        yield f"plate and pile: {sum(position.plate)} and {position.pile}; expected at most {most} together (R1.6)"


def unseen(table: Table) -> int:
    """How many markers lie in the pile and on plates, but for those of which nobody says that they were discarded."""
    return sum(table.facts.markers.values()) - sum((table.known_markers + table.discarded).values()) - table.facts.in_box


def discarded_markers_are_all_that_left(table: Table) -> Iterator[str]:
    """R1.6, R7.1, R8.2.3: what is neither on routes, with the seats, on plates nor in the pile is discarded."""
    position = table.position
    if position.discarded is None:
        return
    nowhere = unseen(table) - sum(position.plate) - position.pile
    if nowhere:
        count = len(position.discarded)
        yield f"discarded: {count} markers; expected {count + nowhere}, all that are nowhere else (R8.2.3)"


def permanent_markers_keep_others_away(table: Table) -> Iterator[str]:
    """R9.13, R10.13: no marker lies on a route with a permanent one, or in a region."""
    for route, kind in table.position.route_markers.items():
        if not table.facts.routes[route].marker_allowed:
            where = "beside its permanent marker (R9.13)" if table.facts.routes[route].permanent_marker else "abroad (R10.13)"
            yield f"route_markers {route}: {kind}; expected none {where}"


def taken_markers_are_replaced(table: Table) -> Iterator[str]:
    """Each marker taken was replaced: those on routes and plates are three, less the replacements that an empty pile could
    not give, and the pile has lost one for each marker taken (R5.3, R6.1, R6.7, R7.1, R8.2.3)."""
    position = table.position
    routes, plates = len(position.route_markers), sum(position.plate)
    drawn, taken = table.facts.pile_size - position.pile, taken_markers(table)
    short, all_told = replacements_short(table), len(table.facts.taverns)
    if not table.over or table.reason == END_BY_LIMIT:
        if all(routes + plates != all_told - count for count in short):
            expected = " or ".join(str(all_told - count) for count in short)
            yield f"route_markers and plate: {routes} and {plates}; expected {expected} together (R5.3)"
    elif plates:
        yield f"plate: {plates} markers after the end; expected none (R7.1)"
    elif all(routes + plates > all_told - count for count in short):
        yield f"route_markers: {routes}; expected at most {all_told - min(short)} (R5.3)"
    if table.with_neutral:
        if taken > drawn + max(short):
            yield f"pile: {position.pile} after {taken} markers taken; expected at most {table.facts.pile_size - taken} (R5.3)"
    elif all(taken != drawn + count for count in short):
        left = max(0, table.facts.pile_size - taken)
        yield f"pile: {position.pile} after {taken} markers taken; expected {left} (R5.3)"


def taken_markers(table: Table) -> int:
    """Markers the seats have taken, used or not, or laid above a route (R13.8)."""
    return sum(map(len, table.position.markers)) + sum(map(len, table.position.used)) + len(table.tokens)


def replacements_short(table: Table) -> list[int]:
    """How many replacements may have been due with the pile empty: at most 1, or 2 for the neutral player, who may claim
    two routes within one action."""
    position, action = table.position, table.action
    possible = [1, 2] if table.with_neutral and (table.over or table.relocating) else [1]
    if not table.over:
        return possible if action is not None and action.pile_ran_out else [0]
    if table.reason == "markers":
        return possible
    return [0, *possible] if table.reason == "prestige" and position.pile == 0 else [0]


def start_markers_are_accounted_for(table: Table) -> Iterator[str]:
    """R1.5, R6.7: the start markers lay face up on the tavern routes, so they are known; other routes got theirs from the
    pile. The neutral player discards some (R8.2.3)."""
    position = table.position
    drawn, seen = table.facts.pile_size - position.pile, table.known_markers + table.discarded
    unknown = table.with_neutral and position.discarded is None
    discarded = drawn + max(replacements_short(table)) - taken_markers(table) if unknown else 0
    missing = [kind for kind in table.facts.start_markers if not seen[kind]]
    if len(missing) > discarded:
        yield f"markers: no {' and no '.join(missing)} on a route or with a seat; expected the start markers (R1.5)"
    elsewhere = [route for route in position.route_markers if route not in table.facts.taverns]
    placed = max(0, drawn - sum(position.plate))
    if len(elsewhere) > placed:
        yield f"route_markers {elsewhere[0]}: {len(elsewhere)} off the tavern routes; expected at most {placed} (R6.7)"


def replacement_lies_on_the_plate(table: Table) -> Iterator[str]:
    """R6.7: a replacement is laid from the plate."""
    position = table.position
    if position.asked == "marker" and not position.plate[position.turn]:
        yield f"plate of seat {position.turn}: 0 at marker; expected the marker to lay (R6.7)"


def claimed_marker_is_held(table: Table) -> Iterator[str]:
    """R5.3: the marker of the claimed route lies with the player, its replacement on his plate unless the pile ran out."""
    action, position = table.action, table.position
    if action is None:
        return
    if action.pile_ran_out:
        if position.pile:
            yield f"action pile_ran_out: true with a pile of {position.pile}; expected an empty pile"
        told = position.asked != "tribute"  # where the marker taken no longer matters, it is not said
        if action.verb == "claim" and action.marker_taken is None and told:
            yield "action pile_ran_out: true without a marker taken; expected false"
        if action.verb == "displace" and action.victim != "nt":
            yield "action pile_ran_out: true in the relocation of a seat's piece; expected false"
    if action.marker_taken is not None:
        if action.marker_taken not in position.markers[position.turn]:
            yield f"action marker_taken: {action.marker_taken}; expected it among the markers of seat {position.turn}"
        if not action.pile_ran_out and not position.plate[position.turn]:
            yield f"plate of seat {position.turn}: 0 after a marker was taken; expected its replacement (R5.3)"
