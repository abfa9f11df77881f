"""A search over the rest of the own turn, compiled: what it leads to is judged by a trained network's value.

Every legal decision is tried; from there scripted players finish the turn and play the turns of the others, and the
position in which the seat is to begin its next turn is judged. The best few are kept, and every decision after them is
tried in the same way, and so on, for as long as the turn goes on and the budget lasts. A position that has come about
before, in another order, is not looked at again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.options import checked_number, checked_whole, options
from hansa_agents.scripted.agent import GREEDY
from hansa_agents.scripted.choices import decide
from hansa_agents.scripted.values import VIEW
from hansa_agents.search.compiled_network import Network, Scratch, network_hash, network_of_agent, new_scratch
from hansa_agents.search.evaluation import evaluate
from hansa_agents.search.foreseen import Foreseen, asked_at, results_as_known
from hansa_agents.search.idling import passing
from hansa_agents.search.mind import mind_of
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import seed_word, stream
from hansa_env.engine.action_space import count_legal, nth_legal
from hansa_env.engine.compile import inner, kernel, merged
from hansa_env.engine.identity import hash_words, words_of
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.rules.setup import reshuffle_hidden
from hansa_env.engine.state import OVER, new_games
from hansa_env.engine.step import step
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.estimates import Estimate, all_on
from hansa_env.ruleset import Ruleset

#: How many positions may be kept after each decision, and how many decisions may be tried.
WIDEST, MOST = 64, 10_000
#: Rows of the games to work in: the root, a decision tried, what it leads to, then two generations of those kept.
ROOT, TRIED, LATER, KEPT = 0, 1, 2, 3
#: How far scripted players go on; no literals, see `hansa_env.engine.compile.inner`.
TO_NEXT_TURN, WITHIN_TURN = np.True_, np.False_


class Budget(NamedTuple):
    """How far a search goes, see `LookaheadAgent`."""

    width: int
    most: int
    doubt: float


class Workspace(NamedTuple):
    """Arrays that a search works in; of `worths` and `firsts` the rows are the two generations."""

    games: np.ndarray  # (KEPT + 2 WIDEST,) records
    words: np.ndarray  # the same memory, (KEPT + 2 WIDEST, 8-byte words) uint64
    worths: np.ndarray  # (2, WIDEST) float64, of the positions kept
    firsts: np.ndarray  # (2, WIDEST) int64, the decision at the root that led there
    met: np.ndarray  # (a power of two,) uint64, hashes of the positions met, 0 = none
    views: np.ndarray  # (1,) VIEW
    scratch: Scratch


def new_workspace(network: Network, most: int) -> Workspace:
    """A workspace for searches with a network that try so many decisions at most."""
    games = new_games(KEPT + 2 * WIDEST)
    met = np.zeros(2 ** (2 * (most + 256)).bit_length(), np.uint64)  # never more than half full
    worths, firsts = np.zeros((2, WIDEST)), np.zeros((2, WIDEST), np.int64)
    return Workspace(games, words_of(games), worths, firsts, met, np.zeros(1, VIEW), new_scratch(network))


@inner
def is_new(met, key):
    """Whether a hash has not been met; from now on it has."""
    key |= np.uint64(1)
    place = np.int64(key >> np.uint64(1)) & (met.size - 1)
    while met[place] != 0:
        if met[place] == key:
            return False
        place = (place + 1) & (met.size - 1)
    met[place] = key
    return True


@inner
def play_on(game, mind, view, seat, turns, to_next):
    """Scripted players decide: with `to_next` everything until the seat begins a turn after so many; else only what others
    are asked in the seat's turn."""
    while game["asked"] != OVER:
        own = game["turn"] == seat and game["seat"] == seat
        if to_next and own and game["turns"] > turns:
            return
        if not to_next and (own or game["turn"] != seat or game["turns"] > turns):
            return
        step(game, mind.tables[0], decide(game, mind.tables[0], mind.weights[0], view))


@inner
def decides_on(game, seat, turns):
    """Whether the seat is asked something more in the turn after so many."""
    return game["asked"] != OVER and game["turns"] == turns and game["seat"] == seat


@inner
def keep(workspace, generation, count, width, worth, first):
    """Put the tried game among the best `width` of a generation that has `count`; returns how many it has then."""
    worths, place = workspace.worths[generation], count
    if count == width:
        place = worths[:width].argmin()
        if worths[place] >= worth:
            return count
    workspace.games[KEPT + generation * WIDEST + place] = workspace.games[TRIED]
    worths[place], workspace.firsts[generation, place] = worth, first
    return min(count + 1, width)


@merged
def look_ahead(workspace, mind, budget):
    """The decision at the root of the workspace for the seat that it asks, and how many were tried; see `LookaheadAgent`."""
    games, tables, view = workspace.games, mind.tables[0], workspace.views[0]
    seat, turns, tried = games[ROOT]["seat"], games[ROOT]["turns"], 0
    choice = decide(games[ROOT], tables, mind.weights[0], view)
    games[LATER] = games[ROOT]
    play_on(games[LATER], mind, view, seat, turns, TO_NEXT_TURN)
    best = evaluate(games[LATER], tables, mind.network, workspace.scratch, seat) + budget.doubt
    workspace.met[:] = 0
    games[KEPT] = games[ROOT]
    generation, count, root = 0, 1, True
    while count > 0 and tried < budget.most:
        found = 0
        for k in range(count):
            row = KEPT + generation * WIDEST + k
            avoided = passing(games[row], tables)
            for i in range(count_legal(games[row])):
                if tried == budget.most:
                    break
                action = nth_legal(games[row], i)
                if action == avoided:
                    continue
                games[TRIED] = games[row]
                step(games[TRIED], tables, action)
                play_on(games[TRIED], mind, view, seat, turns, WITHIN_TURN)
                if not is_new(workspace.met, hash_words(workspace.words, TRIED)):
                    continue
                tried += 1
                first = action if root else workspace.firsts[generation, k]
                games[LATER] = games[TRIED]
                play_on(games[LATER], mind, view, seat, turns, TO_NEXT_TURN)
                worth = evaluate(games[LATER], tables, mind.network, workspace.scratch, seat)
                if worth > best:
                    best, choice = worth, first
                if decides_on(games[TRIED], seat, turns):
                    found = keep(workspace, 1 - generation, found, budget.width, worth, first)
        generation, count, root = 1 - generation, found, False
    return choice, tried


