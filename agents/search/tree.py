"""Monte Carlo tree search with a value for every seat, compiled: over own turns and those of the others.

Every simulation begins at the position asked about, with the hidden markers reshuffled, and walks down the tree by playing
decisions (an open loop: a node stands for the decisions that led to it, not for one position). What to play is weighed as in
PUCT (Silver et al. 2017), from the side of the seat that decides; likely is what the trained network would do. The first
decision that is not in the tree adds a node, which is judged: the network, or scripted players, play about one round on, and
each seat's worth is taken where that seat begins its next turn.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from hansa_agents.options import options
from hansa_agents.scripted.agent import GREEDY, style_weights
from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.values import VIEW
from hansa_agents.search.evaluation import evaluate
from hansa_agents.search.foreseen import Foreseen
from hansa_agents.search.idling import NOBODY_PASSES, passing
from hansa_agents.search.network import Network, Scratch, encode, network_hash, network_of_agent, new_scratch
from hansa_agents.search.nodes import BACKUPS, NONE, Tree, add_node, back_up, liking, new_tree
from hansa_agents.search.policy import likeliest, policy_logits
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import later, streams_of
from hansa_env.engine.bits import bit, size
from hansa_env.engine.compile import inner, kernel, merged
from hansa_env.engine.decisions import count_legal, is_legal, nth_legal
from hansa_env.engine.rules.setup import reshuffle_hidden
from hansa_env.engine.state import OVER, OWNERS, new_games
from hansa_env.engine.step import step
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate
from hansa_env.ruleset import Ruleset

#: How many simulations there may be, and between two looks at the clock.
MOST, BETWEEN_LOOKS = 200_000, 32
#: The style of who plays on from the leaves where that is the network.
POLICY = "policy"
#: Options that were called otherwise up to version 0.2.
RENAMED = {"trust": "prior_weight", "explore": "c_puct", "caution": "fpu_reduction"}


class Settings(NamedTuple):
    """How the tree grows, see `TreeAgent`."""

    backup: int
    prior_weight: float
    c_puct: float
    fpu_reduction: float
    by_policy: bool  # who plays on from the leaves: the network, or a style


class Workspace(NamedTuple):
    """Arrays that a search works in, of a budget of M simulations."""

    tree: Tree
    path: np.ndarray  # (M,) int64, the nodes of a simulation
    deciders: np.ndarray  # (M,) int64, the seats that decided there
    worths: np.ndarray  # (OWNERS,) float64, what the simulation came to
    games: np.ndarray  # (1,) record, the simulation's
    views: np.ndarray  # (1,) VIEW
    scratch: Scratch


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


@kernel
def grow(games, i, tables, weights, network, key, first, count, settled, settings, workspace, visits, worths):
    """Simulations number `first` .. `first + count - 1` of game i; the first of all begins a new tree.

    Visits of each decision at the root into visits (A,), and its worth to every seat into worths (A, P). With `settled` it ends
    as soon as the rest can no longer change which decision is visited most.
    """
    tree = workspace.tree
    if first == 0:
        tree.made[0] = 0
    for number in range(first, first + count):
        simulate(games[i], tables[0], weights[0], network, later(key, number), settings, workspace)
        if settled and is_settled(tree, first + count - 1 - number):
            break
    for k in range(tree.thought[0]):
        action, child = tree.actions[0, k], tree.follows[0, k]
        if child != NONE:
            visits[action] = tree.visits[child]
            for seat in range(worths.shape[1]):
                worths[action, seat] = tree.worths[child, seat]


class TreeAgent(Agent):
    """Searches a tree of its own decisions and those of the others.

    Args:
        ruleset: the game it is to play.
        seed: of the orders in which it takes the hidden markers to lie.
        style: who plays on from the leaves, POLICY, "greedy" or a style; by default the network does, and "greedy" where it
            thinks with the networks of an earlier version.
        sims: simulations for a decision, 2 to MOST.
        seconds: where above 0, the time for a decision, in place of `sims`: then its choices cannot be made again.
        backup: what a node is worth: "mean" of its simulations; "maxn", what the decision is worth that its seat likes best
            of those visited enough; "paranoid", the same, but the others choose what is worst for the seat at the root.
        prior_weight: the share, 0 to 1, of the probability that lies beforehand on what the network would do; the rest is even
            over the decisions that are thought of, its WIDE likeliest ones.
        c_puct: how much is tried beside what looks best, in the unit of worth (half a win, half a lead of 20 points).
        fpu_reduction: by how much less than its node a decision that has not been tried is thought to be worth.
        network: the version of the project whose networks it thinks with ("0.2"); by default today's.
        model: in place of these, a model file of `hansa train` or the folder of a run that is done.

    It takes the decision most visited. With `sims` that is a function of its seed and the game record: the same game goes the
    same way alone or in any batch.
    """

    sees = "games"

    def __init__(
        self, ruleset: Ruleset, seed: int = 0, style: str = "", sims: int = 800, seconds: float = 0.0, backup: str = "mean",
        prior_weight: float = 0.5, c_puct: float = 0.25, fpu_reduction: float = 0.1, network: str = "", model: str = "",
    ) -> None:  # fmt: skip
        if not 2 <= sims <= MOST:
            raise AgentError(f"tree: sims is {sims}; expected 2 to {MOST}")
        if backup not in BACKUPS:
            raise AgentError(f"tree: backup is {backup!r}; expected {', '.join(BACKUPS)}")
        if not 0 <= prior_weight <= 1:
            raise AgentError(f"tree: prior_weight is {prior_weight:g}; expected 0 to 1")
        for name, value in (("seconds", seconds), ("c_puct", c_puct), ("fpu_reduction", fpu_reduction)):
            if not 0 <= value < np.inf:
                raise AgentError(f"tree: {name} is {value:g}; expected a number of at least 0")
        self.ruleset, self.seed, self.sims, self.seconds = ruleset, seed, sims, seconds
        style = style or (GREEDY if network else POLICY)
        rates = float(prior_weight), float(c_puct), float(fpu_reduction)
        self.settings = Settings(BACKUPS.index(backup), *rates, by_policy=style == POLICY)
        self._weights = style_weights(GREEDY if style == POLICY else style)
        self._network = network_of_agent("tree", ruleset, network, model)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> TreeAgent:
        """The agent of a spec `tree` or `tree:sims=1000,backup=maxn`. Raises AgentError."""
        return cls(ruleset, seed, **options("tree", argument, cls, RENAMED))

    def think_with(self, network: Network) -> None:
        """Use other weights from now on, such as those of a network that is still learning."""
        self._network = network

    @property
    def model_hash(self) -> str:
        """Of its network."""
        return network_hash(self._network)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,); what there is no choice about is taken without a search."""
        actions, rows = masks.argmax(axis=1), np.flatnonzero(masks.sum(axis=1) > 1)
        actions[rows] = self.search(game_records(inputs)[rows], masks[rows], settled=True)[0].argmax(axis=1)
        return without_idle_rows(actions, masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """The shares of the visits, and what these came to as shares of the win, also where there is no choice."""
        visits, worths = self.search(inputs, masks)
        shares = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        rows, actions = np.nonzero(visits)
        worths = worths[rows, actions]  # each seat's is taken at a question of its own
        won = shares_of_win(self.ruleset, Foreseen(inputs[rows], worths, np.ones(worths.shape), np.zeros(len(rows))))
        after, of_seats = np.full(masks.shape, np.nan), np.zeros((len(masks), self.ruleset.players))
        after[rows, actions] = won[np.arange(len(rows)), seats[rows]]
        np.add.at(of_seats, rows, won * shares[rows, actions][:, None])
        return estimate_by(self.ruleset, inputs, shares, of_seats, after)

    def search(self, games: np.ndarray, masks: np.ndarray, settled: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """How often each decision was visited, (N, A) int64, and its worth to every seat, (N, A, P) float64, NaN where not.

        With `settled` a search by `sims` ends once it is settled which decision is visited most.
        """
        settled = settled and not self.seconds > 0
        games = game_records(games)
        visits, worths = np.zeros(masks.shape, np.int64), np.full((*masks.shape, self.ruleset.players), np.nan)
        rows = np.flatnonzero(masks.any(axis=1))
        workspace = new_workspace(self._network, MOST if self.seconds > 0 else self.sims)
        for row, key in zip(rows, streams_of(games.take(rows), self.seed)):
            for first, count in self._shares_of_budget():
                given = tables_of(self.ruleset), self._weights, self._network, key
                grow(games, row, *given, first, count, settled, self.settings, workspace, visits[row], worths[row])
        return visits, worths

    def _shares_of_budget(self):
        """First simulation and how many, again and again until the budget is spent."""
        if not self.seconds > 0:
            yield 0, self.sims
            return
        end = time.perf_counter() + self.seconds
        for first in range(0, MOST - MOST % BETWEEN_LOOKS, BETWEEN_LOOKS):
            yield first, BETWEEN_LOOKS
            if time.perf_counter() >= end:
                return
