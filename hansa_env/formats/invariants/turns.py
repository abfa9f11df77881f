"""Turns, actions left, prestige and the end of the game (R2, R7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hansa_env.engine.state import END_BY_LIMIT
from hansa_env.formats.fields import ACTIONS, MOST_PRESTIGE
from hansa_env.formats.position_on_board import Table

#: Verbs of the five actions and the ride: the action is deducted from those left.
ACTION_VERBS = ("displace", "move", "claim", "ride", "permanent", "income", "place")


def turn_follows_the_turns_completed(table: Table) -> Iterator[str]:
    """R2.1: seats move in order from seat 0. A cut-off counts the turn that it ends."""
    position = table.position
    turn = (position.turns - (table.reason == END_BY_LIMIT)) % table.ruleset.players
    if position.turn != turn:
        yield f"turn: {position.turn} after {position.turns} turns completed; expected {turn}"


def actions_left_were_granted(table: Table) -> Iterator[str]:
    """R2.1, R2.2, R6.6, R12.4: what the actions ability shows now, one more with the tile `action`, and the +3 and +4 used this
    turn, less the actions taken."""
    if table.over or table.position.favour_bought:
        return
    position, seat = table.position, table.position.turn
    used = position.used[seat]
    shows = ACTIONS[position.abilities[seat].actions] + ("action" in table.tiles(seat))
    granted = {shows + 3 * a + 4 * b for a in range(used.count("+3") + 1) for b in range(used.count("+4") + 1)}
    if within_action(table):
        if not position.acted:
            yield f"acted: false at {position.asked}; expected true within an action"
        if position.actions_left > max(granted) - 1:
            yield f"actions_left: {position.actions_left} within an action; expected at most {max(granted) - 1}"
    elif position.acted:
        most = max(granted) - 1
        if position.actions_left > most:
            yield f"actions_left: {position.actions_left}; expected at most {most}"
    elif position.actions_left not in granted:
        expected = " or ".join(map(str, sorted(granted)))
        yield f"actions_left: {position.actions_left} before the first action; expected {expected}"


def within_action(table: Table) -> bool:
    """Whether an action (not a marker) is in progress."""
    return table.action is not None and table.action.verb in ACTION_VERBS


def nothing_happened_before_the_pawn_is_set_up(table: Table) -> Iterator[str]:
    """While the pawn is being set up (R8.1.2) everything else is as dealt (R1.3, R1.5)."""
    position = table.position
    if position.asked != "pawn":
        return
    start = {
        "turn": position.turn == 0,
        "posts": not any(table.posts.values()),
        "offices": not any(table.offices.values()),
        "abilities": not any(sum(desk.__dict__.values()) for desk in position.abilities),
        "supply": all(supply == (5 + seat, 1) for seat, supply in enumerate(position.supply)),
        "prestige": not any(position.prestige),
        "pile": position.pile == table.facts.pile_size,
        "favours": not any(map(table.tiles, table.seats)),
        "turns": position.turns == 0,
        "acted": not position.acted,
        "pawn_free": position.pawn_free,
    }
    for name, as_dealt in start.items():
        if not as_dealt:
            yield f"{name}: not as at the start of the game; expected so before the pawn is set up (R8.1.2)"


def prestige_ends_the_game(table: Table) -> Iterator[str]:
    """R7.1: the game ends with the action in which a seat comes to 20; within it a claim may have scored already."""
    position = table.position
    for seat in table.seats:
        most = most_prestige(table, seat)
        if position.prestige[seat] > most:
            yield f"prestige of seat {seat}: {position.prestige[seat]} at {position.asked}; expected 0 to {most} (R7.1)"
    if table.reason == "prestige" and max(position.prestige) < table.facts.prestige_to_end:
        yield f"reason: prestige, with {max(position.prestige)} at most; expected {table.facts.prestige_to_end} or more (R7.1)"


def most_prestige(table: Table, seat: int) -> int:
    """The most a seat can stand at: 19, then 2 from the cities of a claim (R5.1), twice where the neutral player claims
    two routes (R8.2.3); the claimer gains more at the end of the claim (R5.5, R5.7), before its permanent marker (R9.14)."""
    position, before = table.position, table.facts.prestige_to_end - 1
    if table.over:
        if table.reason != "prestige":
            return before
        return MOST_PRESTIGE if seat == position.turn else before + (4 if table.with_neutral else 2)
    if table.permanent or position.asked == "tribute":
        return MOST_PRESTIGE if seat == position.turn else before + 2
    if table.claiming:
        return before + 2
    if table.with_neutral and position.asked == "neutral":
        return before + (2 if table.action.remaining > 0 else 4)
    if table.with_neutral and position.asked == "relocate":
        return before + 2
    return before


def link_and_coins_are_scored(table: Table) -> Iterator[str]:
    """R5.5, R5.7: the coins of own offices, while none was exchanged, and 7, 4, 2 for the first, second and third to make
    the link; prestige is never lost."""
    position = table.position
    points = Counter(dict(zip(position.linked, table.facts.board.link_points)))
    if not table.exchanges:
        for city, pieces in table.offices.items():
            for piece, space in zip(pieces, table.facts.spaces[city]):
                if space.prestige and piece != "nt":
                    points[int(piece[0])] += space.prestige
    for seat, least in points.items():
        if position.prestige[seat] < least:
            found = f"prestige of seat {seat}: {position.prestige[seat]}"
            yield f"{found}; expected {least} or more, from link and coins (R5.5, R5.7)"


def completed_cities_end_the_game(table: Table) -> Iterator[str]:
    """R7.1: the action that completes the tenth city is the last; within it only relocations go on (R8.2.3) and permanent
    markers (R9.14). Its claim completes one city, the neutral player's another, and so does an office in a green city."""
    position, end = table.position, table.facts.board.completed_cities_to_end
    claims = table.permanent or position.asked == "tribute"
    claims = claims or (table.with_neutral and position.asked in ("relocate", "neutral"))
    another = table.with_neutral or "office-in-green-city" in table.facts.permanent
    most = end - 1 + (1 if table.over or claims else 0) + (1 if table.over and another else 0)
    if table.reason in ("stalled", END_BY_LIMIT):
        most = end - 1
    if position.completed > most:
        yield f"completed: {position.completed} at {position.asked}; expected 0 to {most} (R7.1)"
    if table.reason == "cities" and position.completed < end:
        yield f"reason: cities, with {position.completed} completed; expected {end} (R7.1)"
    if table.reason == "markers" and position.pile:
        yield f"reason: markers, with a pile of {position.pile}; expected an empty pile (R7.1)"


def stalled_turns_end_the_game(table: Table) -> Iterator[str]:
    """The game ends when every seat in a row has had a turn without a possible decision (R7.8)."""
    stalled, players = table.position.stalled, table.ruleset.players
    if table.reason == "stalled":
        if stalled != players:
            yield f"stalled: {stalled} at the end by stalling; expected {players} (R7.8)"
    elif stalled >= players:
        yield f"stalled: {stalled}; expected 0 to {players - 1} (R7.8)"
