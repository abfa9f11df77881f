"""The compiled engine, to be called from Numba code of your own: searches, rollouts, generators of data.

`docs/compiled.md` shows how, `examples/compiled_search.py` is a tree search.

A game is a record, an element of an array that `new_games` makes; so are `HansaBatch.games` and what an agent that sees games
is given. Its fields are the engine's own and change without notice; what is here is this interface and stays as it is for one
`VERSION`. `tables` is what the rules look up about a ruleset, `tables_of(ruleset)[0]`.

**Nothing is checked.** An action that is not legal, an array that is too small, a game of another ruleset: memory is
overwritten. `is_legal` tells what may be played; NUMBA_BOUNDSCHECK=1 turns on checks, for trying out.

What begins with "Compiled" is called from compiled code only. It makes no array: those to write to are given. Whole numbers are
int64 and random words uint64, unless it is said otherwise; P is the number of players, A of actions, D the length of the
observation, K of the columns of a score.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hansa_env.engine import action_space, identity, rng
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.compile import compiled_and_kept, inner
from hansa_env.engine.identity import words_of
from hansa_env.engine.rules import scoring, setup
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.state import OVER, TRUNCATED, new_games
from hansa_env.engine.step import apply_forced
from hansa_env.engine.step import step as play_and_go_on
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.engine.view.write_observation import observe as write_observation

__all__ = [
    "MARGIN",
    "RANK",
    "VERSION",
    "WIN",
    "below",
    "copy",
    "deal",
    "deciding_seat",
    "is_cut_off",
    "is_legal",
    "is_over",
    "kernel",
    "legal_mask",
    "new_games",
    "next_seed",
    "next_state",
    "nth_legal",
    "num_actions",
    "num_legal",
    "observation_size",
    "observe",
    "pick_legal",
    "position_hash",
    "random_word",
    "reshuffle",
    "rewards",
    "score_columns",
    "scores",
    "seat_in_turn",
    "seed_of",
    "step",
    "tables_of",
    "turns",
    "win_share",
    "words_of",
]

#: Of this interface: what a function takes, writes and returns. It is raised when one changes or goes, not when one comes.
VERSION = 1

#: Kinds of rewards, as `HansaBatch(reward=...)`.
WIN, RANK, MARGIN = np.int64(scoring.BY_WIN), np.int64(scoring.BY_RANK), np.int64(scoring.BY_MARGIN)


def kernel(function: Any) -> Any:
    """A decorator: `numba.njit(nogil=True)` whose code is kept on disk for as long as it is right.

    `njit(cache=True)` looks at the file of the function alone, and would go on with the old rules after an update of this
    package. Here the engine's sources count, those in the function's folder, and those in the folders of the compiled functions
    that it names (not of those that it reaches through a module, other than this one). A function without a file is compiled
    and not kept.
    """
    return compiled_and_kept(function, Path(__file__).parent, nogil=True, error_model="numpy")


@inner
def deal(game, tables, seed, turn_limit):
    """Compiled. Set up a new game from a seed (uint64), up to its first question.

    With turn_limit above 0 it is cut off after so many turns, all seats together.
    """
    setup.set_up(game, tables, np.uint64(seed), turn_limit)
    setup.first_question(game, tables)
    apply_forced(game, tables)


@inner
def copy(games, target, source):
    """Compiled. games[target] becomes a copy of games[source]."""
    games[target] = games[source]


@inner
def seed_of(seed, index):
    """Compiled. The seed (uint64) of game `index` of `HansaBatch(seed=seed)`."""
    return rng.seed_of(np.uint64(seed), index)


@inner
def next_seed(game):
    """Compiled. The seed (uint64) of the game that `autoreset` deals after this one."""
    return setup.next_seed(game)


@inner
def reshuffle(game, tables, seed):
    """Compiled. Deal what the deciding seat has not seen anew from a seed (uint64): face-down markers, mission cards of others.

    The result does not depend on how they lay, so that a search that begins with it knows nothing that it must not.
    """
    setup.reshuffle_hidden(game, tables, np.uint64(seed))


@inner
def position_hash(words, i):
    """Compiled. A hash (uint64) of what everybody sees of games[i], given words_of(games); equal for equal positions."""
    return identity.hash_words(words, i)


@inner
def deciding_seat(game):
    """Compiled. The seat that decides next; when the game is over, that whose turn it was."""
    return np.int64(game["seat"])


@inner
def seat_in_turn(game):
    """Compiled. The seat whose turn it is; another may have to decide in it."""
    return np.int64(game["turn"])


@inner
def turns(game):
    """Compiled. How many turns are completed, all seats together."""
    return np.int64(game["turns"])


@inner
def is_over(game):
    """Compiled. Whether the game is over, by the rules or cut off."""
    return game["asked"] == OVER


@inner
def is_cut_off(game):
    """Compiled. Whether the game is over by its turn limit, not by the rules."""
    return game["reason"] == TRUNCATED


@inner
def num_legal(game):
    """Compiled. How many decisions are legal: 2 or more, for what is forced has been played; 0 when the game is over."""
    return action_space.count_legal(game)


@inner
def nth_legal(game, n):
    """Compiled. The action index of the n-th legal decision, 0 to num_legal − 1, in index order."""
    return action_space.nth_legal(game, n)


@inner
def is_legal(game, tables, action):
    """Compiled. Whether an action index, any number, is legal."""
    return action_space.is_legal(game, tables, action)


@inner
def legal_mask(game, tables, out):
    """Compiled. Which actions are legal, into out (A,) bool."""
    for action in range(tables["num_actions"]):
        out[action] = action_space.is_legal(game, tables, action)


@inner
def pick_legal(game, word):
    """Compiled. The action index of a legal decision drawn uniformly by a random word; the game must not be over."""
    return action_space.nth_legal(game, rng.below(word, action_space.count_legal(game)))


@inner
def step(game, tables, action):
    """Compiled. Play a legal action index and everything that is forced after it."""
    play_and_go_on(game, tables, action)


@inner
def scores(game, tables, out):
    """Compiled. The scores as the board stands into out (P, K) of whole numbers: the columns of `score_columns`, total last."""
    scoring.score(game, tables, out)


@inner
def win_share(game, tables, scored, seat):
    """Compiled. A seat's part of the win (float64) by what `scores` wrote: one over the number of winners, or 0."""
    return scoring.win_share(game, tables, scored, seat)


@inner
def rewards(game, tables, scored, kind, out):
    """Compiled. The zero-sum rewards by what `scores` wrote into out (P,) of floats; kind is WIN, RANK or MARGIN."""
    scoring.reward(game, tables, scored, kind, out)


@inner
def observe(game, tables, seat, out):
    """Compiled. The observation of any seat into out (D,) int8: the fields that `observation_fields` names."""
    write_observation(game, tables, seat, out)


@inner
def next_state(state):
    """Compiled. The state (uint64) of a random generator after this one; any number may be the first."""
    return state + rng.GAMMA


@inner
def random_word(state):
    """Compiled. The random word (uint64) that belongs to a state."""
    return rng.mix(state)


@inner
def below(word, count):
    """Compiled. A number 0 to count − 1 by a random word, uniform for counts below 256 and nearly so below 2**20."""
    return rng.below(word, count)
