"""Where every piece is (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.formats.description import DISPLACED, MOVED, OWN
from hansa_env.formats.invariants import countries
from hansa_env.formats.position_on_board import Table

KINDS = ("traders", "merchants")


def pieces_are_conserved(table: Table) -> Iterator[str]:
    """R1.1: 27 traders and 4 merchants of each seat lie in supply, stock, desk, on the board, in hand or on the prestige
    track. The hand is the mover's or the displaced piece's owner's, or it says itself whose."""
    absent, held = {seat: table.absent(seat) for seat in table.seats}, pieces_in_hand(table)
    for seat in table.seats:
        owed = held.get(seat, (0, 0))
        for kind, (word, total) in enumerate(zip(KINDS, table.facts.pieces)):
            if absent[seat][kind] != owed[kind]:
                yield f"pieces of seat {seat}: {total - absent[seat][kind] + owed[kind]} {word} in all; expected {total} (R1.1)"


def pieces_in_hand(table: Table) -> dict[int | None, tuple[int, int]]:
    """By seat: traders and merchants in hand; None = nobody's, or the neutral player's, whose pieces are not counted."""
    if table.lifted:
        return {seat: (table.lifted.count(f"{seat}t"), table.lifted.count(f"{seat}m")) for seat in table.seats}
    hand = table.position.hand
    return {hand_owner(table): (hand.count("t"), hand.count("m"))}


def hand_owner(table: Table) -> int | None:
    """Whose the pieces in hand are."""
    position, action = table.position, table.action
    row = table.row
    if row is None or not position.hand:
        return None
    if row.hand in (OWN, MOVED):
        return position.turn
    return int(action.victim[0]) if row.hand == DISPLACED and action.victim not in (None, "nt") else None


def pieces_in_hand_find_posts(table: Table) -> Iterator[str]:
    """R3.3, R9.4, R10.10, R10.12: where all that is in hand has to be put down, there are posts for it. The engine offers posts
    for the next piece only."""
    position = table.position
    if table.row is None or set(table.row.phrases) != {"put"}:
        return
    if table.facts.board.regions:
        fits, where = countries.lifted_fit(table) if table.lifted else countries.moved_fit(table), "in their countries (R10)"
    else:
        fits, where = table.room_for([piece[-1] for piece in position.hand]), "that fit (R3.3)"
    if not fits:
        yield f"hand: {len(position.hand)} pieces at {position.asked}; expected free posts for all of them {where}"


def ship_posts_hold_merchants(table: Table) -> Iterator[str]:
    """R9.4: no trader stands on a ship post."""
    for route, row in (table.position.ships or {}).items():
        traders = [piece for piece in row if piece is not None and piece[1] == "t"]
        if traders:
            yield f"ships {route}: {traders[0]}; expected merchants only (R9.4)"


def wholly_neutral_routes_are_claimed_at_once(table: Table) -> Iterator[str]:
    """A route held by neutral traders alone is claimed at once, so there is one only within that claim, its marker already
    gone (R8.2.3)."""
    if not table.with_neutral:
        return
    routes = table.whole_for("n")
    expected = int(table.position.asked == "neutral")
    if len(routes) != expected:
        found = f"posts {routes[0]}: held by neutral traders only" if routes else "posts: no route held by neutral traders only"
        yield f"{found}, {len(routes)} such routes at {table.position.asked}; expected {expected} (R8.2.3)"
    elif routes and routes[0] in table.position.route_markers:
        yield f"route_markers {routes[0]}: a marker on the route the neutral player claims; expected none (R8.2.3)"
