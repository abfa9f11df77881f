"""Monte Carlo tree search with a value for every seat, compiled: over own turns and those of the others.

Every simulation begins at the position asked about, with the hidden markers reshuffled, and walks down the tree by playing
decisions (an open loop: a node stands for the decisions that led to it, not for one position). What to play is weighed as in
PUCT (Silver et al. 2017), from the side of the seat that decides; likely is what the trained network would do. The first
decision that is not in the tree adds a node, which is judged: the network, or scripted players, play about one round on, and
each seat's worth is taken where that seat begins its next turn.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from hansa_agents.options import MOST_SIMS, checked_number, checked_whole, options
from hansa_agents.scripted.agent import GREEDY
from hansa_agents.search.compiled_network import Network, network_hash, network_of_agent
from hansa_agents.search.foreseen import Foreseen
from hansa_agents.search.mind import mind_of
from hansa_agents.search.nodes import BACKUPS, MEAN
from hansa_agents.search.puct import Found, Settings, grow, new_workspace, nothing_found
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import streams_of
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate
from hansa_env.ruleset import Ruleset

#: How few and how many simulations there may be, and how many between two looks at the clock.
FEWEST, MOST, BETWEEN_LOOKS = 2, MOST_SIMS, 32
#: The style of who plays on from the leaves where that is the network.
POLICY = "policy"
#: How the others may decide in the tree.
OTHERS = ("search", POLICY)
#: Options that were called otherwise up to version 0.2.
RENAMED = {"trust": "prior_weight", "explore": "c_puct", "caution": "fpu_reduction"}


class TreeAgent(Agent):
    """Searches a tree of its own decisions and those of the others.

    Args:
        ruleset: the game it is to play.
        seed: of the orders in which it takes the hidden markers to lie.
        style: who plays on from the leaves, POLICY, "greedy" or a style; by default the network does, and "greedy" where it
            thinks with the networks of version 0.2, as it did then.
        sims: simulations for a decision, FEWEST to MOST.
        seconds: where above 0, the time for a decision, in place of `sims`: then its choices cannot be made again.
        backup: what a node is worth: "mean" of its simulations; "maxn", what the decision is worth that its seat likes best
            of those visited enough; "paranoid", the same, but the others choose what is worst for the seat at the root.
        prior_weight: the share, 0 to 1, of the probability that lies beforehand on what the network would do; the rest is even
            over the decisions that are thought of, its WIDE likeliest ones.
        c_puct: how much is tried beside what looks best, in the unit of worth (half a win, half a lead of 20 points).
        fpu_reduction: by how much less than its node a decision that has not been tried is thought to be worth.
        others: how the others decide in the tree: "search", as the tree finds best for them, or "policy", as the network would.
            Among agents that play the network's likeliest decisions the second is a search for the best response to them
            (IS-MCTS-BR of Timbers et al. 2022).
        network: "0.2" or "narrow", the networks that it thinks with (`hansa_agents.networks.YARDSTICKS`); by default today's.
        model: in place of these, a model file of `hansa train` or the folder of a run that is done.

    It takes the decision most visited. With `sims` that is a function of its seed and the game record: the same game goes the
    same way alone or in any batch.
    """

    sees = "games"
    values_decisions = True

    def __init__(
        self, ruleset: Ruleset, seed: int = 0, style: str = "", sims: int = 800, seconds: float = 0.0, backup: str = "mean",
        prior_weight: float = 0.5, c_puct: float = 0.25, fpu_reduction: float = 0.1, network: str = "", model: str = "",
        others: str = OTHERS[0],
    ) -> None:  # fmt: skip
        self.ruleset, self.seed = ruleset, seed
        self.sims = checked_whole("tree", "sims", sims, FEWEST, MOST)
        self.seconds = checked_number("tree", "seconds", seconds)
        rates = (
            checked_number("tree", "prior_weight", prior_weight, most=1),
            checked_number("tree", "c_puct", c_puct),
            checked_number("tree", "fpu_reduction", fpu_reduction),
        )
        if backup not in BACKUPS:
            raise AgentError(f"tree: backup is {backup!r}; expected {', '.join(BACKUPS)}")
        if others not in OTHERS:
            raise AgentError(f"tree: others is {others!r}; expected {', '.join(OTHERS)}")
        if others == POLICY and backup == "paranoid":
            raise AgentError(
                "tree: others=policy, where nobody else decides in the tree, with backup=paranoid; expected one of them"
            )
        style = style or (GREEDY if network == "0.2" else POLICY)
        self.settings = Settings(BACKUPS.index(backup), *rates, style == POLICY, others == POLICY)
        self._mind = mind_of(ruleset, GREEDY if style == POLICY else style, network_of_agent("tree", ruleset, network, model))

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> TreeAgent:
        """The agent of a spec `tree` or `tree:sims=1000,backup=maxn`. Raises AgentError."""
        return cls(ruleset, seed, **options("tree", argument, cls, RENAMED))

    def think_with(self, network: Network) -> None:
        """Use other weights from now on, such as those of a network that is still learning."""
        self._mind = self._mind._replace(network=network)

    @property
    def model_hash(self) -> str:
        """Of its network."""
        return network_hash(self._mind.network)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,); what there is no choice about is taken without a search."""
        actions, rows = masks.argmax(axis=1), np.flatnonzero(masks.sum(axis=1) > 1)
        actions[rows] = self.search(game_records(inputs)[rows], masks[rows], settled=True)[0].argmax(axis=1)
        return without_idle_rows(actions, masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """The shares of the visits, and what these came to as shares of the win, also where there is no choice."""
        visits, worths, ends = self._search(inputs, masks)
        shares = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        rows, actions = np.nonzero(visits)
        times, count = (what[rows, actions][:, None] for what in (ends.times, visits))
        values = worths[rows, actions]  # each seat's is taken at a question of its own
        if self.settings.backup == MEAN:  # of the simulations that go on
            values = (values * count - ends.worths[rows, actions]) / np.maximum(count - times, 1)
        results = ends.won[rows, actions] / count
        won = shares_of_win(self.ruleset, Foreseen(inputs[rows], values, np.ones(values.shape), (times / count)[:, 0], results))
        after, of_seats = np.full(masks.shape, np.nan), np.zeros((len(masks), self.ruleset.players))
        after[rows, actions] = won[np.arange(len(rows)), seats[rows]]
        np.add.at(of_seats, rows, won * shares[rows, actions][:, None])
        return estimate_by(self.ruleset, inputs, shares, of_seats, after)

    def search(self, games: np.ndarray, masks: np.ndarray, settled: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """How often each decision was visited, (N, A) int64, and its worth to every seat, (N, A, P) float64, NaN where not.

        With `settled` a search by `sims` ends once it is settled which decision is visited most.
        """
        visits, worths, _ = self._search(games, masks, settled)
        return visits, worths

    def _search(self, games: np.ndarray, masks: np.ndarray, settled: bool = False) -> Found:
        """The same, and what came of simulations that ended their games, each part (N, ...)."""
        settled = settled and not self.seconds > 0
        games = game_records(games)
        found, rows = nothing_found(masks.shape, self.ruleset.players), np.flatnonzero(masks.any(axis=1))
        workspace = new_workspace(self._mind.network, MOST if self.seconds > 0 else self.sims)
        for row, key in zip(rows.tolist(), streams_of(games.take(rows), self.seed)):
            for first, count in self._shares_of_budget():
                grow(games, row, self._mind, key, first, count, settled, self.settings, workspace, found.of(row))
        return found

    def _shares_of_budget(self):
        """First simulation and how many, again and again until the budget is spent."""
        if not self.seconds > 0:
            yield 0, self.sims
            return
        end = perf_counter() + self.seconds
        for first in range(0, MOST - MOST % BETWEEN_LOOKS, BETWEEN_LOOKS):
            yield first, BETWEEN_LOOKS
            if perf_counter() >= end:
                return
