"""Where every piece is (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.formats.description import DISPLACED, OWN
from hansa_env.formats.descriptions import rows_named
from hansa_env.formats.table import Table

KINDS = ("traders", "merchants")


def pieces_are_conserved(table: Table) -> Iterator[str]:
    """R1.1: 27 traders and 4 merchants of each seat lie in supply, stock, desk, on the board, in hand or on the prestige
    track. The hand is the mover's, or the displaced piece's owner's, which version 1 does not tell; or it says itself whose."""
    hand = table.position.hand
    absent = {seat: table.absent(seat) for seat in table.seats}
    hands = possible_hands(table)
    if any(all(absent[seat] == held.get(seat, (0, 0)) for seat in table.seats) for held in hands):
        return
    found = False
    for seat in table.seats:
        if absent[seat] in [held.get(seat, (0, 0)) for held in hands]:
            continue
        owed = hands[0].get(seat, (0, 0)) if len(hands) == 1 else (0, 0)
        for kind, (word, total) in enumerate(zip(KINDS, table.facts.pieces)):
            if absent[seat][kind] != owed[kind]:
                found = True
                yield f"pieces of seat {seat}: {total - absent[seat][kind] + owed[kind]} {word} in all; expected {total} (R1.1)"
    if not found:
        yield f"hand: {len(hand)} pieces, which no one seat or more than one misses elsewhere; expected one owner (R1.1)"


def possible_hands(table: Table) -> list[dict[int | None, tuple[int, int]]]:
    """By seat: traders and merchants in hand; one for each way it may be."""
    if table.lifted:
        return [{seat: (table.lifted.count(f"{seat}t"), table.lifted.count(f"{seat}m")) for seat in table.seats}]
    hand = table.position.hand
    held = (hand.count("t"), hand.count("m"))
    return [{owner: held} for owner in hand_owners(table)]


def hand_owners(table: Table) -> list[int | None]:
    """Whose the pieces in hand may be; None = nobody's, or the neutral player's, whose pieces are not counted."""
    position, action = table.position, table.action
    hands = {row.hand for row in rows_named(position.asked)}
    if OWN in hands:
        return [position.turn]
    if DISPLACED not in hands or not position.hand:
        return [None]
    if action is not None:
        return [int(action.victim[0]) if action.victim not in (None, "nt") else None]
    neutral = [None] if table.with_neutral else []
    if position.asked == "relocate":
        return [position.seat, *neutral]
    return [*(seat for seat in table.seats if seat != position.turn), *neutral]


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
