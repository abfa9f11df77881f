"""The observation vector of one seat: which slice holds what.

Everything a player at the table can see and nothing else. Seats are relative to the observing seat (0 = oneself, 1 =
next clockwise, ...); in the neutral variant the neutral player comes last among the owners. Values are int8 counts or
0/1 flags; `high` is the largest value of a field, for those who want to scale.

Fields belong to four blocks. Those of the blocks "seats", "routes" and "cities" have the seat, route or city as their last
axis, so that a block is a view of the vector, one row of columns per seat, route or city (`ObservationBlock.view`).
"""

from __future__ import annotations

import builtins
import hashlib
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np

from hansa_env.engine.questions import action_verbs_of, questions_of
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.state import GREEN_SPACES, LIFTED
from hansa_env.ruleset import FAVOURS, PROMOS_OF_A_KIND, TOKEN_KINDS, Ruleset

#: Raised whenever an entry of the vector changes its place or meaning.
OBSERVATION_VERSION = 2
MOST = 127  # points are cut off here

BLOCKS = ("global", "seats", "routes", "cities")
_GLOBAL = (
    "question", "action", "actions_left", "remaining", "flags", "hand", "victim", "completed", "pile", "unseen", "pawn",
    "lifted", "at_sea", "green_offices", "permissions", "foreign", "lifted_from", "favours_shown", "favour_bought",
    "laying",
)  # fmt: skip
_SEATS = (
    "decider", "turn", "supply", "stock", "prestige", "abilities", "markers", "used", "plate", "linked",
    "prestige_spaces", "scores", "gateways", "favours", "partner",
)  # fmt: skip
_ROUTES = ("posts", "vacant", "route_marker", "route", "ship_posts", "ship_vacant", "tributes", "blocks")
_CITIES = ("offices", "control", "extras", "extra_place", "city", "placed", "mission")
#: Names in order, of every board and module; the engine's observer counts on this order.
OBSERVATION_FIELDS = (*_GLOBAL, *_SEATS, *_ROUTES, *_CITIES)


@dataclass(frozen=True)
class ObservationField:
    """One named slice of the observation vector."""

    name: str
    block: str
    start: int
    shape: tuple[int, ...]
    high: int
    meaning: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True)
