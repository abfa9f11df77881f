"""Entry points: loops over rows of a game array, called from Python with arrays only.

Every kernel works on rows start..stop - 1, so that threads can share a batch. `tables` is `tables_of(ruleset)`, an array of
one record. Games of other rulesets, or records that no game can reach, are not checked here: what comes from outside
passes `hansa_env.formats` first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_env.engine.action_space import count_legal, is_legal, nth_legal
from hansa_env.engine.byte_words import fetch_row
from hansa_env.engine.compile import kernel
from hansa_env.engine.rng import GAMMA, below, mix, seed_of
from hansa_env.engine.rules.offices import largest_network, update_control
from hansa_env.engine.rules.scoring import reward, score, score_columns, standing
from hansa_env.engine.rules.setup import first_question, next_seed, reshuffle_hidden, set_up
from hansa_env.engine.state import BROKEN, GAME, OVER, TRUNCATED, WORDS
from hansa_env.engine.step import apply_forced, step
from hansa_env.engine.view.write_observation import observe
from hansa_env.ruleset import Ruleset

NO_ACTION = -1
#: What `step_games` writes of a game: it goes on, a rule ended it, or the turn limit.
GOES_ON, BY_RULE, CUT_OFF = 0, 1, 2
#: Of a record.
BYTES = GAME.itemsize
#: To `step_games` alone, of a game whose question is known and whose legal decisions are not; no caller of a batch can say it.
BEGIN = -2


class StepBuffers(NamedTuple):
    """What `step_games` writes of N games, in the order in which it is given: seats (N,) int8, ended (N,) int8, final_scores
    (N, P, K) int16, which are those of games that end, and rewards (N, P) float32."""

    seats: np.ndarray
    ended: np.ndarray
    final_scores: np.ndarray
    rewards: np.ndarray

    @classmethod
    def zeros(cls, games: int, players: int, columns: int) -> StepBuffers:
        """Of so many games."""
        by_seat = np.zeros((games, players, columns), np.int16), np.zeros((games, players), np.float32)
        return cls(np.zeros(games, np.int8), np.zeros(games, np.int8), *by_seat)

    @classmethod
    def of(cls, ruleset: Ruleset, games: int) -> StepBuffers:
        """Of so many games of a ruleset."""
        return cls.zeros(games, ruleset.players, len(score_columns(ruleset)))


_NOT_WRITTEN = StepBuffers.zeros(0, 0, 0)


@kernel
def deal_games(games, tables, seeds, turn_limit, start, stop):
    """Set up new games from seeds (N,) uint64, up to but without their first question."""
    for i in range(start, stop):
        set_up(games[i], tables[0], seeds[i], turn_limit)


@kernel
def ask_first_questions(games, tables, start, stop):
    """Ask the first question of games that have been dealt, whose legal decisions are still to be found."""
    for i in range(start, stop):
        first_question(games[i], tables[0])


def continue_games(games, tables, start, stop):
    """Find the legal decisions of games of which the question is known; returns how many are BROKEN.

    By `step_games`, since a kernel of its own would have all rules in it once more, and take as long to compile.
    """
    actions = np.full(stop, BEGIN)
    return step_games(games, tables, actions, 0, False, *_NOT_WRITTEN, start, stop)


def begin_games(games, tables, start, stop):
    """The first questions of games that have been dealt, and their legal decisions; returns how many are BROKEN."""
    ask_first_questions(games, tables, start, stop)
    return continue_games(games, tables, start, stop)


@kernel
def batch_seeds(seed, first, out):
    """The seeds of the games first .. first + N - 1 of a batch's seed into out (N,) uint64."""
    for i in range(out.size):
        out[i] = seed_of(np.uint64(seed), first + i)


@kernel
def next_seeds(games, out):
    """The seed of the game after each game into out (N,) uint64."""
    for i in range(out.size):
        out[i] = next_seed(games[i])


@kernel
def first_illegal(games, tables, actions, start, stop):
    """The first row whose action (NO_ACTION apart) is not legal, or -1. Changes nothing."""
    for i in range(start, stop):
        if actions[i] != NO_ACTION and not is_legal(games[i], tables[0], actions[i]):
            return i
    return -1


