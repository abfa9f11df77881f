"""The action in progress: the hand, what remains to do, the route it is about (R3.3, R4, R5, R6)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.favours import FAVOUR_PRICE
from hansa_env.formats.description import REMOVING
from hansa_env.formats.descriptions import row_within
from hansa_env.formats.errors import shown
from hansa_env.formats.fields import BOOK
from hansa_env.formats.invariants import countries, permanent_markers, promo_markers
from hansa_env.formats.table import RELOCATING, Table
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
        low, high = 1, 3
    elif asked in ("fetch", "land", "send") or (action.verb in MOVERS and asked == "victim"):
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
    if position.asked in ("pay", *RELOCATING) and not any(piece[0] == str(position.turn) for piece in pieces):
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
    row = row_within(position.asked, table.action.verb if table.action else None)
    kind = row.marker if row else None
    kind = table.ruleset.removing_marker if kind == REMOVING else kind
    if kind in MARKER_KINDS and kind not in position.used[position.turn]:
        yield f"used of seat {position.turn}: no {kind} at {position.asked}; expected the one being used (R6.1)"


def question_can_be_answered(table: Table) -> Iterator[str]:
    """An action is offered only when it can be carried through, so that every question has a legal decision.

    The engine finds that too, but cannot say what is lacking, and takes for granted some of it, as a marker on the plate.
    """
    check = ANSWERS.get(table.position.asked)
    expected = check(table) if check else None
    if expected:
        yield f"asked: {table.position.asked} has no answer; expected {expected}"


def displaceable(table: Table, lane: str) -> bool:
    """R4.1: an opponent's piece on the lane that the supply can displace; by a merchant on ship posts (R9.4)."""
    turn = table.position.turn
    traders, merchants = table.position.supply[turn]
    if not (merchants or table.open_to(lane, "t")):
        return False
    return any(piece[0] != str(turn) and traders + merchants >= 2 + (piece[1] == "m") for piece in table.posts[lane])


def _displace(table: Table) -> str | None:
    lanes = [lane for lane in table.posts if table.within_pawn(lane) and countries.permitted(table, lane)]
    found = any(displaceable(table, lane) for lane in lanes)
    return None if found else "a piece that the supply can displace (R4.1)"


def _victim(table: Table) -> str | None:
    action = table.action
    if action is None:
        return None if any(table.posts.values()) else "a piece on a post"
    if action.verb != "displace":
        if action.verb == "move-three" and not promo_markers.of_others(table, action.route):
            return f"a piece of others on {action.route} (R13.3)"
        rule = "R6.4" if action.verb == "remove" else "R9.14"
        return None if table.posts[action.route] else f"a piece on {action.route} ({rule})"
    return None if displaceable(table, action.route) else f"a piece on {action.route} that the supply can displace (R4.1)"


def _relocate(table: Table) -> str | None:
    action = table.action
    hand = table.position.hand or ["t"] * (action is not None and action.victim == "nt")
    if hand and table.facts.board.regions:
        return None if countries.lanes_to_relocate_to(table, hand[0]) else "a free post where the piece in hand may go (R10.11)"
    if hand and not table.free_elsewhere(action.route if action else None, hand[0]):
        return "a free post on another route (R4.5)"
    return None


def _lift(table: Table) -> str | None:
    own = str(table.position.turn)
    found = table.position.hand or any(piece[0] == own for row in table.posts.values() for piece in row)
    return None if found else f"a piece of seat {own} on a post (R3.3)"


def _put(table: Table) -> str | None:
    hand = table.position.hand
    if table.facts.board.regions:
        return countries.put(table)
    return None if table.room_for(hand) else f"{len(hand)} free posts{' that fit' if table.facts.ships else ''} (R3.3)"


def _exchange(table: Table) -> str | None:
    cities = [table.action.city] if table.action and table.action.city else table.offices
    owners = ([piece[0] for piece in table.offices[city]] for city in cities)
    pairs = [{left, right} for row in owners for left, right in zip(row, row[1:]) if left != right]
    if table.ruleset.edition == "bigbox":  # R13.1
        pairs = [pair for pair in pairs if str(table.position.turn) in pair]
        return None if pairs else f"neighbouring offices of different owners, one of seat {table.position.turn} (R13.1)"
    return None if pairs else "neighbouring offices of different owners (R6.3)"


def _remove(table: Table) -> str | None:
    first = table.action is not None and table.action.remaining == 3
    return "a piece on a post (R6.4)" if first and not any(table.posts.values()) else None


def _marker(table: Table) -> str | None:
    if not table.position.plate[table.position.turn]:
        return f"a marker on the plate of seat {table.position.turn} (R6.7)"
    for route in table.facts.routes.values():
        empty = route.marker_allowed and route.id not in table.position.route_markers and not table.pieces_of(route.id)
        if empty and not all(table.full(city) for city in route.cities):
            return None
    return "an empty route for the marker (R6.7)"


def _neutral(table: Table) -> str | None:
    for route in table.whole_for("n"):
        if not all(table.full(city) for city in table.facts.routes[route].cities):
            return None
    return "an empty space in a city of the neutral player's route (R8.2.3)"


def _tithe(table: Table) -> str | None:
    seat = table.position.seat
    return None if seat is not None and any(table.position.stock[seat]) else f"a piece in the stock of seat {seat} (R12.4)"


ANSWERS = {
    "displace": _displace, "victim": _victim, "relocate": _relocate, "lift": _lift, "put": _put, "exchange": _exchange,
    "pair": _exchange, "remove": _remove, "marker": _marker, "neutral": _neutral, "tithe": _tithe,
    **permanent_markers.ANSWERS, **promo_markers.ANSWERS,
}  # fmt: skip
