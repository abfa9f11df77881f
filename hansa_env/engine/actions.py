"""What each action index means: one physical thing for the life of a version.

An index names a thing (a kind on a route, a route, a city, an amount of income, an ability, a prestige space, a verb, a
piece of some seat, a pair of offices, a province); the question asked gives it its meaning (see `rulebook/notation.md`).
Seats in pieces are relative to the deciding seat. The engine keeps the legal decisions as five bit sets over the same
things; a `Segment` says which bits become which indices.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from hansa_env.engine import record as rec
from hansa_env.ruleset import Ruleset

INCOMES = 5  # merchants among the income: 0 to all 4


@dataclass(frozen=True)
class Segment:
    """Indices `start` .. `start + len(things) - 1` are bits `bit` .. of the word `word` of `legal`."""

    name: str
    word: int
    bit: int
    start: int
    things: tuple[str, ...]


@cache
def segments(ruleset: Ruleset) -> tuple[Segment, ...]:
    """The action space of a ruleset, in index order."""
    board = ruleset.board_data
    routes = tuple(route.id for route in board.routes)
    pawn = ruleset.two_players == "pawn"
    pieces = tuple(f"{kind} of seat +{seat}" for seat in range(ruleset.players) for kind in ("trader", "merchant"))
    if ruleset.two_players == "neutral":
        pieces += ("neutral trader",)
    pairs = max(len(city.offices) for city in board.cities) - 1
    parts = (
        ("trader", rec.ON_ROUTE_TRADER, 0, tuple(f"trader on {r}" for r in routes)),
        ("merchant", rec.ON_ROUTE_MERCHANT, 0, tuple(f"merchant on {r}" for r in routes)),
        ("route", rec.ROUTE, 0, tuple(f"route {r}" for r in routes)),
        ("city", rec.CITY, 0, tuple(f"city {c.id}" for c in board.cities)),
        ("income", rec.OTHER, rec.INCOME_BIT, tuple(f"income with {n} merchants" for n in range(INCOMES))),
        ("ability", rec.OTHER, rec.ABILITY_BIT, rec.ABILITIES),
        ("space", rec.OTHER, rec.SPACE_BIT, tuple(f"prestige space {v}" for _, v in board.prestige_spaces)),
        ("verb", rec.OTHER, rec.VERB_BIT, rec.VERBS if pawn else rec.VERBS[:-1]),
        ("piece", rec.OTHER, rec.PIECE_BIT, pieces),
        ("pair", rec.OTHER, rec.PAIR_BIT, tuple(f"offices {i} and {i + 1}" for i in range(1, pairs + 1))),
        ("province", rec.OTHER, rec.PROVINCE_BIT, tuple(p.id for p in board.provinces) if pawn else ()),
    )
    result, start = [], 0
    for name, word, bit, things in parts:
        result.append(Segment(name, word, bit, start, things))
        start += len(things)
    return tuple(result)


def num_actions(ruleset: Ruleset) -> int:
    """Size A of the action space."""
    last = segments(ruleset)[-1]
    return last.start + len(last.things)


def action_things(ruleset: Ruleset) -> list[str]:
    """The physical thing of each index, in order."""
    return [thing for segment in segments(ruleset) for thing in segment.things]


def fingerprint(ruleset: Ruleset) -> str:
    """SHA-256 over index and meaning of the whole action space; recorded with trained models and guarded by a test."""
    lines = (f"{index}:{thing}" for index, thing in enumerate(action_things(ruleset)))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
