"""Which fields the question asked calls for (`rulebook/notation.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.formats.action_fields import ACTION_FIELDS
from hansa_env.formats.errors import shown
from hansa_env.formats.find_question import rows_named
from hansa_env.formats.position_on_board import Table


def reason_is_given_when_over(table: Table) -> Iterator[str]:
    """R7.1, R7.8: a game that is over has a reason, and no other has; nobody decides and no action is left."""
    position = table.position
    if table.over != (table.reason is not None):
        yield f"reason: {shown(table.reason)} at {position.asked}; expected {'a reason' if table.over else 'null'}"
    if table.over and position.actions_left:
        yield f"actions_left: {position.actions_left} at over; expected 0"
    if table.over and position.legal:
        yield f"legal: {len(position.legal)} decisions at over; expected none"


def pawn_is_there_in_its_variant(table: Table) -> Iterator[str]:
    """R8.1: the pawn stands in a province from its set-up on, in its variant only."""
    position, variant = table.position, table.ruleset.two_players == "pawn"
    if (position.pawn is not None) != (variant and position.asked != "pawn"):
        yield f"pawn: {shown(position.pawn)} at {position.asked}; expected {'null' if position.pawn else 'a province'}"
    if (position.pawn_free is not None) != variant:
        expected = "true or false in the pawn variant" if variant else "null without a pawn"
        yield f"pawn_free: {shown(position.pawn_free)}; expected {expected}"


def question_is_asked_in_this_game(table: Table) -> Iterator[str]:
    """R8.1, R8.2, R9.14, R12, R13: what a variant, a module, a board or a marker asks is asked in games with it."""
    asked, verb = table.position.asked, table.action.verb if table.action else None
    rows = rows_named(asked)
    if rows and not any(row.asked_in(table.ruleset) for row in rows):
        yield f"asked: {asked}; expected another question {rows[0].without}"
        return
    row = table.row
    if row is not None and not row.asked_in(table.ruleset):
        yield f"action verb: {verb} at {asked}; expected another {row.without}"


def action_fits_the_question(table: Table) -> Iterator[str]:
    """The notation's list of what `action` says at which question."""
    asked, action = table.position.asked, table.action
    verbs = [row.verb for row in rows_named(asked) if row.verb is not None]
    if action is None or not verbs:
        if verbs:
            yield f"action: null at {asked}; expected {' or '.join(dict.fromkeys(verbs))}"
        elif action is not None:
            yield f"action: {action.verb} at {asked}; expected null"
        return
    row = table.row
    if row is None:
        yield f"action verb: {action.verb} at {asked}; expected {' or '.join(dict.fromkeys(verbs))}"
        return
    for field in ACTION_FIELDS:
        value, used = getattr(action, field.name), field.name in row.context
        if not used and value != field.blank:
            yield f"action {field.name}: {shown(value)} at {asked}; expected {shown(field.blank)}"
        elif used and field.needed and value is None:
            yield f"action {field.name}: null at {asked}; expected a {field.name}"


def the_right_seat_is_asked(table: Table) -> Iterator[str]:
    """R2.1, R4.2, R8.1.2, R8.2.2, R13.6: the active player, but for the pawn's set-up, relocations and tributes."""
    position = table.position
    allowed = seats_asked(table)
    if position.seat not in allowed:
        expected = " or ".join(map(shown, allowed)) or "another question, for no seat may be asked this one"
        yield f"seat: {shown(position.seat)} is asked {position.asked} in the turn of seat {position.turn}; expected {expected}"


def seats_asked(table: Table) -> list[int | None]:
    """Who may be asked the question."""
    position = table.position
    if table.over:
        return [None]
    return (table.row or rows_named(position.asked)[0]).asked_of(table)
