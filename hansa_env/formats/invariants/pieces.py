"""Where every piece is (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.formats.fields import MERCHANTS, TRADERS
from hansa_env.formats.table import RELOCATING, Table

KINDS = (("traders", TRADERS), ("merchants", MERCHANTS))


def pieces_are_conserved(table: Table) -> Iterator[str]:
    """R1.1: 27 traders and 4 merchants of each seat lie in supply, stock, desk, on the board, in hand or on the prestige
    track. The hand is the mover's, or the displaced piece's owner's; version 1 does not tell whose that is."""
    hand = table.position.hand
    held = (hand.count("t"), hand.count("m"))
    absent = {seat: table.absent(seat) for seat in table.seats}
    owners = hand_owners(table)
    if any(all(absent[seat] == (held if seat == owner else (0, 0)) for seat in table.seats) for owner in owners):
        return
    found = False
    for seat in table.seats:
        allowed = {held if seat == owner else (0, 0) for owner in owners}
        if absent[seat] in allowed:
            continue
        owed = held if owners == [seat] else (0, 0)
        for kind, (word, total) in enumerate(KINDS):
            if absent[seat][kind] != owed[kind]:
                found = True
                yield f"pieces of seat {seat}: {total - absent[seat][kind] + owed[kind]} {word} in all; expected {total} (R1.1)"
    if not found:
        yield f"hand: {len(hand)} pieces, which no one seat or more than one misses elsewhere; expected one owner (R1.1)"


def hand_owners(table: Table) -> list[int | None]:
    """Whose the pieces in hand may be; None = nobody's, or the neutral player's, whose pieces are not counted."""
    position, action = table.position, table.action
    if position.asked in ("lift", "put"):
        return [position.turn]
    if position.asked not in ("with", "pay", *RELOCATING) or not position.hand:
        return [None]
    if action is not None:
        return [int(action.victim[0]) if action.victim not in (None, "nt") else None]
    neutral = [None] if table.with_neutral else []
    if position.asked == "relocate":
        return [position.seat, *neutral]
    return [*(seat for seat in table.seats if seat != position.turn), *neutral]


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
