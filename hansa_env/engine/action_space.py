"""Every decision as an action index, and back: one physical thing for the life of a version.

An index names a thing (a kind on a lane of posts, such a lane, a city, an amount of income, an ability, a prestige space, a
verb, a piece of some seat, a pair of offices, a province, a kind of marker, a favour); the question asked gives it its meaning
(`hansa_env.engine.questions`, `rulebook/notation.md`). Seats in pieces are relative to the deciding seat. `legal` in a game
record is the set of the indices that answer the question; the compiled functions below read and write it by kind and number
of thing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from hansa_env.engine.bits import bit, first_below, nth_member, size
from hansa_env.engine.compile import inner
from hansa_env.engine.state import ABILITIES, GREEN_SPACES, WORDS
from hansa_env.ruleset import FAVOURS, Ruleset

INDICES = 64 * WORDS
INCOMES = 5  # merchants among the income: 0 to all 4

#: Kinds of things. ON_ROUTE and a kind of piece: that piece on a lane of posts. ROUTE: a lane, or the whole of a route.
KINDS = (
    "trader", "merchant", "route", "city", "income", "ability", "space", "verb", "piece", "pair", "province", "marker",
    "favour",
)  # fmt: skip
ON_ROUTE = 0
ROUTE, CITY, INCOME, ABILITY, SPACE, VERB, PIECE, PAIR, PROVINCE, MARKER, FAVOUR = range(2, len(KINDS))

VERBS = ("displace", "move", "exchange", "remove", "+3", "+4", "extra", "trader", "merchant", "done", "ride")
(
    DISPLACE, MOVE, EXCHANGE, REMOVE, THREE_ACTIONS, FOUR_ACTIONS, EXTRA, WITH_TRADER, WITH_MERCHANT, DONE, RIDE,
) = range(len(VERBS))  # fmt: skip


@dataclass(frozen=True)
class Segment:
    """The things of one kind: indices `start` .. `start + len(things) - 1`."""

    name: str
    start: int
    things: tuple[str, ...]

    @property
    def stop(self) -> int:
        return self.start + len(self.things)


@cache
def segments(ruleset: Ruleset) -> tuple[Segment, ...]:
    """The action space of a ruleset in index order, a segment for each of KINDS."""
    board = ruleset.board_data
    lanes = tuple(lane.id for lane in board.lanes)
    pawn = ruleset.two_players == "pawn"
    pieces = tuple(f"{kind} of seat +{seat}" for seat in range(ruleset.players) for kind in ("trader", "merchant"))
    if ruleset.two_players == "neutral":
        pieces += ("neutral trader",)
    pairs = max(GREEN_SPACES if city.green else len(city.offices) for city in board.cities) - 1
    things = {
        "trader": tuple(f"trader on {lane}" for lane in lanes[: len(board.routes)]),
        "merchant": tuple(f"merchant on {lane}" for lane in lanes),
        "route": tuple(f"route {lane}" for lane in lanes),
        "city": tuple(f"city {c.id}" for c in board.cities),
        "income": tuple(f"income with {n} merchants" for n in range(INCOMES)),
        "ability": ABILITIES,
        "space": tuple(f"prestige space {v}" for _, v in board.prestige_spaces),
        "verb": VERBS if pawn else VERBS[:-1],
        "piece": pieces,
        "pair": tuple(f"offices {i} and {i + 1}" for i in range(1, pairs + 1)),
        "province": tuple(p.id for p in board.provinces) if pawn else (),
        "marker": tuple(f"marker {kind}" for kind in ruleset.marker_kinds) if ruleset.promos or ruleset.favours else (),
        "favour": tuple(f"favour {tile}" for tile in FAVOURS) if ruleset.favours else (),
    }
    result, start = [], 0
    for name in KINDS:
        result.append(Segment(name, start, things[name]))
        start = result[-1].stop
    return tuple(result)


def num_actions(ruleset: Ruleset) -> int:
    """Size A of the action space."""
    return segments(ruleset)[-1].stop


def action_things(ruleset: Ruleset) -> list[str]:
    """The physical thing of each index, in order."""
    return [thing for segment in segments(ruleset) for thing in segment.things]


@cache
def kind_and_thing(ruleset: Ruleset) -> np.ndarray:
    """(A, 2) int64: the kind (a place in KINDS) and the number within it of each action index; read-only."""
    array = np.array([(k, i) for k, segment in enumerate(segments(ruleset)) for i in range(len(segment.things))])
    array.setflags(write=False)
    return array


def action_index(ruleset: Ruleset, kind: int, thing: int) -> int:
    """The action index of a thing; the inverse of `kind_and_thing`. Raises IndexError where the ruleset has no such thing."""
    segment = segments(ruleset)[kind]
    if not 0 <= thing < len(segment.things):
        raise IndexError(f"{segment.name} {thing} is outside 0..{len(segment.things) - 1}")
    return segment.start + thing


def fingerprint(ruleset: Ruleset) -> str:
    """SHA-256 over index and meaning of the whole action space; recorded with trained models and guarded by a test."""
    lines = (f"{index}:{thing}" for index, thing in enumerate(action_things(ruleset)))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@inner
def action_of(tables, kind, thing):
    """The action index of a thing."""
    return tables["first_index"][kind] + thing


@inner
def clear_legal(game):
    """Nothing is legal."""
    for i in range(WORDS):
        game["legal"][i] = 0


@inner
def offer(game, tables, kind, thing):
    """One thing may be chosen."""
    index = tables["first_index"][kind] + thing
    game["legal"][index >> 6] |= bit(index & 63)


@inner
def offer_set(game, tables, kind, things):
    """Any thing of a set (bit i = thing i) may be chosen."""
    index = tables["first_index"][kind]
    word, shift = index >> 6, index & 63
    game["legal"][word] |= things << shift
    if shift + tables["num_things"][kind] > 64:
        game["legal"][word + 1] |= things >> (64 - shift)


@inner
def offered(game, tables, kind):
    """The set of things of a kind that may be chosen."""
    index, count = tables["first_index"][kind], tables["num_things"][kind]
    word, shift = index >> 6, index & 63
    things = np.int64(np.uint64(game["legal"][word]) >> np.uint64(shift))
    if shift + count > 64:
        things |= game["legal"][word + 1] << (64 - shift)
    return things & first_below(count)


@inner
def is_offered(game, tables, kind, thing):
    """Whether a thing may be chosen."""
    index = tables["first_index"][kind] + thing
    return (game["legal"][index >> 6] >> (index & 63)) & 1 != 0


@inner
def is_legal(game, tables, action):
    """Whether an action index answers the question asked."""
    if action < 0 or action >= tables["num_actions"]:
        return False
    return (game["legal"][action >> 6] >> (action & 63)) & 1 != 0


@inner
def count_legal(game):
    """Number of legal decisions."""
    count = 0
    for i in range(WORDS):
        count += size(game["legal"][i])
    return count


@inner
def nth_legal(game, n):
    """The action index of the n-th legal decision in index order; there must be more than n."""
    return nth_member(game["legal"], n)
