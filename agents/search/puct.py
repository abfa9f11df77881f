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


def new_workspace(network: Network, most: int) -> Workspace:
    """A workspace for searches with a network of so many simulations at most."""
    path, deciders = np.zeros(most, np.int64), np.zeros(most, np.int64)
    work = np.zeros(OWNERS), new_games(1), np.zeros(1, VIEW)
    return Workspace(new_tree(most), path, deciders, *work, new_scratch(network))


@inner
def think(game, tables, weights, view, network, scratch, tree, node, prior_weight):
    """Which decisions are thought of at a node from now on, and how likely each is: what the network would do, and all of them
    evenly. What becomes legal only where other markers lie on top is not among them."""
    avoided = passing(game, tables)
    if avoided != NOBODY_PASSES and decide(game, tables, weights, view) == avoided:
        avoided = NOBODY_PASSES
    count = likeliest(game, tables, network, scratch, avoided, tree.actions[node], tree.shares[node])
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
def follow(game, tables, weights, view, network, scratch, by_policy, encoded):
    """What is played on from a leaf: the network's likeliest decision, or the style's.

    `encoded`: `scratch` has the game already as the seat that decides sees it.
    """
    if not by_policy:
        return decide(game, tables, weights, view)
    if count_legal(game) > 1:
        if not encoded:
            encode(game, tables, network, scratch, game["seat"])
        policy_logits(game, tables, network, scratch)
        return scratch.logits.argmax()
    return nth_legal(game, 0)


@merged
def judge(game, tables, weights, view, network, scratch, turns, worths, by_policy):
    """The game is played on; each seat's worth is taken at the first question of its first turn after so many turns.

    Where the game ends before all have had a turn, what came of it counts for every seat.
    """
    players, judged = tables["players"], 0
    while game["asked"] != OVER:
        turn = game["turn"]
        is_due = game["turns"] > turns and game["seat"] == turn and judged & bit(turn) == 0
        if is_due:
            worths[turn] = evaluate(game, tables, network, scratch, turn)
            judged |= bit(turn)
            if size(judged) == players:
                return
        step(game, tables, follow(game, tables, weights, view, network, scratch, by_policy, is_due))
    for seat in range(players):
        worths[seat] = evaluate(game, tables, network, scratch, seat)


@merged
def answer(game, tables, weights, view, network, scratch, seat):
    """The others decide as the network would, until the seat is asked again or the game is over."""
    while game["asked"] != OVER and game["seat"] != seat:
        step(game, tables, follow(game, tables, weights, view, network, scratch, True, False))


@merged
def simulate(root, tables, weights, network, state, settings, workspace):
    """One simulation from a game; what lies hidden follows from the random word `state`."""
    tree, game, view = workspace.tree, workspace.games[0], workspace.views[0]
    workspace.games[0] = root
    reshuffle_hidden(game, tables, state)
    node, last, turns = 0, 0, game["turns"]
    workspace.path[0], workspace.deciders[0] = 0, game["seat"]
    if tree.made[0] == 0:
        add_node(tree)
    while tree.visits[node] > 0 and game["asked"] != OVER:
        workspace.deciders[last], turns = game["seat"], game["turns"]
        if tree.thought[node] == NONE:
            think(game, tables, weights, view, network, workspace.scratch, tree, node, settings.prior_weight)
        chosen = select(game, tables, tree, node, workspace.deciders[0], settings)
        if chosen == NONE:  # nobody will find this node again, but it is judged for those on the way
            step(game, tables, decide(game, tables, weights, view))
            node = add_node(tree)
        else:
            step(game, tables, tree.actions[node, chosen])
            if tree.follows[node, chosen] == NONE:
                tree.follows[node, chosen] = add_node(tree)
            node = tree.follows[node, chosen]
        if settings.others_by_policy:
            answer(game, tables, weights, view, network, workspace.scratch, workspace.deciders[0])
        last += 1
        workspace.path[last] = node
    judge(game, tables, weights, view, network, workspace.scratch, turns, workspace.worths, settings.by_policy)
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
def grow(games, i, tables, weights, network, key, first, count, settled, settings, workspace, visits, worths, ends):
    """Simulations number `first` .. `first + count - 1` of game i; the first of all begins a new tree.

    Visits of each decision at the root into visits (A,), and its worth to every seat into worths (A, P). With `settled` it ends
    as soon as the rest can no longer change which decision is visited most. What came of simulations that ended their games
    is added to `ends`.
    """
    tree = workspace.tree
    if first == 0:
        tree.made[0] = 0
    for number in range(first, first + count):
        simulate(games[i], tables[0], weights[0], network, later(key, number), settings, workspace)
        if workspace.games[0]["asked"] == OVER:
            note_end(tables[0], workspace, ends)
        if settled and is_settled(tree, first + count - 1 - number):
            break
    for k in range(tree.thought[0]):
        action, child = tree.actions[0, k], tree.follows[0, k]
        if child != NONE:
            visits[action] = tree.visits[child]
            for seat in range(worths.shape[1]):
                worths[action, seat] = tree.worths[child, seat]