@kernel
def look_ahead_games(games, mind, seed, budget, workspace, actions, tried, ends, worths):
    """The decision for each game (N,) into actions (N,), NO_ACTION where none is; how many were tried into tried (N,).

    Into ends (N,) the game as scripted players go on after it to the end of the turn, and what that is worth to every seat into
    worths (N, P); unless both are empty.
    """
    tables, weights = mind.tables[0], mind.weights[0]
    for i in range(games.size):
        actions[i], tried[i] = NO_ACTION, 0
        root = workspace.games[ROOT]
        workspace.games[ROOT] = games[i]
        if count_legal(games[i]) > 0:
            reshuffle_hidden(root, tables, stream(games[i], seed))
        if count_legal(games[i]) == 1:
            actions[i] = nth_legal(games[i], 0)
        elif count_legal(games[i]) > 1:
            actions[i], tried[i] = look_ahead(workspace, mind, budget)
        if ends.size > 0:
            if actions[i] != NO_ACTION:
                turns, action = root["turns"], np.int64(actions[i])
                while root["asked"] != OVER and root["turns"] == turns:
                    step(root, tables, action)
                    if root["asked"] != OVER and root["turns"] == turns:
                        action = decide(root, tables, weights, workspace.views[0])
            ends[i] = root
            for seat in range(worths.shape[1]):
                worths[i, seat] = evaluate(root, tables, mind.network, workspace.scratch, seat)


class LookaheadAgent(Agent):
    """Searches the rest of its turn, or of what it is asked in the turn of another.

    Args:
        ruleset: the game it is to play.
        seed: of the order in which it takes the hidden markers to lie.
        style: who finishes the turns that it tries and plays those of the others, "greedy" or a style.
        width: how many positions are kept after each decision, 1 to WIDEST.
        most: how many decisions are tried at most, 1 to MOST.
        doubt: by how much the value must be better than what the style would come to, for its decision to be left.
        network: "0.2" or "narrow", the networks that it thinks with (`hansa_agents.networks.YARDSTICKS`); by default today's.
        model: in place of these, a model file of `hansa train` or the folder of a run that is done.

    Its choice is a function of its seed and the game record: the same game goes the same way alone or in any batch.
    """

    sees = "games"
    values_decisions = False

    def __init__(
        self, ruleset: Ruleset, seed: int = 0, style: str = GREEDY, width: int = 4, most: int = 120, doubt: float = 0.2,
        network: str = "", model: str = "",
    ) -> None:  # fmt: skip
        self.ruleset, self._seed = ruleset, seed_word(seed)
        self.budget = Budget(
            checked_whole("lookahead", "width", width, most=WIDEST),
            checked_whole("lookahead", "most", most, most=MOST),
            checked_number("lookahead", "doubt", doubt),
        )
        self._mind = mind_of(ruleset, style, network_of_agent("lookahead", ruleset, network, model))

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> LookaheadAgent:
        """The agent of a spec `lookahead` or `lookahead:width=8,most=1000`. Raises AgentError."""
        return cls(ruleset, seed, **options("lookahead", argument, cls))

    @property
    def model_hash(self) -> str:
        """Of its network."""
        return network_hash(self._mind.network)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        return without_idle_rows(self.look_ahead(inputs)[0], masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """All on the decision it takes; as values, the shares of the win where scripted players have ended the turn after that:
        the result, or what its network gives, as other networks where they end it themselves (`hansa_agents.search.foreseen`).

        It gives none to single decisions: what it judges of these are positions that it has picked for their value.
        """
        games = game_records(inputs)
        ends, worths = new_games(len(games)), np.empty((len(games), self.ruleset.players))
        actions = without_idle_rows(self._look_ahead(games, ends, worths)[0], masks)
        over = ends["asked"] == OVER
        results = results_as_known(self.ruleset, ends, games["seat"]) * over[:, None]
        foreseen = Foreseen(ends, worths, asked_at(self.ruleset, ends), over, results)
        won = shares_of_win(self.ruleset, foreseen)
        return estimate_by(self.ruleset, games, all_on(actions, masks), won)

    def look_ahead(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Actions (N,) int64 for game records (N,), and how many decisions were tried for each, (N,) int64."""
        return self._look_ahead(game_records(games), new_games(0), np.empty((0, self.ruleset.players)))

    def _look_ahead(self, games: np.ndarray, ends: np.ndarray, worths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same; `ends` and `worths` as of `look_ahead_games`."""
        actions, tried = np.empty((2, len(games)), np.int64)
        workspace = new_workspace(self._mind.network, self.budget.most)
        look_ahead_games(games, self._mind, self._seed, self.budget, workspace, actions, tried, ends, worths)
        return actions, tried
