"""Which fields the question asked calls for (`rulebook/notation.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.formats.errors import shown
from hansa_env.formats.invariants import promo_markers
from hansa_env.formats.table import MOVING, PERMANENT, SHARED_PERMANENT, Table

#: By question: the verbs of the action it may belong to, and the fields of the action that then mean something.
#: `route`, `city` and `victim` are then given, never null.
FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "displace": {"displace": ()},
    "victim": {
        "displace": ("route",),
        "remove": ("route", "remaining"),
        "permanent": ("route", "remaining"),
        "move-three": ("route", "remaining"),
    },
    "with": {
        "displace": ("route", "victim"),
        "claim": ("route", "city", "marker_taken", "pile_ran_out"),
        "permanent": ("city",),
    },
    "pay": {"displace": ("route", "victim", "remaining"), "place": ("remaining",)},
    "relocate": {"displace": ("route", "victim", "settled", "remaining", "pile_ran_out")},
    "neutral": {"displace": ("route", "victim", "settled", "remaining", "pile_ran_out")},
    "lift": {"move": ("remaining",)},
    "put": {"move": ()},
    "reward": {"claim": ("route", "marker_taken", "pile_ran_out")},
    "extra": {"claim": ("route", "marker_taken", "pile_ran_out")},
    "exchange": {"exchange": ()},
    "pair": {"exchange": ("city",)},
    "remove": {"remove": ("remaining",)},
    "ride": {"ride": ()},
    "fetch": {"permanent": ("remaining",), "move-three": ("remaining",)},
    "drop": {"permanent": (), "move-three": ()},
    "permanent": {"permanent": ()},
    "green": {"permanent": ()},
    "land": {"permanent": ("remaining",)},
    "spend": {"favour": ("remaining",), "trade-in": ("partner",)},
    "tithe": {"income": ()},
    "trade-in": {"trade-in": ()},
    "token": {"token": ("laying",)},
    "tribute": {"claim": ("route", "city", "remaining", "pile_ran_out"), "permanent": ("city", "remaining")},
    "send": {"permanent": ("remaining",)},
}
#: R13.5-R13.8: what is asked with promo markers only.
OF_PROMOS = ("trade-in", "token", "tribute")
BLANK = {
    "route": None, "city": None, "victim": None, "settled": False, "remaining": 0, "marker_taken": None,
    "pile_ran_out": False, "partner": None, "laying": None,
}  # fmt: skip
NEEDED = ("route", "city", "victim", "partner")


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
    if position.asked in ("pawn", "ride") and not variant:
        yield f"asked: {position.asked}; expected another question without a pawn"
    if position.asked == "neutral" and not table.with_neutral:
        yield "asked: neutral; expected another question without neutral traders"


def favours_are_played_with(table: Table) -> Iterator[str]:
    """R12: what favours ask is asked in games with them."""
    asked, verb = table.position.asked, table.action.verb if table.action else None
    if not table.ruleset.favours and (asked == "tithe" or verb == "favour"):
        yield f"asked: {table.position.asked}; expected another question without favours"


def permanent_marker_is_on_the_board(table: Table) -> Iterator[str]:
    """R9.14: what a permanent marker asks is asked on boards that have it."""
    asked = table.position.asked
    marker = PERMANENT.get(asked)
    shared = asked in MOVING and table.ruleset.moves_three
    if marker and marker not in table.facts.permanent and not shared:
        yield f"asked: {asked}; expected another question on a board without the permanent marker {marker}"
    elif table.action is not None and table.action.verb == "permanent":
        marker = (PERMANENT | SHARED_PERMANENT).get(asked)
        if marker and marker not in table.facts.permanent:
            yield f"action verb: permanent at {asked}; expected another on a board without the permanent marker {marker}"


def marker_asks_what_it_does(table: Table) -> Iterator[str]:
    """R13.2-R13.8: what promo markers ask is asked with them only; pieces are moved or removed, as the marker says."""
    asked, verb = table.position.asked, table.action.verb if table.action else None
    if not table.ruleset.promos and (asked in OF_PROMOS or verb in ("place", "trade-in")):
        yield f"asked: {asked}{f' of {verb}' if verb == 'place' else ''}; expected another question without promo markers"
    if table.ruleset.moves_three and (asked == "remove" or verb == "remove"):
        yield f"asked: {asked} of a removal; expected another question where pieces are moved instead (R13.3)"
    if not table.ruleset.moves_three and verb == "move-three":
        yield f"action verb: move-three at {asked}; expected another where pieces are removed instead (R6.4)"


def action_fits_the_question(table: Table) -> Iterator[str]:
    """The notation's list of what `action` says at which question."""
    asked, action = table.position.asked, table.action
    verbs = FIELDS.get(asked)
    if action is None or verbs is None:
        if verbs is not None:
            yield f"action: null at {asked}; expected {' or '.join(verbs)}"
        elif action is not None:
            yield f"action: {action.verb} at {asked}; expected null"
        return
    if action.verb not in verbs:
        yield f"action verb: {action.verb} at {asked}; expected {' or '.join(verbs)}"
        return
    used = verbs[action.verb]
    for name, blank in BLANK.items():
        value = getattr(action, name)
        if name not in used and value != blank:
            yield f"action {name}: {shown(value)} at {asked}; expected {shown(blank)}"
        elif name in used and name in NEEDED and value is None:
            yield f"action {name}: null at {asked}; expected a {name}"


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
    if position.asked == "pawn":
        return [1]
    if position.asked == "tithe":  # R12.4
        owner = table.owner_of_tile("tithe")
        return [] if owner in (None, position.turn) else [owner]
    if position.asked == "tribute":
        return promo_markers.seats_of_tribute(table)
    if position.asked != "relocate":
        return [position.turn]
    others: list[int | None] = [seat for seat in table.seats if seat != position.turn]
    if table.action is None or table.action.victim in (None, "nt"):
        return others
    return [int(table.action.victim[0])]