class ObservationBlock:
    """A block of the observation vector of length `size`: `rows` seats, routes or cities (1 for "global") of `columns` each."""

    name: str
    start: int
    rows: int
    columns: int
    fields: tuple[ObservationField, ...]
    size: int

    @property
    def slice(self) -> slice:
        return slice(self.start, self.start + self.rows * self.columns)

    def view(self, observations: Any) -> Any:
        """The block of observations (..., D), NumPy or torch, as (..., rows, columns): a view, nothing is copied.

        Raises ValueError where they are not of this length, as those of another ruleset. TypeError: they are no array.
        """
        if not hasattr(observations, "shape"):
            given = type(observations).__name__
            raise TypeError(f"observations are a {given}; expected an array (..., {self.size}), of NumPy or torch")
        if not observations.shape or observations.shape[-1] != self.size:
            raise ValueError(f"observations of shape {tuple(observations.shape)}; expected (..., {self.size}), of this ruleset")
        part = observations[..., self.slice]
        return part.reshape(*part.shape[:-1], self.columns, self.rows).swapaxes(-1, -2)

    def columns_of(self, field: str) -> builtins.slice:
        """The columns that a field takes in `view`; its axes but the last are flattened.

        Raises ValueError where the block has no such field.
        """
        found = next((f for f in self.fields if f.name == field), None)
        if found is None:
            names = ", ".join(f.name for f in self.fields)
            raise ValueError(f"the block {self.name!r} has no field {field!r}; expected one of {names}")
        first = (found.start - self.start) // self.rows
        return slice(first, first + found.size // self.rows)


def _described(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """Shape, largest value and meaning of each field that a ruleset has."""
    described = _base_fields(ruleset)
    if ruleset.board_data.maritime or ruleset.moves_three:
        described |= _lifted_fields(ruleset)
    if ruleset.board_data.maritime:
        described |= _maritime_fields(ruleset)
    if any(city.green for city in ruleset.board_data.cities):
        described |= _green_fields(ruleset)
    if ruleset.board_data.regions:
        described |= _country_fields(ruleset)
    if ruleset.missions:
        described["mission"] = ((len(ruleset.board_data.cities),), 1, "city of the observing seat's own mission card (R11)")
    if ruleset.favours:
        described |= _favour_fields(ruleset)
    if ruleset.promos:
        described |= _promo_fields(ruleset)
    if _tokens_may_look_alike(ruleset):
        described["laying"] = ((len(TOKEN_KINDS),), 1, f"token being laid (R13.8), one-hot: {', '.join(TOKEN_KINDS)}")
    return described


def _tokens_may_look_alike(ruleset: Ruleset) -> bool:
    """Whether used markers do not tell which token is being laid: tribute and block may both have paid for favours (R12.2)."""
    counts = dict(zip(ruleset.marker_kinds, ruleset.marker_counts))
    return bool(ruleset.favours) and all(counts.get(kind) for kind in TOKEN_KINDS)


def _favour_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R12."""
    tiles = f"Emperor's Favour tiles, {', '.join(FAVOURS)}"
    return {
        "favours_shown": ((len(FAVOURS),), 1, f"on display of the {tiles}"),
        "favour_bought": ((1,), 1, "one was bought this turn, which has no actions"),
        "favours": ((len(FAVOURS), ruleset.players), 1, f"owned of the {tiles}"),
    }


def _lifted_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R9.14a, R13.3: pieces of anyone's in hand."""
    meaning = "piece in hand, the one lifted first first: owner and kind, one-hot"
    return {"lifted": ((LIFTED, ruleset.players, 2), 1, meaning)}


def _promo_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R13.5-R13.8: the seat traded with, and tokens."""
    seats, routes = ruleset.players, len(ruleset.board_data.routes)
    return {
        "partner": ((seats,), 1, "the seat of whose used markers one is taken"),
        "tributes": ((seats, routes), PROMOS_OF_A_KIND, "tribute tokens of a seat above a route"),
        "blocks": ((seats, routes), PROMOS_OF_A_KIND, "block tokens of a seat above a route"),
    }


def _country_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R10: permissions, and the limits of pieces that were lifted abroad."""
    board = ruleset.board_data
    gateways, countries = len(board.gateways), ", ".join(board.countries)
    return {
        "permissions": ((gateways,), 1, f"permission used this turn: {', '.join(board.gateways)}"),
        "foreign": ((len(board.regions), 2), 5, "traders, merchants of a move that may still be put in a region"),
        "lifted_from": ((LIFTED, len(board.countries)), 1, f"where a piece in hand was lifted, one-hot: {countries}"),
        "gateways": ((gateways, ruleset.players), 1, "who has the rightmost printed office of a gateway"),
    }


def _green_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R9.8: offices placed in green cities."""
    board, owners = ruleset.board_data, ruleset.players
    cities, green = len(board.cities), sum(city.green for city in board.cities)
    return {
        "green_offices": ((GREEN_SPACES, owners, green), 2, "office placed in a green city, from the left, 2 = merchant"),
        "placed": ((owners, cities), GREEN_SPACES, "offices of an owner placed in a green city"),
    }


def _maritime_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    """R9: ship posts and permanent markers."""
    routes, owners = len(ruleset.board_data.routes), ruleset.players
    return {
        "at_sea": ((1,), 1, "the displaced, removed or lifted piece stood on a ship post of the field route's"),
        "ship_posts": ((owners, routes), 2, "merchants on the ship posts of a route, by owner"),
        "ship_vacant": ((routes,), 2, "free ship posts of a route"),
    }


def _base_fields(ruleset: Ruleset) -> dict[str, tuple[tuple[int, ...], int, str]]:
    board = ruleset.board_data
    seats, owners = ruleset.players, ruleset.players + (ruleset.two_players == "neutral")
    routes, cities = len(board.routes), len(board.cities)
    kinds, spaces = len(ruleset.marker_kinds), len(board.prestige_spaces)
    printed = max(len(city.offices) for city in board.cities)
    provinces = len(board.provinces) if ruleset.two_players == "pawn" else 0
    verbs, columns = action_verbs_of(ruleset), score_columns(ruleset)
    return {
        "question": ((len(questions_of(ruleset)) + 1,), 1, "question asked, one-hot in the order of QUESTIONS, the last: over"),
        "action": ((len(verbs),), 1, f"action under way, one-hot: {', '.join(verbs)}"),
        "actions_left": ((1,), 20, "actions left this turn"),
        "remaining": ((1,), 5, "penalty pieces to pay, further pieces to add, or pieces still to lift or remove"),
        "flags": ((4,), 1, "displaced piece settled; an action was taken this turn; free pawn move still to be had; "
                           "the pile ran out in this action"),
        "hand": ((2,), 5, "traders, merchants waiting to be put down"),
        "victim": ((owners, 2), 1, "owner and kind (trader, merchant) of the displaced piece, one-hot"),
        "completed": ((1,), 10, "completed cities"),
        "pile": ((1,), 16, "markers in the face-down pile"),
        "unseen": ((kinds,), 5, "markers nobody has seen (pile and plates), by kind"),
        "pawn": ((provinces,), 1, "province of the pawn, one-hot"),
        "decider": ((seats,), 1, "who decides"),
        "turn": ((seats,), 1, "whose turn it is"),
        "supply": ((2, seats), 27, "traders, merchants in the personal supply"),
        "stock": ((2, seats), 27, "traders, merchants in the general stock"),
        "prestige": ((seats,), 40, "prestige on the track"),
        "abilities": ((5, seats), 5, "pieces removed from the tracks keys, actions, privilege, book, bank"),
        "markers": ((kinds, seats), 5, "markers taken and unused, by kind"),
        "used": ((kinds, seats), 5, "markers used, by kind"),
        "plate": ((seats,), 13, "markers waiting on the plate"),
        "linked": ((seats,), 5, "place in which the seat made the link, 0 = not yet"),
        "prestige_spaces": ((spaces, seats), 1, "who holds each prestige space"),
        "scores": ((len(columns), seats), MOST, f"points as the board stands: {', '.join(columns)}"),
        "posts": ((owners, 2, routes), 4, "traders, merchants on the posts of a route, by owner"),
        "vacant": ((routes,), 4, "free posts of a route"),
        "route_marker": ((kinds, routes), 1, "marker lying on a route, one-hot"),
        "route": ((routes,), 1, "route displaced from, claimed or removed from"),
        "offices": ((printed, owners, cities), 2, "printed space from the left: 1 = the owner's trader, 2 = merchant"),
        "control": ((owners, cities), 1, "who controls a city (R5.2)"),
        "extras": ((owners, cities), 5, "extra offices of an owner"),
        "extra_place": ((owners, cities), 5, "place of the owner's first among them, 1 = next to the printed ones, 0 = none"),
        "city": ((cities,), 1, "city of the exchange or extra office"),
    }  # fmt: skip


@cache
def observation_fields(ruleset: Ruleset) -> tuple[ObservationField, ...]:
    """The fields of a ruleset's observation, in order. Raises RulesetError where it is no `Ruleset`."""
    ruleset = Ruleset.checked(ruleset)
    blocks = dict.fromkeys(_GLOBAL, "global") | dict.fromkeys(_SEATS, "seats")
    blocks |= dict.fromkeys(_ROUTES, "routes") | dict.fromkeys(_CITIES, "cities")
    described = _described(ruleset)
    fields, start = [], 0
    for name in OBSERVATION_FIELDS:
        if name not in described:
            continue
        shape, high, meaning = described[name]
        fields.append(ObservationField(name, blocks[name], start, shape, high, meaning))
        start += fields[-1].size
    return tuple(fields)


def observation_blocks(ruleset: Ruleset) -> dict[str, ObservationBlock]:
    """The blocks of a ruleset's observation by name, in the order of BLOCKS; together they are the whole vector. The dict is
    the caller's own.

    Raises RulesetError where it is no `Ruleset`.
    """
    return dict(_blocks(Ruleset.checked(ruleset)))


@cache
def _blocks(ruleset: Ruleset) -> dict[str, ObservationBlock]:
    board = ruleset.board_data
    rows = {"global": 1, "seats": ruleset.players, "routes": len(board.routes), "cities": len(board.cities)}
    blocks, size = {}, observation_size(ruleset)
    for name in BLOCKS:
        fields = tuple(field for field in observation_fields(ruleset) if field.block == name)
        columns = sum(field.size for field in fields) // rows[name]
        blocks[name] = ObservationBlock(name, fields[0].start, rows[name], columns, fields, size)
    return blocks


def observation_size(ruleset: Ruleset) -> int:
    """Length D of the observation vector."""
    last = observation_fields(ruleset)[-1]
    return last.start + last.size


@cache
def observation_high(ruleset: Ruleset) -> np.ndarray:
    """(D,) int8, read-only: the largest value of each entry; dividing by it scales an observation to 0..1.

    Raises RulesetError where it is no `Ruleset`.
    """
    high = np.concatenate([np.full(field.size, field.high, np.int8) for field in observation_fields(ruleset)])
    high.setflags(write=False)
    return high


def observation_fingerprint(ruleset: Ruleset) -> str:
    """SHA-256 over version, names, shapes and meanings; recorded with trained weights and guarded by a test."""
    lines = [f"version {OBSERVATION_VERSION}"]
    lines += [f"{field.name} {field.start} {field.shape} {field.meaning}" for field in observation_fields(ruleset)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
