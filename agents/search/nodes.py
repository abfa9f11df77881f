"""The nodes of a tree search with a value for every seat, compiled, and how they come to their worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_env.engine.compile import inner
from hansa_env.engine.state import OWNERS

#: What a node is worth: the mean of its simulations, or what its best decision is worth to all, as `TreeAgent` says.
BACKUPS = ("mean", "maxn", "paranoid")
MEAN, MAXN, PARANOID = range(len(BACKUPS))
#: A decision is visited enough to be a node's best with this share of the visits of the most visited one.
ENOUGH = 0.25
NONE = -1
#: How many decisions of a node are thought of.
WIDE = 16


class Tree(NamedTuple):
    """Nodes, 0 the root, with the decisions that are thought of there and the nodes that follow.

    A simulation adds one node at most, so a budget of M simulations needs M nodes.
    """

    visits: np.ndarray  # (M,) int64
    worths: np.ndarray  # (M, OWNERS) float64, to each seat
    thought: np.ndarray  # (M,) int64, how many decisions are thought of; NONE until the first of them is to be taken
    actions: np.ndarray  # (M, WIDE) int16, those decisions
    shares: np.ndarray  # (M, WIDE) float32, how likely each is beforehand
    follows: np.ndarray  # (M, WIDE) int32, the node after each, or NONE
    made: np.ndarray  # (1,) int64, how many nodes there are


def new_tree(most: int) -> Tree:
    """An empty tree with room for so many nodes."""
    actions, shares = np.zeros((most, WIDE), np.int16), np.zeros((most, WIDE), np.float32)
    follows, worths = np.zeros((most, WIDE), np.int32), np.zeros((most, OWNERS))
    return Tree(np.zeros(most, np.int64), worths, np.zeros(most, np.int64), actions, shares, follows, np.zeros(1, np.int64))


@inner
def add_node(tree):
    """A new node; its number."""
    node = tree.made[0]
    tree.made[0] += 1
    tree.visits[node], tree.thought[node] = 0, NONE
    tree.worths[node] = 0.0
    return node


@inner
def liking(worths, seat, root_seat, backup):
    """How much a seat likes what is worth so much to each: the paranoid believe that the others only want to harm them."""
    if backup == PARANOID and seat != root_seat:
        return -worths[root_seat]
    return worths[seat]


@inner
def best_child(tree, node, seat, root_seat, backup):
    """The node that a seat likes best of those after a node that are visited enough, or NONE."""
    most = 0
    for i in range(tree.thought[node]):
        if tree.follows[node, i] != NONE:
            most = max(most, tree.visits[tree.follows[node, i]])
    best, best_liking = NONE, 0.0
    for i in range(tree.thought[node]):
        child = tree.follows[node, i]
        if child != NONE and tree.visits[child] >= ENOUGH * most:
            liked = liking(tree.worths[child], seat, root_seat, backup)
            if best == NONE or liked > best_liking:
                best, best_liking = child, liked
    return best


@inner
def back_up(tree, path, deciders, last, worths, backup):
    """Let the nodes path[0] .. path[last] know what a simulation came to, the last of them first."""
    for depth in range(last, -1, -1):
        node = path[depth]
        tree.visits[node] += 1
        judged = backup == MEAN or depth == last  # what was judged may have been passed through under other hidden markers
        best = NONE if judged else best_child(tree, node, deciders[depth], deciders[0], backup)
        for seat in range(OWNERS):
            if best == NONE:
                tree.worths[node, seat] += (worths[seat] - tree.worths[node, seat]) / tree.visits[node]
            else:
                tree.worths[node, seat] = tree.worths[best, seat]
