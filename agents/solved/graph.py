"""The graph of a small game: each position that can come up in it, and what follows from every decision there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np

from hansa_agents.solved.kernels.expand import (
    CHANCE,
    EDGES,
    FRESH,
    NO_CUT,
    NO_DECISION,
    NODES,
    Found,
    Known,
    expand,
    key_rows,
    move_known,
    new_found,
    new_known,
    new_workspace,
)
from hansa_agents.solved.kernels.sweep import order_nodes
from hansa_agents.solved.packed import Packed
from hansa_env.engine import kernels
from hansa_env.engine.identity import words_of
from hansa_env.engine.state import new_games
from hansa_env.engine.tables import tables_of
from hansa_env.play.errors import AgentError
from hansa_env.ruleset import MARKER_KINDS, Ruleset

#: Positions that are looked at in one call, and the most that a game may have: so many fit into two gigabytes.
BATCH, MOST = 512, 2_000_000
#: The largest pile of which all orders are gone through.
MOST_HIDDEN = 5


@dataclass(frozen=True)
class Graph:
    """Nodes, 0 the deal, with their edges.

    Attributes:
        ruleset: of the game.
        kinds: (N,) int8, the seat that decides, or CHANCE: all edges are equally likely.
        first: (N + 1,) int64: the edges of node n are first[n] .. first[n + 1] − 1.
        action: (E,) int16, the action index of a decision, NO_DECISION behind chance.
        target: (E,) int32: the node that follows, or −1 − (the set of winners, a bit a seat) where the game is over.
        cut: (E,) int8: NO_CUT, or, of an edge that ends a turn, the set of winners if that turn is the last.
        order: (N,) int32: every node, behind all those that follow from it within the turn.
        positions: the records of the nodes at which a seat decides, in their order.
        rows: (N,) int32, which of them is a node's; −1 of chance.
        known: the nodes of positions by their keys.
    """

    ruleset: Ruleset
    kinds: np.ndarray
    first: np.ndarray
    action: np.ndarray
    target: np.ndarray
    cut: np.ndarray
    order: np.ndarray
    positions: Packed
    rows: np.ndarray
    known: Known

    @property
    def sources(self) -> np.ndarray:
        """(E,) int64, the node that each edge leaves."""
        return np.repeat(np.arange(len(self.kinds)), np.diff(self.first))


class _Parts:
    """What has been found so far."""

    def __init__(self, deals: np.ndarray) -> None:
        self.kinds: list[np.ndarray] = []
        self.edges: list[tuple[np.ndarray, ...]] = []  # source, action, target, cut
        self.positions, self.nodes = Packed(deals), 0
        self.queue: deque[tuple[np.ndarray, np.ndarray]] = deque()  # positions that are to be looked at, and their nodes

    @property
    def waiting(self) -> int:
        return sum(len(nodes) for _, nodes in self.queue)

    def take(self, found: Found) -> None:
        """Keep what an expansion found."""
        nodes, edges, fresh = (int(found.counts[what]) for what in (NODES, EDGES, FRESH))
        self.kinds.append(found.kinds[: nodes - self.nodes].copy())
        self.edges.append(tuple(column[:edges].copy() for column in (found.source, found.action, found.target, found.cut)))
        if fresh:
            games = new_games(fresh)
            games[:] = found.fresh[:fresh]
            numbers = self.nodes + np.flatnonzero(self.kinds[-1] != CHANCE)
            self.positions.add(games)
            self.queue += [(games[i : i + BATCH], numbers[i : i + BATCH]) for i in range(0, fresh, BATCH)]
        self.nodes = nodes


def build(ruleset: Ruleset, note: Callable[[int, int], None] = lambda found, waiting: None, most: int = MOST) -> Graph:
    """The graph of a game.

    Args:
        ruleset: of the game; on a miniature.
        note: is told again and again how many positions have been found, and how many of them are still to be looked at.
        most: how many positions there may be.

    Raises:
        AgentError: there are more; or its hidden things are more than a pile of MOST_HIDDEN markers.
    """
    tables = tables_of(ruleset)
    pile = int(tables[0]["num_shuffled"])
    if pile > MOST_HIDDEN or ruleset.missions or ruleset.favours or ruleset.promos:
        expected = f"no modules and at most {MOST_HIDDEN} markers in the pile, as on a miniature"
        raise AgentError(f"cannot solve {ruleset}: expected {expected}")
    deals = _deals(ruleset)
    parts, known, workspace = _Parts(deals), new_known(1 << 16), new_workspace(pile)
    orders, factorials = _orders(pile)
    parts.take(_deal_node(deals, tables, known))
    while parts.queue:
        games, nodes = parts.queue.popleft()
        room = int(np.bitwise_count(games["legal"].view(np.uint64)).sum()) * factorial(pile)
        while (parts.nodes + room) * 2 > known.keys.size:
            larger = new_known(2 * known.keys.size)
            move_known(known, larger)
            known = larger
        found = new_found(room, parts.nodes)
        expand(games, nodes, tables, orders, factorials, workspace, known, found)
        parts.take(found)
        note(len(parts.positions), parts.waiting)
        if len(parts.positions) > most:
            raise AgentError(f"{ruleset} has more than {most:,} positions; expected fewer: take away pieces, posts or markers")
    return _graph(ruleset, parts, known)


def _deals(ruleset: Ruleset) -> np.ndarray:
    """Every order of the start markers on the taverns, up to the first question."""
    tables, start = tables_of(ruleset), [MARKER_KINDS.index(kind) for kind in ruleset.start_markers]
    deals = list(permutations(start))
    games = new_games(len(deals))
    kernels.deal_games(games, tables, np.zeros(len(deals), np.uint64), 0, 0, len(deals))
    for game, deal in zip(games, deals):
        game["route_marker"][tables[0]["tavern"][: len(deal)]] = deal
    kernels.begin_games(games, tables, 0, len(games))
    return games


def _deal_node(deals: np.ndarray, tables: np.ndarray, known: Known) -> Found:
    """Node 0, from which every deal is equally likely."""
    found = new_found(len(deals), 0)
    key_rows(words_of(deals), deals, tables, known, found)
    return found


def _orders(count: int) -> tuple[np.ndarray, np.ndarray]:
    """The orders of 0, 1, ... `count` things, (count + 1, count!, count) int64, and how many there are of each."""
    factorials = np.array([factorial(n) for n in range(count + 1)])
    orders = np.zeros((count + 1, factorials[-1], max(1, count)), np.int64)
    for n in range(count + 1):
        orders[n, : factorials[n], :n] = list(permutations(range(n)))
    return orders, factorials


def _graph(ruleset: Ruleset, parts: _Parts, known: Known) -> Graph:
    kinds = np.concatenate(parts.kinds)
    source, action, target, cut = (np.concatenate(column) for column in zip(*parts.edges))
    by_source = np.argsort(source, kind="stable")
    action, target, cut = action[by_source], target[by_source], cut[by_source]
    first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(kinds)))])
    order = np.empty(len(kinds), np.int32)
    within = np.flatnonzero((target >= 0) & (cut == NO_CUT))
    into = within[np.argsort(target[within], kind="stable")]
    begins = np.concatenate([[0], np.cumsum(np.bincount(target[within], minlength=len(kinds)))])
    sources = np.repeat(np.arange(len(kinds)), np.diff(first))
    left = np.bincount(sources[within], minlength=len(kinds))
    if order_nodes(begins, sources[into], left, order) != len(kinds):
        raise AgentError(f"{ruleset}: a turn comes back to where it was; the solver knows no such rule")
    rows = np.cumsum(kinds != CHANCE, dtype=np.int32) - 1
    rows[kinds == CHANCE] = -1
    assert (action[kinds[sources] == CHANCE] == NO_DECISION).all()
    return Graph(ruleset, kinds, first, action, target, cut, order, parts.positions, rows, known)
