"""A search that improves a trained network's decisions: sequential halving over playouts that the network plays and ends.

The likeliest decisions of the network are tried, each in many copies of the game whose hidden markers are reshuffled. The
network plays every seat, drawing from its policy, up to the first question of the seat's next turn, and its value there, or
what the end of the game is worth, is the outcome. The half with the better outcomes is tried on, in more copies, until one
decision is left. Halving, and how outcomes are weighed against what the policy thinks likely, follow Danihelka, Guez,
Schrittwieser and Silver (2022) without their random start.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from scipy.special import softmax

from hansa_agents import Agent
from hansa_agents.networks.answers import check_answer
from hansa_agents.options import checked_number, checked_whole, options
from hansa_agents.search.foreseen import Foreseen, foresee, results_of
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import advance, streams_of
from hansa_env import Ruleset
from hansa_env.engine import kernels, state
from hansa_env.engine.kernels import GOES_ON, NO_ACTION, StepBuffers
from hansa_env.engine.rules.scoring import BY_WIN, TOTAL
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import game_records, masks_of, observations_of, without_idle_rows
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate
from hansa_training.agent import load_player, look, weights_hash
from hansa_training.end_worth import Worth
from hansa_training.networks import evaluate, is_ours
from hansa_training.networks.drawing import draw
from hansa_training.workers import one_thread

#: How much more an outcome counts than the policy's logit, once it has been visited often: Danihelka et al.'s c_visit.
VISITS = 50.0
#: Options that were called otherwise up to version 0.2.
RENAMED = {"wide": "top_k", "trust": "c_scale"}


class Found(NamedTuple):
    """What a search of N games found.

    Attributes:
        choice: (N,) the decision taken; scores: (N, A) log-probabilities, values: (N,), both of the network.
        sums: (N, A) outcomes, added up; visits: (N, A) how many.
        ended: (N, A) how many of these ended the game; at_ends: (N, A) their outcomes, won: (N, A) their shares of the win for
            who decides, added up.
    """

    choice: np.ndarray
    scores: np.ndarray
    values: np.ndarray
    sums: np.ndarray
    visits: np.ndarray
    ended: np.ndarray
    at_ends: np.ndarray
    won: np.ndarray

    @property
    def outcomes(self) -> np.ndarray:
        """(N, A) mean outcomes, 0 where a decision was not tried."""
        return self.sums / np.maximum(self.visits, 1)

    def improved(self, c_scale: float) -> np.ndarray:
        """The improved policy (N, A); what was not tried counts with the mean of what was."""
        likely, tried = np.exp(self.scores), self.visits > 0
        known = likely * tried
        mean = (known * self.outcomes).sum(1) / np.maximum(known.sum(1), 1e-30)
        mean = np.where(tried.any(1), mean, self.values)
        outcomes = np.where(tried, self.outcomes, mean[:, None])
        weights = self.scores + c_scale * (VISITS + self.visits.max(1, keepdims=True)) * outcomes
        return softmax(weights, axis=1)


class SearchAgent(Agent):
    """A trained network with a search over its decisions.

    Args:
        ruleset: the game it is to play.
        seed: of the copies of games that it plays.
        model: as after `ppo:`, "" = the agent that comes with the project.
        sims: playouts for a decision; those that are tried have at least one each between two halvings, so there may be more.
        top_k: how many of the likeliest decisions are tried, at most.
        sure: a decision at least so likely is taken without a search.
        c_scale: how much an outcome counts against the policy.

    Its choice follows from its seed and the game record, apart from the rounding of a network that is asked about more
    or fewer games at once.
    """

    sees = "games"
    values_decisions = True

    def __init__(
        self, ruleset: Ruleset, seed: int = 0, model: str = "", sims: int = 200, top_k: int = 16, sure: float = 0.98,
        c_scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.ruleset, self.seed = ruleset, seed
        self.sims, self.top_k = checked_whole("search", "sims", sims), checked_whole("search", "top_k", top_k)
        self.sure, self.c_scale = checked_number("search", "sure", sure, most=1), checked_number("search", "c_scale", c_scale)
        policy = load_player(Path(model) if model else None, ruleset)
        if not is_ours(policy):
            raise AgentError(f"search: {model} is no network of this project; expected a model file of `hansa train`")
        self.policy = policy
        self.worth = Worth()

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> SearchAgent:
        """The agent of a spec `search` or `search:sims=100,model=runs/ppo`. Raises AgentError, ModelError."""
        return cls(ruleset, seed, **options("search", argument, cls, RENAMED))

    @property
    def model_hash(self) -> str:
        """Of the weights."""
        return weights_hash(self.policy)

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = game_records(inputs)
        actions = np.full(len(games), NO_ACTION)
        rows = np.flatnonzero(masks.any(1))
        if len(rows):
            with one_thread():
                actions[rows] = self._search(games.take(rows), masks[rows]).choice
        return without_idle_rows(actions, masks)

    @torch.no_grad()
    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """The policy as the search improves it, and what its playouts came to as shares of the win.

        Shares weigh the network's own and the mean outcomes as the search itself does (Danihelka et al.'s improved policy). The
        decision taken is nearly always the likeliest. A decision is worth what its playouts came to: the results of those that
        ended the game, and of the others what the network gives at their ends; the position is worth the mean under these
        shares. The other seats share the rest as the network foresees it without a search. Where the network is sure nothing is
        searched, and all is as the network foresees it. A decision without an alternative is played out like others.
        """
        games, rows = game_records(inputs), np.flatnonzero(masks.any(1))
        shares, of_seats = np.zeros(masks.shape, np.float32), np.zeros((len(masks), self.ruleset.players))
        after = np.full(masks.shape, np.nan)
        if len(rows):
            there, deciding = games.take(rows), seats[rows]
            with one_thread():
                found = self._search(there, masks[rows], forced=True)
                foreseen = foresee(self.ruleset, there, partial(look, self.policy))
            improved = found.improved(self.c_scale)
            shares[rows] = np.where(masks[rows], improved, 0)
            tried, actions = np.nonzero(found.visits)
            won = self._won(found, foreseen, tried, actions, deciding[tried])
            likely = np.bincount(tried, improved[tried, actions], len(rows))
            mean = np.bincount(tried, improved[tried, actions] * won, len(rows)) / np.maximum(likely, 1e-30)
            of_seats[rows] = _with_own(shares_of_win(self.ruleset, foreseen), deciding, np.where(likely > 0, mean, np.nan))
            after[rows, found.choice] = of_seats[rows, deciding]  # stands where nothing was tried
            after[rows[tried], actions] = won
        return estimate_by(self.ruleset, games, shares, of_seats, after)

    def _won(
        self, found: Found, foreseen: Foreseen, rows: np.ndarray, actions: np.ndarray, seats: np.ndarray
    ) -> np.ndarray:  # fmt: skip
        """The share of the win, (M,), that tried decisions in positions `rows` (M,) come to for the seats (M,) that decide."""
        every = np.arange(len(rows))
        visits, ended = found.visits[rows, actions], found.ended[rows, actions]
        on = Foreseen.going_on(foreseen.games[rows], foreseen.values[rows], foreseen.own[rows])
        on.values[every, seats] = (found.sums - found.at_ends)[rows, actions] / np.maximum(visits - ended, 1)
        on.own[every, seats] = 1
        going_on = shares_of_win(self.ruleset, on)[every, seats]
        return (found.won[rows, actions] + (visits - ended) * going_on) / visits

    def _search(self, games: np.ndarray, masks: np.ndarray, forced: bool = False) -> Found:
        """What a search finds; with `forced` also what a decision comes to that is the only one."""
        logits, values = self._evaluate(games)
        scores = logits.log_softmax(1).numpy().astype(np.float64)
        order = np.argsort(-scores, axis=1, kind="stable")
        choice = order[:, 0].copy()
        unsure = np.flatnonzero(np.exp(scores[np.arange(len(games)), choice]) < self.sure)
        if forced:
            unsure = np.union1d(unsure, np.flatnonzero(masks.sum(1) == 1))
        left = {row: order[row, : min(self.top_k, int(masks[row].sum()))] for row in unsure}
        phases = {row: max(1, math.ceil(math.log2(len(actions)))) for row, actions in left.items()}
        sums, at_ends, won = np.zeros((3, *scores.shape))
        visits, ended = np.zeros((2, *scores.shape), np.int64)
        streams = streams_of(games, self.seed)
        while left := {row: actions for row, actions in left.items() if len(actions) > 1 or (forced and not visits[row].any())}:
            parts = [
                (row, action, first)
                for row, actions in left.items()
                for first in range(max(1, self.sims // (phases[row] * len(actions))))
                for action in actions
            ]
            where = np.array([part[0] for part in parts])
            tried = np.array([part[1] for part in parts])
            numbers = visits[where, tried] + np.array([part[2] for part in parts])
            keys = streams[where]
            advance(keys, numbers + 1)
            outcomes, shares = self._play(games.take(where), tried, keys)
            over = ~np.isnan(shares)
            results = (ended, over), (at_ends, outcomes * over), (won, np.nan_to_num(shares))
            for total, what in (sums, outcomes), (visits, 1), *results:
                np.add.at(total, (where, tried), what)
            for row, actions in left.items():
                outcome = sums[row, actions] / visits[row, actions]
                weight = self.c_scale * (VISITS + visits[row, actions].max())
                best = np.argsort(-(scores[row, actions] + weight * outcome), kind="stable")
                left[row] = actions[best[: (len(actions) + 1) // 2]]
                choice[row] = left[row][0]
        return Found(choice, scores, values, sums, visits, ended, at_ends, won)

    def _play(self, games: np.ndarray, actions: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The outcomes (M,) of decisions in games (M,) for who decides, each played on by a key (M,) uint64 of its own; and its
        shares of the win (M,) where the game has ended, NaN elsewhere."""
        tables, count = tables_of(self.ruleset), len(games)
        seats, turns = games["seat"].astype(np.int64), games["turns"].copy()
        games["noise"] = keys
        copies = state.new_games(count)
        kernels.hide_games(games, tables, copies)
        outcomes, won = np.zeros(count), np.full(count, np.nan)
        rows, words = np.arange(count), keys
        written = StepBuffers.of(self.ruleset, count)
        while len(rows):
            size = len(rows)
            kernels.step_games(copies, tables, actions, BY_WIN, False, *written, 0, size)
            over = written.ended[:size] != GOES_ON
            if over.any():
                worths = self.worth.of(written.rewards[:size][over], written.final_scores[:size, :, TOTAL][over])
                own = np.arange(len(worths)), seats[rows[over]]
                outcomes[rows[over]] = worths[own]
                won[rows[over]] = results_of(self.ruleset, copies.take(np.flatnonzero(over)))[own]
                rows, words, copies = rows[~over], words[~over], copies.take(np.flatnonzero(~over))
                if not len(rows):
                    break
            logits, values = self._evaluate(copies)
            own = (copies["turns"] > turns[rows]) & (copies["turn"] == seats[rows]) & (copies["seat"] == seats[rows])
            outcomes[rows[own]] = values[own]
            on = np.flatnonzero(~own)
            rows, words, copies = rows[on], words[on], copies.take(on)
            advance(words, np.ones(len(words), np.int64))
            actions, _ = draw(logits[on], words)
        return outcomes, won

    def _evaluate(self, games: np.ndarray) -> tuple[torch.Tensor, np.ndarray]:
        """Logits (N, A) and values (N,) of the deciding seats of games (N,). Raises NoAnswer where these are no numbers."""
        seen, legal = observations_of(self.ruleset, games), masks_of(self.ruleset, games)
        logits, values = evaluate(self.policy, torch.from_numpy(seen), torch.from_numpy(legal))
        check_answer(logits.numpy(), legal, values.numpy())
        return logits, values.numpy()


def _with_own(shares: np.ndarray, seats: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Shares of the win (N, P) where the seats (N,) have `won` (N,), and the others the rest as before; NaN: all as before."""
    every, found = np.arange(len(shares)), shares.copy()
    before = shares[every, seats]
    known = ~np.isnan(won)
    rest = np.where(known, (1 - won) / np.maximum(1 - before, 1e-12), 1.0)
    none = known & (before > 1 - 1e-9)  # nothing was left for the others
    found *= rest[:, None]
    found[none] = ((1 - won[none]) / (shares.shape[1] - 1))[:, None]
    found[every, seats] = np.where(known, won, before)
    return found
