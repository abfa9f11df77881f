"""What follows from positions, compiled: every decision with every order of the hidden markers, each position found once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_env.engine.action_space import count_legal, nth_legal
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner, kernel, merged
from hansa_env.engine.identity import hash_words, words_of
from hansa_env.engine.rng import GAMMA, mix
from hansa_env.engine.rules.scoring import ALL_COLUMNS, score, win_share
from hansa_env.engine.state import OVER, OWNERS, new_games
from hansa_env.engine.step import step

#: The kind of a node that nobody decides at: all its edges are equally likely.
CHANCE = -1
#: The action of an edge that nobody decides on, and the cut of one that ends no turn.
NO_DECISION, NO_CUT = -1, 0
#: Rows of `Workspace.games`: the position with its hidden markers in some order, what follows, that if the turn is the last.
ROOT, AFTER, LAST = range(3)
NODES, EDGES, FRESH = range(3)
#: Turns that end in one decision at most: where nobody can decide anything, the game is over before (R7.8).
MOST_TURNS = 2 * OWNERS


class Known(NamedTuple):
    """The positions found so far: an open table of 64-bit keys, of a power of two of slots."""

    keys: np.ndarray  # (S,) uint64
    nodes: np.ndarray  # (S,) int32, the node of each; -1 = the slot is free


class Found(NamedTuple):
    """Room for what an expansion finds."""

    counts: np.ndarray  # (3,) int64: all nodes there are, edges found here, positions found here
    kinds: np.ndarray  # (F,) int8, the seat that decides, or CHANCE, of the nodes found here, in their order
    fresh: np.ndarray  # (F,) records, of those that are positions
    source: np.ndarray  # (E,) int32
    action: np.ndarray  # (E,) int16
    target: np.ndarray  # (E,) int32: a node, or −1 − (the set of winners) where the game is over
    cut: np.ndarray  # (E,) int8: NO_CUT, or the set of winners if the turn that it ends is the last


class Workspace(NamedTuple):
    """Arrays to work in."""

    games: np.ndarray  # (3,) records
    words: np.ndarray  # (3, W) uint64, the same
    scores: np.ndarray  # (OWNERS, columns) int64
    places: np.ndarray  # (PILE,) int64, of the hidden markers
    hidden: np.ndarray  # (PILE,) int64, these


def new_workspace(most_hidden: int) -> Workspace:
    """A workspace for positions with so many hidden markers at most."""
    games = new_games(3)
    scores = np.zeros((OWNERS, len(ALL_COLUMNS)), np.int64)
    places, hidden = np.zeros((2, max(1, most_hidden)), np.int64)
    return Workspace(games, words_of(games), scores, places, hidden)


def new_known(slots: int) -> Known:
    """An empty table of so many slots, a power of two."""
    return Known(np.zeros(slots, np.uint64), np.full(slots, -1, np.int32))


def new_found(most: int, nodes: int) -> Found:
    """Room for what follows from so many decisions, with each order of the hidden markers; there are so many nodes before."""
    edges = (MOST_TURNS + 2) * most + 1
    source, target = np.empty(edges, np.int32), np.empty(edges, np.int32)
    counts, kinds, action = np.array([nodes, 0, 0]), np.empty(edges, np.int8), np.empty(edges, np.int16)
    return Found(counts, kinds, new_games(most), source, action, target, np.empty(edges, np.int8))


@inner
def find_slot(known, key):
    """The slot of a key, or the free one where it belongs."""
    last = np.uint64(known.keys.size - 1)
    slot = key & last
    while known.nodes[slot] >= 0 and known.keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def move_known(known, to):
    """Take over all keys into a larger table."""
    for i in range(known.keys.size):
        if known.nodes[i] >= 0:
            slot = find_slot(to, known.keys[i])
            to.keys[slot], to.nodes[slot] = known.keys[i], known.nodes[i]


@inner
def count_hidden(game, tables):
    """How many markers nobody has seen."""
    count = 0
    for i in range(tables["num_shuffled"]):
        count += game["pile"][i] >= 0
    return count


@inner
def key_of(words, game, tables, i):
    """The key of row i: of all that everybody sees, and of which markers are hidden, wherever they lie."""
    counts = np.int64(0)
    for k in range(tables["num_shuffled"]):
        if game["pile"][k] >= 0:
            counts += bit(6 * np.int64(game["pile"][k]))
    return mix(hash_words(words, i) ^ mix(np.uint64(counts) + GAMMA))


@inner
def winners_of(game, tables, scores):
    """The set of seats that win as the board stands (R7.9)."""
    score(game, tables, scores)
    winners = 0
    for seat in range(tables["players"]):
        if win_share(game, tables, scores, seat) > 0:
            winners |= bit(seat)
    return winners


@inner
def add_node(found, first, kind):
    """A new node; its number."""
    node = found.counts[NODES]
    found.kinds[node - first] = kind
    found.counts[NODES] += 1
    return node


@inner
def add_edge(found, source, action, target, cut):
    """A new edge."""
    edge = found.counts[EDGES]
    found.source[edge], found.action[edge], found.target[edge], found.cut[edge] = source, action, target, cut
    found.counts[EDGES] += 1


@inner
def node_of(workspace, tables, known, found, first):
    """The node of the position workspace.games[AFTER], a new one where it has not been met."""
    key = key_of(workspace.words, workspace.games[AFTER], tables, AFTER)
    slot = find_slot(known, key)
    if known.nodes[slot] < 0:
        game = workspace.games[AFTER]
        node = add_node(found, first, game["seat"])
        known.keys[slot], known.nodes[slot] = key, node
        game["seed"], game["noise"] = np.uint64(0), key >> np.uint64(32)
        game["turns"] = game["turn"]  # as early as it may be (R2.1)
        found.fresh[found.counts[FRESH]] = game
        found.counts[FRESH] += 1
    return known.nodes[slot]


@kernel
def key_rows(words, games, tables, known, found):
    """A node of chance, from which the positions games (N,), their words (N, W), are equally likely."""
    first = found.counts[NODES]
    chance = add_node(found, first, CHANCE)
    for i in range(games.size):
        slot = find_slot(known, key_of(words, games[i], tables[0], i))
        if known.nodes[slot] < 0:
            known.keys[slot] = key_of(words, games[i], tables[0], i)
            known.nodes[slot] = add_node(found, first, games[i]["seat"])
            found.fresh[found.counts[FRESH]] = games[i]
            found.counts[FRESH] += 1
        add_edge(found, chance, NO_DECISION, known.nodes[slot], NO_CUT)


@merged
def add_outcome(workspace, tables, action, edge_action, source, known, found, first):
    """Play a decision in workspace.games[ROOT]; add what follows behind a node, with a node between turns that end in it."""
    workspace.games[AFTER] = workspace.games[ROOT]
    step(workspace.games[AFTER], tables, action)
    ended = workspace.games[AFTER]["turns"] - workspace.games[ROOT]["turns"]
    cut = np.int64(NO_CUT)
    for turn in range(1, ended + 1):
        workspace.games[LAST] = workspace.games[ROOT]
        workspace.games[LAST]["turn_limit"] = workspace.games[ROOT]["turns"] + turn
        step(workspace.games[LAST], tables, action)
        cut = winners_of(workspace.games[LAST], tables, workspace.scores)
        if turn < ended:
            between = add_node(found, first, CHANCE)
            add_edge(found, source, edge_action, between, cut)
            source, edge_action, cut = between, NO_DECISION, np.int64(NO_CUT)
    if workspace.games[AFTER]["asked"] == OVER:
        target = -1 - winners_of(workspace.games[AFTER], tables, workspace.scores)
    else:
        target = np.int64(node_of(workspace, tables, known, found, first))
    add_edge(found, source, edge_action, target, cut)


@kernel
def expand(games, nodes, tables, orders, factorials, workspace, known, found):
    """Every decision of positions (N,), which are the nodes (N,), with every order of the hidden markers where one is seen.

    `orders` (M + 1, M!, M): the orders of 0, 1, ... M things; `factorials` (M + 1,): how many they are.
    """
    t, first = tables[0], found.counts[NODES]
    for i in range(games.size):
        for k in range(count_legal(games[i])):
            action = nth_legal(games[i], k)
            workspace.games[ROOT] = games[i]
            workspace.games[ROOT]["turn_limit"] = 0
            workspace.games[AFTER] = workspace.games[ROOT]
            step(workspace.games[AFTER], t, action)
            count = count_hidden(games[i], t)
            if count_hidden(workspace.games[AFTER], t) == count:
                add_outcome(workspace, t, action, action, nodes[i], known, found, first)
                continue
            chance = add_node(found, first, CHANCE)
            add_edge(found, nodes[i], action, chance, NO_CUT)
            place = 0
            for pile in range(t["num_shuffled"]):
                if games[i]["pile"][pile] >= 0:
                    workspace.places[place], workspace.hidden[place] = pile, games[i]["pile"][pile]
                    place += 1
            for order in range(factorials[count]):
                for place in range(count):
                    workspace.games[ROOT]["pile"][workspace.places[place]] = workspace.hidden[orders[count, order, place]]
                add_outcome(workspace, t, action, NO_DECISION, chance, known, found, first)
