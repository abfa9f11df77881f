"""The action in progress: the hand, what remains to do, the route it is about (R3.3, R4, R5, R6)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.favours import FAVOUR_PRICE
from hansa_env.engine.rules.permanent_markers import MOST_LANDED
from hansa_env.engine.rules.send import MOST_SENT
from hansa_env.engine.rules.use_markers import MOST_REMOVED
from hansa_env.formats.description import REMOVING
from hansa_env.formats.errors import shown
from hansa_env.formats.fields import BOOK
from hansa_env.formats.invariants import permanent_markers, promo_markers
from hansa_env.formats.position_on_board import Table
from hansa_env.ruleset import MARKER_KINDS

#: The verbs by which anyone's pieces are lifted (R9.14a, R13.3).
MOVERS = ("permanent", "move-three")


def displacing(table: Table) -> bool:
    """Whether a displacement is known to be in progress, its route chosen."""
    return table.action is not None and table.action.verb == "displace" and table.position.asked != "displace"


def hand_fits_the_question(table: Table) -> Iterator[str]:
    """R3.3, R4.1, R4.2, R4.4, R9.14: pieces are in hand while they are moved or relocated, never else."""
    position = table.position
    hand, low, high = position.hand, 0, 0
    book = BOOK[position.abilities[position.turn].book]
    if position.asked == "put":
        low, high = 1, book
    elif position.asked == "lift":
        low = high = book - table.action.remaining
    elif position.asked == "pay" and table.action.verb == "place":
        high = 0
    elif position.asked == "pay" or (position.asked == "with" and not table.claiming and not table.permanent):
        low, high = 1, 1
    elif position.asked == "drop":
        low, high = 1, table.most_lifted
    elif position.asked == "tribute":
        low, high = promo_markers.hand_at_a_tribute(table)
    elif position.asked == "send":
        high = 1
    elif position.asked == "land":
        low, high = permanent_markers.hand_after_a_claim(table)
    elif position.asked == "fetch" or (position.asked == "victim" and (table.facts.permanent or table.ruleset.moves_three)):
        low = high = table.most_lifted - table.action.remaining if table.action.verb in MOVERS else 0
    elif position.asked == "relocate":
        low, high = (0 if table.action.settled else 1), 1
    if not low <= len(hand) <= high:
        yield f"hand: {len(hand)} pieces at {position.asked}; expected {low if low == high else f'{low} to {high}'}"
    elif displacing(table) and hand:
        yield from displaced_piece_is_in_hand(table)


def displaced_piece_is_in_hand(table: Table) -> Iterator[str]:
    """R4.1, R4.4: the displaced piece itself, or, when it is settled, one lifted for want of any other."""
    action, position = table.action, table.position
    if not action.settled:
        if position.hand != [action.victim[1]]:
            yield f"hand: {position.hand[0]}; expected the displaced {action.victim}"
        return
    if action.victim == "nt":
        yield f"hand: {position.hand[0]} after the neutral trader was put down; expected nothing (R8.2.2)"
        return
    owner = int(action.victim[0])
    if sum(position.supply[owner]) + sum(position.stock[owner]):
        yield f"hand: {position.hand[0]} lifted by seat {owner}; expected nothing while supply or stock have pieces (R4.4)"


def remaining_fits_the_question(table: Table) -> Iterator[str]:
    """What remains of the action fits its question: penalty pieces to pay (R4.1), pieces to lift (R3.3), to remove (R6.4), to
    add to a relocation (R4.2, R8.2.2), to lift or put down by a permanent marker (R9.14) or move-three (R13.3), markers to pay
    (R12.2), tributes due (R13.6), or pieces to pay for blocks (R13.7)."""
    action, asked = table.action, table.position.asked
    if action is None:
        return
    merchant = action.victim is not None and action.victim[1] == "m"
    if action.verb == "place":
        low, high = 1, promo_markers.most_blocks(table)
    elif asked == "tribute":
        low, high = 1, len(table.tributes(action.city))
    elif asked == "pay":
        low, high = 1, 1 + merchant
    elif asked == "lift":
        low, high = 1, BOOK[table.position.abilities[table.position.turn].book]
    elif action.verb == "remove":
        low, high = 1, MOST_REMOVED
    elif asked == "land":
        low, high = 1, MOST_LANDED
    elif asked == "send":
        low, high = 1, MOST_SENT
    elif asked == "fetch" or (action.verb in MOVERS and asked == "victim"):
        low, high = 1, table.most_lifted
    elif asked == "neutral":
        low, high = 0, 1
    elif action.verb == "favour":
        low, high = 1, FAVOUR_PRICE
    elif asked == "relocate":
        low, high = still_to_add(table)
    else:
        return
    if not low <= action.remaining <= high:
        yield f"action remaining: {action.remaining} at {asked}; expected {low if low == high else f'{low} to {high}'}"


def still_to_add(table: Table) -> tuple[int, int]:
    """R4.2, R4.4, R12.4: 1 further piece for a trader, 2 for a merchant or with `escort`; one lifted counts already."""
    action = table.action
    most = 2 if table.displaced_owner_has("escort") else 1 + (action.victim[1] == "m")
    if action.settled:
        return (0, most - 1) if table.position.hand else (1, most)
    return (most, most) if action.victim == "nt" else (0, most)


def displacement_is_paid_for(table: Table) -> Iterator[str]:
    """R4.1: the supply covers the displacing piece and the penalty."""
    position, action = table.position, table.action
    if table.claiming or table.permanent or position.asked not in ("displace", "victim", "with", "pay"):
        return
    needed = 2
    if action.verb in ("remove", "move-three"):
        needed = 0
    elif position.asked == "with":
        needed = 2 + (action.victim[1] == "m")
    elif position.asked == "pay":
        needed = action.remaining
    if sum(position.supply[position.turn]) < needed:
        have = sum(position.supply[position.turn])
        yield f"supply of seat {position.turn}: {have} pieces at {position.asked}; expected {needed} or more (R4.1)"


def displacer_stands_on_the_route(table: Table) -> Iterator[str]:
    """R4.1, R4.3, R8.1.4, R8.2.2: the victim was an opponent's; his post is free, then it is the displacing player's."""
    if not displacing(table):
        return
    position, action = table.position, table.action
    pieces = table.posts[action.route]
    if not table.within_pawn(action.route):
        yield f"action route: {action.route}; expected one that borders the pawn's province {position.pawn} (R8.1.4)"
    if action.victim is not None and action.victim[0] == str(position.turn):
        yield f"action victim: {action.victim} in the turn of seat {position.turn}; expected an opponent's piece (R4.1)"
    if position.asked == "with" and not table.free(action.route):
        yield f"posts {action.route}: full at with; expected the displaced piece's post free (R4.1)"
    if (position.asked == "pay" or table.relocating) and not any(piece[0] == str(position.turn) for piece in pieces):
        yield f"posts {action.route}: no piece of seat {position.turn}; expected the displacing one (R4.1)"
    if position.asked == "neutral" and (action.victim != "nt" or not action.settled):
        yield f"action victim: {action.victim}, settled {shown(action.settled)}; expected nt, settled, at neutral (R8.2.3)"


def claimed_route_is_held(table: Table) -> Iterator[str]:
    """R5, R5.3, R8.1.4: every post of the route is the active player's until the claim is finished; its marker is taken."""
    position = table.position
    if not table.claiming:
        return
    owner = str(position.turn)
    routes = [route for route in table.whole_for(owner) if table.within_pawn(route) and route not in position.route_markers]
    if table.action.route not in routes:
        yield (
            f"action route: {table.action.route}; expected one wholly held by seat {owner}, "
            f"without a marker{', that borders the pawn' if position.pawn else ''} (R5)"
        )


def extra_office_city_is_on_the_route(table: Table) -> Iterator[str]:
    """R6.2, R9.7: one of the two cities, with an office already or green."""
    action = table.action
    if action is None or action.verb != "claim" or table.position.asked in ("reward", "tribute"):
        return
    cities = [city for city in table.facts.routes[action.route].cities if table.may_have_extra(city)]
    if not cities:
        yield f"action route: {action.route}; expected an office in one of its cities for an extra one (R6.2)"
    elif action.city is not None and action.city not in cities:
        yield f"action city: {action.city}; expected {' or '.join(cities)} (R6.2)"


def used_marker_lies_face_down(table: Table) -> Iterator[str]:
    """R6.1: a marker counts as used as soon as it is chosen."""
    position = table.position
    kind = table.row.marker if table.row else None
    kind = table.ruleset.removing_marker if kind == REMOVING else kind
    if kind in MARKER_KINDS and kind not in position.used[position.turn]:
        yield f"used of seat {position.turn}: no {kind} at {position.asked}; expected the one being used (R6.1)"
