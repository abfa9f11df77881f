"""The simulations of a tree search, compiled: down the tree, a new node, and a game that is played on from there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.values import VIEW
from hansa_agents.search.compiled_network import Network, Scratch, encode, new_scratch
from hansa_agents.search.evaluation import evaluate
from hansa_agents.search.idling import NOBODY_PASSES, passing
from hansa_agents.search.nodes import NONE, Tree, add_node, back_up, liking, new_tree
from hansa_agents.search.policy import likeliest, policy_logits
from hansa_agents.streams import later
from hansa_env.engine.action_space import count_legal, is_legal, nth_legal
from hansa_env.engine.bits import bit, size
from hansa_env.engine.compile import inner, kernel, merged
from hansa_env.engine.rules.scoring import win_share
from hansa_env.engine.rules.setup import reshuffle_hidden
from hansa_env.engine.state import OVER, OWNERS, new_games
from hansa_env.engine.step import step


class Settings(NamedTuple):
    """How the tree grows, see `TreeAgent`."""

    backup: int
    prior_weight: float
    c_puct: float
    fpu_reduction: float
    by_policy: bool  # who plays on from the leaves: the network, or a style
    others_by_policy: bool  # how the others decide in the tree: as the network would, or as the tree finds best for them


class Workspace(NamedTuple):
    """Arrays that a search works in, of a budget of M simulations."""

    tree: Tree
    path: np.ndarray  # (M,) int64, the nodes of a simulation
    deciders: np.ndarray  # (M,) int64, the seats that decided there
    worths: np.ndarray  # (OWNERS,) float64, what the simulation came to
    games: np.ndarray  # (1,) record, the simulation's
    views: np.ndarray  # (1,) VIEW
    scratch: Scratch


class Ends(NamedTuple):
    """Of each decision at the root, what came of simulations that ended their games."""

    times: np.ndarray  # (A,) int64, how many
    won: np.ndarray  # (A, P) float64, the shares of the win of every seat, added up
    worths: np.ndarray  # (A, P) float64, the same of the worths


def new_ends(shape: tuple[int, ...], players: int) -> Ends:
    """Of none yet; shape: (A,), or (N, A) for as many games."""
    return Ends(np.zeros(shape, np.int64), *np.zeros((2, *shape, players)))


class Found(NamedTuple):
    """What the simulations came to, of each decision at the root."""

    visits: np.ndarray  # (A,) int64
    worths: np.ndarray  # (A, P) float64, to every seat, NaN where it was not visited
    ends: Ends

    def of(self, row: int) -> Found:
        """That of one game, where every part has a first axis of games more."""
        return Found(self.visits[row], self.worths[row], Ends(*(part[row] for part in self.ends)))


def nothing_found(shape: tuple[int, ...], players: int) -> Found:
    """Of no simulation yet; shape: (A,), or (N, A) for as many games."""
    return Found(np.zeros(shape, np.int64), np.full((*shape, players), np.nan), new_ends(shape, players))


def new_workspace(network: Network, most: int) -> Workspace:
    """A workspace for searches with a network of so many simulations at most."""
    path, deciders = np.zeros(most, np.int64), np.zeros(most, np.int64)
    work = np.zeros(OWNERS), new_games(1), np.zeros(1, VIEW)
    return Workspace(new_tree(most), path, deciders, *work, new_scratch(network))


@inner
def think(game, mind, workspace, node, prior_weight):
    """Which decisions are thought of at a node from now on, and how likely each is: what the network would do, and all of them
    evenly. What becomes legal only where other markers lie on top is not among them."""
    tree, tables = workspace.tree, mind.tables[0]
    avoided = passing(game, tables)
    if avoided != NOBODY_PASSES and decide(game, tables, mind.weights[0], workspace.views[0]) == avoided:
        avoided = NOBODY_PASSES
    count = likeliest(game, tables, mind.network, workspace.scratch, avoided, tree.actions[node], tree.shares[node])
    for i in range(count):
        tree.shares[node, i] = prior_weight * tree.shares[node, i] + (1 - prior_weight) / count
        tree.follows[node, i] = NONE
    tree.thought[node] = count


@inner
def select(game, tables, tree, node, root_seat, settings):
    """Which of the decisions thought of at a node to play, or NONE where none of them is legal in this simulation."""
    seat, reach = game["seat"], settings.c_puct * np.sqrt(tree.visits[node])
    untried = liking(tree.worths[node], seat, root_seat, settings.backup) - settings.fpu_reduction
    best, best_score = NONE, 0.0
    for i in range(tree.thought[node]):
        if is_legal(game, tables, tree.actions[node, i]):
            child, liked, visits = tree.follows[node, i], untried, 0
            if child != NONE:
                liked, visits = liking(tree.worths[child], seat, root_seat, settings.backup), tree.visits[child]
            score = liked + reach * tree.shares[node, i] / (1 + visits)
            if best == NONE or score > best_score:
                best, best_score = i, score
    return best


@inner
def follow(game, mind, workspace, by_policy, encoded):
    """What is played on from a leaf: the network's likeliest decision, or the style's.

    `encoded`: the workspace's scratch has the game already as the seat that decides sees it.
    """
    tables, scratch = mind.tables[0], workspace.scratch
    if not by_policy:
        return decide(game, tables, mind.weights[0], workspace.views[0])
    if count_legal(game) > 1:
        if not encoded:
            encode(game, tables, mind.network, scratch, game["seat"])
        policy_logits(game, tables, mind.network, scratch)
        return scratch.logits.argmax()
    return nth_legal(game, 0)


@merged
def judge(game, mind, workspace, turns, by_policy):
    """The game is played on; each seat's worth is taken at the first question of its first turn after so many turns.

    Where the game ends before all have had a turn, what came of it counts for every seat.
    """
    tables, worths, scratch = mind.tables[0], workspace.worths, workspace.scratch
    players, judged = tables["players"], 0
    while game["asked"] != OVER:
        turn = game["turn"]
        is_due = game["turns"] > turns and game["seat"] == turn and judged & bit(turn) == 0
        if is_due:
            worths[turn] = evaluate(game, tables, mind.network, scratch, turn)
            judged |= bit(turn)
            if size(judged) == players:
                return
        step(game, tables, follow(game, mind, workspace, by_policy, is_due))
    for seat in range(players):
        worths[seat] = evaluate(game, tables, mind.network, scratch, seat)


@merged
def answer(game, mind, workspace, seat):
    """The others decide as the network would, until the seat is asked again or the game is over."""
    while game["asked"] != OVER and game["seat"] != seat:
        step(game, mind.tables[0], follow(game, mind, workspace, True, False))


@merged
def simulate(root, mind, state, settings, workspace):
    """One simulation from a game; what lies hidden follows from the random word `state`."""
    tree, game, tables = workspace.tree, workspace.games[0], mind.tables[0]
    workspace.games[0] = root
    reshuffle_hidden(game, tables, state)
    node, last, turns = 0, 0, game["turns"]
    workspace.path[0], workspace.deciders[0] = 0, game["seat"]
    if tree.made[0] == 0:
        add_node(tree)
    while tree.visits[node] > 0 and game["asked"] != OVER:
        workspace.deciders[last], turns = game["seat"], game["turns"]
        if tree.thought[node] == NONE:
            think(game, mind, workspace, node, settings.prior_weight)
        chosen = select(game, tables, tree, node, workspace.deciders[0], settings)
        if chosen == NONE:  # nobody will find this node again, but it is judged for those on the way
            step(game, tables, decide(game, tables, mind.weights[0], workspace.views[0]))
            node = add_node(tree)
        else:
            step(game, tables, tree.actions[node, chosen])
            if tree.follows[node, chosen] == NONE:
                tree.follows[node, chosen] = add_node(tree)
            node = tree.follows[node, chosen]
        if settings.others_by_policy:
            answer(game, mind, workspace, workspace.deciders[0])
        last += 1
        workspace.path[last] = node
    judge(game, mind, workspace, turns, settings.by_policy)
    back_up(tree, workspace.path, workspace.deciders, last, workspace.worths, settings.backup)


@inner
def is_settled(tree, left):
    """Whether so many more visits cannot make another decision at the root the most visited one."""
    most, second = 0, 0
    for k in range(max(0, tree.thought[0])):
        child = tree.follows[0, k]
        visits = tree.visits[child] if child != NONE else 0
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
    return most - second > left


@inner
def note_end(tables, workspace, ends):
    """Add a simulation that has just ended its game to those of its decision at the root; the very first decided nothing."""
    tree, scores = workspace.tree, workspace.scratch.scores  # which `judge` has counted
    for k in range(max(0, tree.thought[0])):
        if tree.follows[0, k] == workspace.path[1] and tree.visits[0] > 1:
            action = tree.actions[0, k]
            ends.times[action] += 1
            for seat in range(tables["players"]):
                ends.won[action, seat] += win_share(workspace.games[0], tables, scores, seat)
                ends.worths[action, seat] += workspace.worths[seat]


@kernel
def grow(games, i, mind, key, first, count, settled, settings, workspace, found):
    """Simulations number `first` .. `first + count - 1` of game i; the first of all begins a new tree.

    What they came to goes into `found`. With `settled` it ends as soon as the rest can no longer change which decision is
    visited most.
    """
    tree = workspace.tree
    if first == 0:
        tree.made[0] = 0
    for number in range(first, first + count):
        simulate(games[i], mind, later(key, number), settings, workspace)
        if workspace.games[0]["asked"] == OVER:
            note_end(mind.tables[0], workspace, found.ends)
        if settled and is_settled(tree, first + count - 1 - number):
            break
    for k in range(tree.thought[0]):
        action, child = tree.actions[0, k], tree.follows[0, k]
        if child != NONE:
            found.visits[action] = tree.visits[child]
            for seat in range(found.worths.shape[1]):
                found.worths[action, seat] = tree.worths[child, seat]
