"""The fields of an action under way, beside its verb: how each is written, read, and what it is where it means nothing.

Which of them mean something at a question is in its row of `hansa_env.formats.descriptions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hansa_env.formats.notation import piece_of_text, piece_text
from hansa_env.ruleset import MARKER_KINDS, TOKEN_KINDS, Ruleset


@dataclass(frozen=True)
class ActionField:
    """A field of an action.

    Attributes:
        name: in positions.
        blank: what it is where it means nothing.
        write: (ruleset, game record): what a position says.
        read: (ruleset, game record, what the position says, the position): put it into the record; not called with None.
        given_in: whether positions of a ruleset have the field.
        without: what rulesets are without that do not have it.
        may_be_left_out: readers do without it.
        needed: where it means something it is never null.
    """

    name: str
    blank: Any
    write: Callable[[Ruleset, np.void], Any]
    read: Callable[[Ruleset, np.void, Any, Mapping[str, Any]], None]
    given_in: Callable[[Ruleset], bool] = lambda ruleset: True
    without: Callable[[Ruleset], str] = lambda ruleset: ""
    may_be_left_out: bool = False
    needed: bool = False


def _route(ruleset: Ruleset, game: np.void) -> str | None:
    return ruleset.board_data.lanes[game["route"]].id if game["route"] >= 0 else None


def _read_route(ruleset: Ruleset, game: np.void, lane: str, position: Mapping[str, Any]) -> None:
    game["route"] = [one.id for one in ruleset.board_data.lanes].index(lane)


def _city(ruleset: Ruleset, game: np.void) -> str | None:
    return ruleset.board_data.cities[game["city"]].id if game["city"] >= 0 else None


def _read_city(ruleset: Ruleset, game: np.void, city: str, position: Mapping[str, Any]) -> None:
    game["city"] = [one.id for one in ruleset.board_data.cities].index(city)


def _victim(ruleset: Ruleset, game: np.void) -> str | None:
    owner = int(game["victim_owner"])
    return piece_text(ruleset, owner, int(game["victim_kind"])) if owner >= 0 else None


def _read_victim(ruleset: Ruleset, game: np.void, piece: str, position: Mapping[str, Any]) -> None:
    game["victim_owner"], game["victim_kind"] = piece_of_text(ruleset, piece)


def _marker_taken(ruleset: Ruleset, game: np.void) -> str | None:
    return MARKER_KINDS[game["marker_taken"]] if game["marker_taken"] >= 0 else None


def _read_marker_taken(ruleset: Ruleset, game: np.void, kind: str, position: Mapping[str, Any]) -> None:
    game["marker_taken"] = MARKER_KINDS.index(kind)


def _number(name: str) -> ActionField:
    """A number of the record as it is."""

    def read(ruleset: Ruleset, game: np.void, value: int, position: Mapping[str, Any]) -> None:
        game[name] = value

    return ActionField(name, 0, lambda ruleset, game: int(game[name]), read)


def _flag(name: str) -> ActionField:
    """A truth value of the record as it is."""

    def read(ruleset: Ruleset, game: np.void, value: bool, position: Mapping[str, Any]) -> None:
        game[name] = value

    return ActionField(name, False, lambda ruleset, game: bool(game[name]), read)


def _partner(ruleset: Ruleset, game: np.void) -> int:
    return int(game["partner"])


def _read_partner(ruleset: Ruleset, game: np.void, seat: int, position: Mapping[str, Any]) -> None:
    game["partner"] = seat


def _promos(ruleset: Ruleset) -> bool:
    return ruleset.promos


def _promos_and_favours(ruleset: Ruleset) -> bool:
    """R12.2: used tokens may have paid for a tile, so that they do not tell which one is being laid."""
    return ruleset.promos and bool(ruleset.favours)


def _without(ruleset: Ruleset) -> str:
    return "favours" if ruleset.promos else "promo markers"


def laying(position: Mapping[str, Any]) -> str:
    """R13.8: the token that is being laid, told by the action or by the used markers."""
    used = position["used"][position["turn"]]
    return position["action"].get("laying") or next(kind for kind in TOKEN_KINDS if kind in used)


#: In the order of positions.
ACTION_FIELDS = (
    ActionField("route", None, _route, _read_route, needed=True),
    ActionField("city", None, _city, _read_city, needed=True),
    ActionField("victim", None, _victim, _read_victim, needed=True),
    _flag("settled"),
    _number("remaining"),
    ActionField("marker_taken", None, _marker_taken, _read_marker_taken),
    ActionField("partner", None, _partner, _read_partner, _promos, _without, needed=True),
    ActionField("laying", None, _marker_taken, _read_marker_taken, _promos_and_favours, _without, may_be_left_out=True),
    _flag("pile_ran_out"),
)
