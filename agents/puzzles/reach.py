"""Whether a game can still end within the turn: what spares a proof the lines that cannot.

Every end but stalling comes with a claim (R7.1). So many claims are needed at least, and the actions that are left must do for
them and for the pieces that their routes lack; claims of the neutral player come free, with a displacement (R8.2.3). Where that
is not known to fail, the answer is yes.
"""

from __future__ import annotations

import numpy as np

from hansa_env import Ruleset
from hansa_env.engine.questions import QUESTIONS
from hansa_env.engine.state import ABILITIES, ASK_ACT, ASK_PUT
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import MARKER_KINDS

#: Actions that markers add; an upgrade does so if it is of the ability `actions`.
ADDED = {"+3": 3, "+4": 4, "upgrade": 1}
#: What a claim may bring beside its marker: an action by a development, pieces put down by a permanent marker (R9.14),
#: completed cities, and prestige by control (R5.1).
DEVELOPED, PUT, COMPLETED, CONTROL = 1, 2, 2, 2
#: Neutral traders that one displacement puts down: the displaced one and another (R8.2.2).
RELOCATED = 2
#: More claims than these are counted as so many.
MOST_CLAIMS = 4
#: Pieces that no route lacks.
FAR = 100
_BOOK, _TRADE_IN = ABILITIES.index("book"), MARKER_KINDS.index("trade-in")


def may_end(ruleset: Ruleset, games: np.ndarray, seat: int) -> np.ndarray:
    """(N,) bool: of which games (N,), all in the same turn of a seat, it is not known that they cannot end within it."""
    tables, asked = tables_of(ruleset)[0], games["asked"]
    markers = games["markers"][:, seat].astype(np.int64)
    moving = np.array([question.action in ("move", "displace") for question in QUESTIONS])[asked]
    known = ((asked == ASK_ACT) | moving) & (markers[:, _TRADE_IN] == 0)
    left = games["actions_left"] + sum(more * markers[:, MARKER_KINDS.index(kind)] for kind, more in ADDED.items())
    at_once = tables["ability_value"][_BOOK][games["abilities"][:, seat, _BOOK]]  # pieces by one action
    in_hand = np.where(asked == ASK_PUT, games["hand"].sum(axis=1, dtype=np.int64), at_once) * moving
    lacking = np.maximum(_lacking(ruleset, games, seat) - in_hand[:, None], 0)
    pile = int(tables["pile_size"]) - games["drawn"].astype(np.int64)

    marked = np.where(games["route_marker"][:, : lacking.shape[1]] >= 0, lacking, FAR).min(axis=1)
    found = (pile == 0) & (1 + -(-marked // at_once) <= left)
    claims = np.minimum(_claims(ruleset, games, seat), np.maximum(pile + 1, 2))
    again = np.broadcast_to([route.posts for route in ruleset.board_data.routes], lacking.shape)
    cheapest = np.sort(np.concatenate([lacking, again], axis=1), axis=1)[:, :MOST_CLAIMS].cumsum(axis=1)
    more = DEVELOPED + np.array([ADDED.get(kind, 0) for kind in (*MARKER_KINDS, "")])[games["route_marker"]].max(axis=1)
    so_far = np.ones(len(games), bool)
    for count in range(1, MOST_CLAIMS + 1):
        pieces = np.maximum(cheapest[:, count - 1] - PUT * (count - 1), 0)
        so_far &= count + -(-pieces // at_once) <= left + more * (count - 1)
        found |= so_far & (np.minimum(claims, MOST_CLAIMS) == count)
    if tables["neutral"] >= 0:
        found |= _neutral_may_claim(ruleset, games, seat, left)
    return found | ~known


def _neutral_may_claim(ruleset: Ruleset, games: np.ndarray, seat: int, left: np.ndarray) -> np.ndarray:
    """(N,) bool: where a displacement may still make a route wholly neutral, which claims it at once (R8.2.3).

    The last action has to find a route nearly so, unless a move under way, or a marker that takes pieces off, goes before it.
    """
    tables, asked = tables_of(ruleset)[0], games["asked"]
    displacing = np.array([question.action == "displace" for question in QUESTIONS])[asked]
    posts = np.array([route.posts for route in ruleset.board_data.routes])
    vacant = games["vacant"][:, : len(posts)]
    neutral = games["pieces"][:, int(tables["neutral"])].sum(axis=1, dtype=np.int64)[:, : len(posts)]
    near = ((vacant + neutral == posts) & (vacant <= RELOCATED)).any(axis=1)
    removes = games["markers"][:, seat, int(tables["removing_marker"])] > 0
    return displacing | (left >= 2) | ((left == 1) & (near | removes | (asked != ASK_ACT)))


def _lacking(ruleset: Ruleset, games: np.ndarray, seat: int) -> np.ndarray:
    """(N, R) how many of the seat's pieces each route lacks."""
    board = ruleset.board_data
    own = games["pieces"][:, seat].sum(axis=1, dtype=np.int64)
    there = np.zeros((len(games), len(board.routes)), np.int64)
    for number, lane in enumerate(board.lanes):
        there[:, lane.route] += own[:, number]
    return np.array([route.posts for route in board.routes]) - there


def _claims(ruleset: Ruleset, games: np.ndarray, seat: int) -> np.ndarray:
    """(N,) at least how many claims it takes until somebody has the prestige, or the cities are completed."""
    tables = tables_of(ruleset)[0]
    claims = -(-(int(tables["cities_to_end"]) - games["completed"].astype(np.int64)) // COMPLETED)
    linked = (games["linked"] == seat).any(axis=1)
    by_link = np.where(linked, 0, int(tables["link_points"].max()))
    for owner in range(ruleset.players):
        short = int(tables["prestige_to_end"]) - games["prestige"][:, owner].astype(np.int64)
        if owner == seat:  # each claim may bring an office's too, one of them the link
            each = CONTROL + int(tables["office_prestige"].max())
            claims = np.minimum(claims, -(-(short - by_link) // each))
        else:
            claims = np.minimum(claims, -(-short // CONTROL))
    return np.maximum(claims, 1)
