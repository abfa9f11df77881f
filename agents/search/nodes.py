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


class Tree(NamedTuple):
    """Nodes, 0 the root, each with the decision that led there; what follows a node is a list of nodes.

    A simulation adds one node at most, and a decision takes room only when it is first played, so a budget of M simulations
    needs M nodes and no room for edges.
    """

    actions: np.ndarray  # (M,) int64
    child: np.ndarray  # (M,) int64, the newest of those that follow, or NONE
    sibling: np.ndarray  # (M,) int64, the next older that follows the same node, or NONE
    visits: np.ndarray  # (M,) int64
    worths: np.ndarray  # (M, OWNERS) float64, to each seat
    made: np.ndarray  # (1,) int64, how many nodes there are


def new_tree(most: int) -> Tree:
    """An empty tree with room for so many nodes."""
    actions, child, sibling, visits = np.zeros((4, most), np.int64)
    return Tree(actions, child, sibling, visits, np.zeros((most, OWNERS)), np.zeros(1, np.int64))


@inner
def add_node(tree, parent, action):
    """A new node after a decision at its parent, or the root without one; its number."""
    node = tree.made[0]
    tree.made[0] += 1
    tree.actions[node], tree.visits[node], tree.child[node], tree.sibling[node] = action, 0, NONE, NONE
    tree.worths[node] = 0.0
    if parent != NONE:
        tree.sibling[node], tree.child[parent] = tree.child[parent], node
    return node


@inner
def liking(worths, seat, root_seat, backup):
    """How much a seat likes what is worth so much to each: the paranoid believe that the others only want to harm them."""
    if backup == PARANOID and seat != root_seat:
        return -worths[root_seat]
    return worths[seat]


@inner
def best_child(tree, node, seat, root_seat, backup):
    """The node that a seat likes best of those after a node that are visited enough; there must be one."""
    most, child = 0, tree.child[node]
    while child != NONE:
        most = max(most, tree.visits[child])
        child = tree.sibling[child]
    best, best_liking, child = NONE, 0.0, tree.child[node]
    while child != NONE:
        liked = liking(tree.worths[child], seat, root_seat, backup)
        if tree.visits[child] >= ENOUGH * most and (best == NONE or liked > best_liking):
            best, best_liking = child, liked
        child = tree.sibling[child]
    return best


@inner
def back_up(tree, path, deciders, last, worths, backup):
    """Let the nodes path[0] .. path[last] know what a simulation came to, the last of them first."""
    for depth in range(last, -1, -1):
        node = path[depth]
        tree.visits[node] += 1
        if backup == MEAN or tree.child[node] == NONE:
            for seat in range(OWNERS):
                tree.worths[node, seat] += (worths[seat] - tree.worths[node, seat]) / tree.visits[node]
        else:
            best = best_child(tree, node, deciders[depth], deciders[0], backup)
            for seat in range(OWNERS):
                tree.worths[node, seat] = tree.worths[best, seat]
