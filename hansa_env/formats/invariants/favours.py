"""The Emperor's Favour tiles (R12)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.favours import FAVOUR_PRICE
from hansa_env.formats.position_on_board import Table


def bought_favour_cost_all_actions(table: Table) -> Iterator[str]:
    """R12.2, R12.3: in the turn in which a tile is bought no action is done, before or after, and the tile is there."""
    position = table.position
    if not position.favour_bought:
        return
    if position.acted:
        yield "acted: true in a turn in which a favour was bought; expected false (R12.2)"
    if position.actions_left:
        yield f"actions_left: {position.actions_left} after a favour was bought; expected 0 (R12.3)"
    if not table.tiles(position.turn):
        yield f"favours owned: none by seat {position.turn} after it bought one; expected the tile (R12.2)"


def favour_is_being_paid(table: Table) -> Iterator[str]:
    """R12.2: markers are chosen for a tile that is his already, from more than are still to be paid."""
    position, action = table.position, table.action
    if not table.paying_favour:
        return
    if not position.favour_bought:
        yield "favour_bought: false at spend; expected true (R12.2)"
    held, owed = len(position.markers[position.turn]), action.remaining
    if not owed < held:
        yield f"markers of seat {position.turn}: {held} with {owed} to pay at spend; expected {owed + 1} or more (R12.2)"


def owned_favours_were_paid(table: Table) -> Iterator[str]:
    """R12.2: two markers of the owner lie face down for each tile, but for those that are being paid."""
    position = table.position
    for seat in table.seats:
        owed = 0
        if position.asked == "spend" and seat == position.turn:
            owed = table.action.remaining
        paid, price = len(position.used[seat]), FAVOUR_PRICE * len(table.tiles(seat)) - owed
        if paid < price:
            yield f"used of seat {seat}: {paid} markers; expected {price} or more, {FAVOUR_PRICE} for each favour (R12.2)"