@kernel
def step_games(games, tables, actions, reward_kind, autoreset, seats, ended, scores, rewards, start, stop):
    """Play one legal action per game; NO_ACTION leaves a game as it is. Returns how many games are BROKEN.

    Writes seats (N,), ended (N,) (GOES_ON, BY_RULE or CUT_OFF), rewards (N, P); for games that end now also
    scores (N, P, K), K columns as `score_columns` names them. With autoreset an ended game is dealt anew with its next seed.
    Of a game whose action is BEGIN only the legal decisions are found, and what is forced is played; nothing else is written.
    """
    t = tables[0]
    broken = 0
    for i in range(start, stop):
        fetch_row(games, i, BYTES)
        game = games[i]
        if actions[i] == BEGIN:
            apply_forced(game, t)
            broken += game["reason"] == BROKEN
            continue
        for seat in range(t["players"]):
            rewards[i, seat] = 0.0
        if actions[i] == NO_ACTION:
            if autoreset:
                ended[i] = GOES_ON
            continue
        step(game, t, actions[i])
        ended[i] = GOES_ON
        if game["asked"] == OVER:
            ended[i] = CUT_OFF if game["reason"] == TRUNCATED else BY_RULE
            score(game, t, scores[i])
            reward(game, t, scores[i], reward_kind, rewards[i])
            if autoreset:
                set_up(game, t, next_seed(game), game["turn_limit"])
                first_question(game, t)
                apply_forced(game, t)
        broken += game["reason"] == BROKEN
        seats[i] = game["seat"]
    return broken


@kernel
def mask_games(games, tables, mask, start, stop):
    """Legal-action masks into mask (N, A) of 0/1 bytes; all zero when a game is over."""
    actions = tables[0]["num_actions"]
    for i in range(start, stop):
        row = mask[i]
        for k in range(WORDS):
            word = games[i]["legal"][k]
            first = 64 * k
            for j in range(min(64, actions - first)):
                row[first + j] = (word >> j) & 1


@kernel
def observe_games(games, tables, seats, out, start, stop):
    """Observations of the given seats (N,) into out (N, D) int8; NO_ACTION as a seat means the deciding seat."""
    for i in range(start, stop):
        fetch_row(games, i, BYTES)
        fetch_row(out, i, tables[0]["observation_size"])
        observe(games[i], tables[0], games[i]["seat"] if seats[i] == NO_ACTION else seats[i], out[i])


@kernel
def score_games(games, tables, out, start, stop):
    """Scores as the board stands into out (N, P, K)."""
    for i in range(start, stop):
        score(games[i], tables[0], out[i])


@kernel
def rank_games(games, tables, scores, ranks, start, stop):
    """The place of every seat (R7.9), 0 = first, given scores (N, P, K), into ranks (N, P); seats that tie share the
    better place."""
    t = tables[0]
    for i in range(start, stop):
        for seat in range(t["players"]):
            own = standing(games[i], t, scores[i], seat)
            ranks[i, seat] = 0
            for other in range(t["players"]):
                ranks[i, seat] += standing(games[i], t, scores[i], other) > own


@kernel
def reshuffle_games(games, tables, seed, start, stop):
    """Reshuffle the hidden markers of each game and blank its seed; what follows is each row's own."""
    for i in range(start, stop):
        games[i]["noise"] = seed_of(np.uint64(seed), i)
        reshuffle_hidden(games[i], tables[0], games[i]["noise"])


@kernel
def hide_games(games, tables, out):
    """Copy games into out (N,) with their hidden markers reshuffled and their seeds blank, for agents that see games.

    The order depends on the game's noise and on how much of it has been played, so not on the batch.
    """
    for i in range(out.size):
        out[i] = games[i]
        moment = np.uint64(64 * np.int64(out[i]["turns"]) + out[i]["drawn"])
        reshuffle_hidden(out[i], tables[0], out[i]["noise"] + moment)


@kernel
def pick_random(games, tables, states, actions, start, stop):
    """A uniformly random legal action per game into actions (N,), NO_ACTION where none is; states (N,) uint64 advance."""
    for i in range(start, stop):
        count = count_legal(games[i])
        if count == 0:
            actions[i] = NO_ACTION
            continue
        states[i] += GAMMA
        actions[i] = nth_legal(games[i], below(mix(states[i]), count))


@kernel
def settle_games(games, tables, start, stop):
    """Work out who controls each city and the largest networks of games whose offices were set by hand."""
    for i in range(start, stop):
        for city in range(tables[0]["num_cities"]):
            update_control(games[i], tables[0], city)
        for seat in range(tables[0]["players"]):
            games[i]["network"][seat] = largest_network(games[i], tables[0], seat)
