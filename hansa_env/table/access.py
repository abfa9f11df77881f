"""What somebody may do at a game: the host by key, guests and watchers by the link they were given."""

from __future__ import annotations

from typing import NamedTuple

from hansa_env.engine.state import OVER
from hansa_env.formats.missions import EVERYBODY, NOBODY
from hansa_env.table.guard import is_same
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import GUEST, HERE, STUDY


class Access(NamedTuple):
    """Attributes: is_host: pauses, paces and replaces agents; held: seats whose decisions are theirs."""

    is_host: bool
    held: frozenset[int]


def access_of(game: LiveGame, is_host: bool, token: str | None) -> Access | None:
    """What a key and a token allow, None: not even to look. A guest's link counts before the host's key."""
    if token:
        held = held_by_guest(game, token)
        if held:
            return Access(False, held)
        if is_same(token, game.kept.watch):
            return Access(False, frozenset())
        return None
    return Access(True, held_by_host(game)) if is_host else None


def held_by_host(game: LiveGame) -> frozenset[int]:
    """The seats for which the host's screen decides."""
    return frozenset(number for number, seat in enumerate(game.seats) if seat.kind in (HERE, STUDY))


def held_by_guest(game: LiveGame, token: str) -> frozenset[int]:
    """The seats whose link carries a token."""
    return frozenset(number for number, seat in enumerate(game.seats) if seat.kind == GUEST and is_same(token, seat.token))


def viewer_of(game: LiveGame, number: int, held: frozenset[int]) -> int:
    """Whose mission cards somebody sees of a position, as `hansa_env.formats.missions` has it: of his seat's; at a screen that
    decides for several, of the one that decides now; at a study of all."""
    if not game.line.ruleset.missions:
        return NOBODY
    if game.is_study:
        return EVERYBODY
    under_way = game.line.records[-1]
    decides = int(game.line.records[number]["seat"] if under_way["asked"] == OVER else under_way["seat"])
    return next(iter(held)) if len(held) == 1 else decides if decides in held else NOBODY


def covered_at(game: LiveGame, viewer: int, held: frozenset[int], uncovered: str | None) -> int | None:
    """The seat whose mission card lies covered (R11.1: nobody else at the screen may see it), None where none does.

    Args:
        viewer: from `viewer_of`.
        held: the seats for which the screen decides.
        uncovered: the seat that asked to see its card, as text.
    """
    is_shared = len(held) > 1 and not game.is_open
    return viewer if is_shared and viewer >= 0 and uncovered != str(viewer) else None
