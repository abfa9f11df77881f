"""Policy improvement by playouts (Tesauro and Galperin 1996): a scripted player that tries its decisions out.

Every legal decision is played to the end of the game a few times, with the hidden markers reshuffled, the own seat played
by a style and the others by styles drawn anew; the best few are tried again, all on the same reshuffled games; the style's own
choice is left only for one that is better by more than its doubt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.options import checked_number, checked_whole, options
from hansa_agents.scripted.agent import GREEDY, style_weights
from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.styles import style_names
from hansa_agents.scripted.values import VIEW
from hansa_agents.search.playouts import outcome, play_out
from hansa_agents.streams import later, seed_word, stream
from hansa_env.engine.action_space import INDICES, count_legal, nth_legal
from hansa_env.engine.compile import inner, kernel, merged
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.rng import GAMMA, below, mix
from hansa_env.engine.rules.scoring import ALL_COLUMNS, win_share
from hansa_env.engine.rules.setup import reshuffle_hidden
from hansa_env.engine.state import OWNERS, new_games
from hansa_env.engine.step import step
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.estimates import Estimate, all_on
from hansa_env.ruleset import Ruleset

NEVER = -10.0  # worth of what is not tried
#: Options that were called otherwise up to version 0.2.
RENAMED = {"few": "screen_sims", "best": "top_k", "many": "final_sims"}


class Workspace(NamedTuple):
    """Arrays that the playouts of a decision work in."""

    copy: np.ndarray  # (1,) record, the game played out
    players: np.ndarray  # (OWNERS,) int64, the style of each seat
    scores: np.ndarray  # (OWNERS, columns of scores) int64
    views: np.ndarray  # (1,) VIEW
    wins: np.ndarray  # (2, INDICES) float64, by decision: shares of the win, and playouts
    means: np.ndarray  # (INDICES,) float64, worths of decisions
    worths: np.ndarray  # (2, M) float64, of each playout of the own choice and of another


def new_workspace(most: int) -> Workspace:
    """A workspace for so many playouts of a decision at a time at most."""
    scores = np.zeros((OWNERS, len(ALL_COLUMNS)), np.int64)
    values = np.zeros((2, INDICES)), np.zeros(INDICES), np.zeros((2, most))
    return Workspace(new_games(1), np.zeros(OWNERS, np.int64), scores, np.zeros(1, VIEW), *values)


@inner
def deal_playout(game, tables, number, key, styles, players, copy):
    """The playout of a number: a copy of the game whose hidden markers and whose opponents' styles follow from the number.

    It is cut off after MAX_TURNS more turns a seat if nothing else ends it before: on miniatures scripted players get stuck.
    """
    state = later(key, number)
    copy[0] = game
    last = game["turns"] + MAX_TURNS * tables["players"]
    if game["turn_limit"] == 0 or game["turn_limit"] > last:
        copy[0]["turn_limit"] = last
    reshuffle_hidden(copy[0], tables, state)
    for seat in range(tables["players"]):
        state += GAMMA
        players[seat] = 0 if seat == game["seat"] else 1 + below(mix(state), styles)
    copy[0]["noise"] = mix(state)


@inner
def try_decision(game, tables, action, first, count, key, weights, workspace, found):
    """Worths of playouts number `first` .. `first + count - 1` of a decision into found (at least count,); the mean."""
    copy, seat, total = workspace.copy, game["seat"], 0.0
    for k in range(count):
        deal_playout(game, tables, first + k, key, weights.size - 1, workspace.players, copy)
        step(copy[0], tables, action)
        play_out(copy[0], tables, weights, workspace.players, workspace.views[0])
        found[k] = outcome(copy[0], tables, workspace.scores, seat)
        total += found[k]
        workspace.wins[0, action] += win_share(copy[0], tables, workspace.scores, seat)
    workspace.wins[1, action] += count
    return total / count


@inner
def take_largest(values):
    """The place of the largest value, which becomes NEVER; −1 when all are."""
    best = -1
    for i in range(values.size):
        if values[i] > NEVER and (best < 0 or values[i] > values[best]):
            best = i
    if best >= 0:
        values[best] = NEVER
    return best


@inner
def paired_gain(worths, count):
    """Mean of worths[1] less worths[0], and its standard error."""
    mean, square = 0.0, 0.0
    for k in range(count):
        better = worths[1, k] - worths[0, k]
        mean += better / count
        square += better * better / count
    return mean, np.sqrt(max(square - mean * mean, 0.0) / max(count - 1, 1))


@merged
def improve(game, tables, weights, key, screen_sims, top_k, final_sims, doubt, workspace):
    """The decision of weights[0], or a better one: see `RolloutAgent`."""
    own, means, worths = nth_legal(game, 0), workspace.means, workspace.worths
    if count_legal(game) > 1:
        own = decide(game, tables, weights[0], workspace.views[0])
    means[:] = NEVER
    for i in range(count_legal(game)):
        action = nth_legal(game, i)
        if action != own:
            means[action] = try_decision(game, tables, action, 0, screen_sims, key, weights, workspace, worths[0])
    try_decision(game, tables, own, screen_sims, final_sims, key, weights, workspace, worths[0])
    choice, gain = own, 0.0
    for _ in range(top_k):
        action = take_largest(means)
        if action < 0:
            break
        try_decision(game, tables, action, screen_sims, final_sims, key, weights, workspace, worths[1])
        mean, error = paired_gain(worths, final_sims)
        if mean > doubt * error and mean > gain:
            choice, gain = action, mean
    return choice


@kernel
def improve_games(games, tables, weights, seed, screen_sims, top_k, final_sims, doubt, workspace, actions, shares):
    """The improved decision for each game (N,) into actions (N,), NO_ACTION where none is; of the playouts of each decision,
    the mean share of the win into shares (N, A), NaN where there were none."""
    wins = workspace.wins
    for i in range(games.size):
        wins[:] = 0.0
        if count_legal(games[i]) == 0:
            actions[i] = NO_ACTION
        else:
            key = stream(games[i], seed)
            actions[i] = improve(games[i], tables[0], weights, key, screen_sims, top_k, final_sims, doubt, workspace)
        for action in range(shares.shape[1]):
            shares[i, action] = wins[0, action] / wins[1, action] if wins[1, action] > 0 else np.nan


class RolloutAgent(Agent):
    """A scripted player that leaves its own choice where playouts say that another decision is better.

    Args:
        ruleset: the game it is to play.
        seed: of its playouts.
        style: who plays its own seat, "greedy" or a style.
        screen_sims: playouts of every legal decision.
        top_k: how many of the best of them are tried again.
        final_sims: playouts of each of those, and of the own choice, in the same reshuffled games.
        doubt: standard errors by which another decision must be better. Of a single playout none is known: it counts.

    Its choice is a function of its seed and the game record: the same game goes the same way alone or in any batch.
    """

    sees = "games"
    values_decisions = True

    def __init__(
        self, ruleset: Ruleset, seed: int = 0, style: str = GREEDY, screen_sims: int = 3, top_k: int = 5,
        final_sims: int = 16, doubt: float = 1.5,
    ) -> None:  # fmt: skip
        self.ruleset, self._seed = ruleset, seed_word(seed)
        self.screen_sims = checked_whole("rollout", "screen_sims", screen_sims)
        self.top_k = checked_whole("rollout", "top_k", top_k)
        self.final_sims = checked_whole("rollout", "final_sims", final_sims)
        self.doubt = checked_number("rollout", "doubt", doubt)
        self._weights = np.concatenate([style_weights(one) for one in (style, GREEDY, *style_names())])

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> RolloutAgent:
        """The agent of a spec `rollout` or `rollout:final_sims=32,style=link`. Raises AgentError."""
        return cls(ruleset, seed, **options("rollout", argument, cls, RENAMED))

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        return without_idle_rows(self._improve(inputs, masks)[0], masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """All on the decision it takes; as values, the mean shares of the win of its playouts.

        They are what scripted players came to: of `screen_sims` playouts for most decisions and of `final_sims` more for the
        best, so coarse, and of the decision taken a little high, since it is one that did well.
        """
        actions, shares = self._improve(inputs, masks)
        legal, values = masks.any(axis=1), np.zeros(len(masks), np.float32)
        values[legal] = shares[legal, actions[legal]]
        return Estimate(all_on(actions, masks), values, shares)

    def _improve(self, inputs: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Actions (N,) int64, and of each decision's playouts the mean share of the win, (N, A) float32."""
        games = game_records(inputs)
        actions, shares = np.empty(len(games), np.int64), np.empty(masks.shape, np.float32)
        budget = self.screen_sims, self.top_k, self.final_sims, self.doubt
        workspace = new_workspace(max(self.screen_sims, self.final_sims))
        improve_games(games, tables_of(self.ruleset), self._weights, self._seed, *budget, workspace, actions, shares)
        return actions, shares
