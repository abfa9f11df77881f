"""Entry points: loops over rows of a game array, called from Python with arrays only.

Every kernel works on rows start..stop - 1, so that threads can share a batch. `rules` is `tables(ruleset)`.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine import record as rec
from hansa_env.engine.bits import bit, lowest, size
from hansa_env.engine.cities import update_control
from hansa_env.engine.compile import kernel
from hansa_env.engine.legal import count_legal
from hansa_env.engine.observe import observe
from hansa_env.engine.rng import GAMMA, below, mix, seed_after, seed_of
from hansa_env.engine.scoring import reward, score, standing
from hansa_env.engine.setup import first_question, reshuffle_hidden, set_up
from hansa_env.engine.step import is_legal, play_forced, step

NO_ACTION = -1


@kernel
def deal_games(games, rules, seeds, turn_limit, start, stop):
    """Set up new games from seeds (N,) uint64, up to but without their first question."""
    for i in range(start, stop):
        set_up(games[i], rules[0], seeds[i], turn_limit)


@kernel
def begin_games(games, rules, start, stop):
    """Ask the first question of games that have been dealt."""
    for i in range(start, stop):
        first_question(games[i], rules[0])
        play_forced(games[i], rules[0])


@kernel
def continue_games(games, rules, start, stop):
    """Find the legal decisions of games whose fields were set by hand."""
    for i in range(start, stop):
        play_forced(games[i], rules[0])


@kernel
def batch_seeds(seed, out):
    """The seeds of the games of a batch into out (N,) uint64."""
    for i in range(out.size):
        out[i] = seed_of(np.uint64(seed), i)


@kernel
def next_seeds(games, out):
    """The seed of the game after each game into out (N,) uint64."""
    for i in range(out.size):
        out[i] = seed_after(games[i]["seed"])


@kernel
def first_illegal(games, rules, actions, start, stop):
    """The first row whose action (NO_ACTION apart) is not legal, or -1. Changes nothing."""
    for i in range(start, stop):
        if actions[i] != NO_ACTION and not is_legal(games[i], rules[0], actions[i]):
            return i
    return -1


@kernel
def step_games(games, rules, actions, reward_kind, autoreset, seats, ended, scores, rewards, start, stop):
    """Play one legal action per game; NO_ACTION leaves a game as it is.

    Writes seats (N,), ended (N,) (0 running, 1 terminated, 2 truncated), rewards (N, P); for games that end now also
    scores (N, P, 7). With autoreset an ended game is dealt anew with its next seed.
    """
    t = rules[0]
    for i in range(start, stop):
        g = games[i]
        for seat in range(t["players"]):
            rewards[i, seat] = 0.0
        if actions[i] == NO_ACTION:
            if autoreset:
                ended[i] = 0
            continue
        step(g, t, actions[i])
        ended[i] = 0
        if g["asked"] == rec.OVER:
            ended[i] = 2 if g["reason"] == rec.TRUNCATED else 1
            score(g, t, scores[i])
            reward(g, t, scores[i], reward_kind, rewards[i])
            if autoreset:
                set_up(g, t, seed_after(g["seed"]), g["turn_limit"])
                first_question(g, t)
                play_forced(g, t)
        seats[i] = g["seat"]


@kernel
def mask_games(games, rules, mask, start, stop):
    """Legal-action masks into mask (N, A) of 0/1 bytes; all zero when a game is over."""
    t = rules[0]
    for i in range(start, stop):
        row = mask[i]
        for k in range(t["num_segments"]):
            word = games[i]["legal"][t["segment"][k, 0]] >> t["segment"][k, 1]
            first = t["segment"][k, 2]
            for j in range(t["segment"][k, 3]):
                row[first + j] = (word >> j) & 1


@kernel
def observe_games(games, rules, seats, out, start, stop):
    """Observations of the given seats (N,) into out (N, D) int8; NO_ACTION as a seat means the deciding seat."""
    for i in range(start, stop):
        observe(games[i], rules[0], games[i]["seat"] if seats[i] == NO_ACTION else seats[i], out[i])


@kernel
def score_games(games, rules, out, start, stop):
    """Scores as the board stands into out (N, P, 7)."""
    for i in range(start, stop):
        score(games[i], rules[0], out[i])


@kernel
def rank_games(games, rules, scores, ranks, start, stop):
    """The place of every seat (R7.9), 0 = first, given scores (N, P, 7), into ranks (N, P); who ties has the better one."""
    t = rules[0]
    for i in range(start, stop):
        for seat in range(t["players"]):
            own = standing(games[i], t, scores[i], seat)
            ranks[i, seat] = 0
            for other in range(t["players"]):
                ranks[i, seat] += standing(games[i], t, scores[i], other) > own


@kernel
def reshuffle_games(games, rules, seed, start, stop):
    """Reshuffle the hidden markers of each game (see `reshuffle_hidden`)."""
    for i in range(start, stop):
        reshuffle_hidden(games[i], rules[0], seed_of(np.uint64(seed), i))


@kernel
def pick_random(games, rules, states, actions, start, stop):
    """A uniformly random legal action per game into actions (N,), NO_ACTION where none is; states (N,) uint64 advance."""
    t = rules[0]
    for i in range(start, stop):
        legal = games[i]["legal"]
        count = count_legal(games[i])
        if count == 0:
            actions[i] = NO_ACTION
            continue
        states[i] += GAMMA
        rest = below(mix(states[i]), count)
        for k in range(t["num_segments"]):
            word = (legal[t["segment"][k, 0]] >> t["segment"][k, 1]) & (bit(t["segment"][k, 3]) - 1)
            members = size(word)
            if rest < members:
                for _ in range(rest):
                    word &= word - 1
                actions[i] = t["segment"][k, 2] + lowest(word)
                break
            rest -= members


@kernel
def update_all_control(games, rules, start, stop):
    """Find anew who controls each city, for games whose offices were set by hand."""
    for i in range(start, stop):
        for city in range(rules[0]["num_cities"]):
            update_control(games[i], rules[0], city)
