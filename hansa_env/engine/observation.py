"""The observation vector of one seat: which slice holds what.

Everything a player at the table can see and nothing else. Seats are relative to the observing seat (0 = oneself, 1 =
next clockwise, ...); in the neutral variant the neutral player comes last among the owners. Values are int8 counts or
0/1 flags; `high` is the largest value of a field, for those who want to scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hansa_env.engine import record as rec
from hansa_env.ruleset import MARKER_KINDS, Ruleset

#: Names in order; the engine's observer counts on this order.
OBSERVATION_FIELDS = (
    "question", "decider", "turn", "actions_left", "remaining", "flags", "hand", "route", "city", "victim",
    "supply", "stock", "prestige", "abilities", "markers", "used", "plate", "linked",
    "posts", "vacant", "route_marker", "offices", "control", "extra_city", "extra_owner", "prestige_spaces",
    "completed", "pile", "unseen", "pawn",
)


@dataclass(frozen=True)
class ObservationField:
    """One named slice of the observation vector."""

    name: str
    start: int
    shape: tuple[int, ...]
    high: int
    meaning: str

    @property
    def size(self) -> int:
        size = 1
        for n in self.shape:
            size *= n
        return size

    @property
    def slice(self) -> slice:
        return slice(self.start, self.start + self.size)


@cache
def observation_fields(ruleset: Ruleset) -> tuple[ObservationField, ...]:
    """The fields of a ruleset's observation, in order."""
    board = ruleset.board_data
    players = ruleset.players
    owners = players + (ruleset.two_players == "neutral")
    routes, cities = len(board.routes), len(board.cities)
    offices = sum(len(city.offices) for city in board.cities)
    kinds = len(MARKER_KINDS)
    described = {
        "question": ((len(rec.QUESTIONS),), 1, "question asked, one-hot in the order of QUESTIONS"),
        "decider": ((players,), 1, "seat that decides, one-hot"),
        "turn": ((players,), 1, "seat whose turn it is, one-hot"),
        "actions_left": ((1,), 20, "actions left this turn"),
        "remaining": ((1,), 5, "penalty pieces to pay, further pieces to add, or pieces still to lift or remove"),
        "flags": ((3,), 1, "displaced piece settled; an action was taken this turn; free pawn move still to be had"),
        "hand": ((2,), 5, "traders, merchants waiting to be put down"),
        "route": ((routes,), 1, "route displaced from, claimed or removed from, one-hot"),
        "city": ((cities,), 1, "city of the exchange or extra office, one-hot"),
        "victim": ((owners, 2), 1, "owner and kind (trader, merchant) of the displaced piece, one-hot"),
        "supply": ((players, 2), 27, "traders, merchants in the personal supply"),
        "stock": ((players, 2), 27, "traders, merchants in the general stock"),
        "prestige": ((players,), 40, "prestige on the track"),
        "abilities": ((players, 5), 5, "pieces removed from the tracks keys, actions, privilege, book, bank"),
        "markers": ((players, kinds), 5, "markers taken and unused, by kind"),
        "used": ((players, kinds), 5, "markers used, by kind"),
        "plate": ((players,), 13, "markers waiting on the plate"),
        "linked": ((players,), 5, "place in which the seat made the link, 0 = not yet"),
        "posts": ((routes, owners, 2), 4, "traders, merchants on the posts of a route"),
        "vacant": ((routes,), 4, "free posts of a route"),
        "route_marker": ((routes, kinds), 1, "marker lying on a route, one-hot"),
        "offices": ((offices, owners), 2, "printed space: 1 = the owner's trader, 2 = merchant, city by city from left"),
        "control": ((cities, owners), 1, "who controls a city (R5.2), one-hot"),
        "extra_city": ((rec.EXTRAS, cities), 1, "city of each extra office in order of founding, one-hot"),
        "extra_owner": ((rec.EXTRAS, owners), 2, "its owner: 1 = trader, 2 = merchant"),
        "prestige_spaces": ((len(board.prestige_spaces), players), 1, "owner of each prestige space, one-hot"),
        "completed": ((1,), 10, "completed cities"),
        "pile": ((1,), 16, "markers in the face-down pile"),
        "unseen": ((kinds,), 5, "markers nobody has seen (pile and plates), by kind"),
        "pawn": ((len(board.provinces) if ruleset.two_players == "pawn" else 0,), 1, "province of the pawn, one-hot"),
    }
    assert tuple(described) == OBSERVATION_FIELDS
    fields, start = [], 0
    for name, (shape, high, meaning) in described.items():
        fields.append(ObservationField(name, start, shape, high, meaning))
        start += fields[-1].size
    return tuple(fields)


def observation_size(ruleset: Ruleset) -> int:
    """Length D of the observation vector."""
    last = observation_fields(ruleset)[-1]
    return last.start + last.size


def observation_high(ruleset: Ruleset) -> tuple[int, ...]:
    """The largest value of each of the D entries; dividing by it scales an observation to 0..1."""
    return tuple(field.high for field in observation_fields(ruleset) for _ in range(field.size))
