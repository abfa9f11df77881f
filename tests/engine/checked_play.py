"""Play with NUMBA_BOUNDSCHECK=1: every kernel over many games, and over positions changed as an attacker would.

`python -m tests.engine.checked_play` prints how many decisions were played, and how many changed positions were tried and
let through. An index out of bounds raises, in place of reading or writing elsewhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import numpy as np

from hansa_agents import make_agent
from hansa_env import Game, HansaBatch, PositionError, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.tables import tables_of
from tests.formats.mutate import CHANGES
from tests.helpers import RULESETS, choose, choose_eagerly

GAMES, STEPS = 32, 250
POSITIONS, CHANGED = 12, 12  # positions per ruleset, and changes of each


def is_checked() -> bool:
    """Whether a kernel that is given too small a buffer raises."""
    batch = HansaBatch(1, Ruleset(3))
    room = np.zeros((1, batch.num_actions), np.bool_)  # so that without the check nothing is written elsewhere
    try:
        kernels.mask_games(batch.games, tables_of(batch.ruleset), room[:, :-1], 0, 1)
    except IndexError:
        return True
    return False


def play_many(ruleset: Ruleset) -> tuple[int, int]:
    """Games of random, eager and greedy players, with everything that is asked of a batch; returns decisions and ends."""
    rng = np.random.default_rng(1)
    batch = HansaBatch(GAMES, ruleset, seed=1, max_turns=8, autoreset=True)
    greedy = make_agent("greedy", ruleset, 0)
    ends = 0
    for number in range(STEPS):
        actions = choose_eagerly(batch, rng) if number % 3 else choose(batch.action_mask, rng)
        clever = np.arange(GAMES) % 2 == 0
        actions[clever] = greedy.act(batch.games, batch.action_mask, batch.seat)[clever]
        batch.step(actions)
        ends += int((batch.terminated | batch.truncated).sum())
        if number % 10 == 0:
            for seat in range(ruleset.players):
                batch.observe(seats=seat)
            batch.scores(), batch.ranks(), batch.hashes(), batch.copy(reshuffle=number).step(actions * 0 - 1)
    return GAMES * STEPS, ends


def positions(ruleset: Ruleset) -> Iterator[str]:
    """Positions of a game under way as JSON text."""
    rng = np.random.default_rng(2)
    batch = HansaBatch(1, ruleset, seed=2)
    for number in range(POSITIONS * 20):
        if number % 20 == 0:
            yield json.dumps(Game.from_batch(batch, 0).position())
        batch.step(choose_eagerly(batch, rng))


def play_changed(ruleset: Ruleset) -> tuple[int, int]:
    """Read changed positions and play on from those that are let through; returns how many were tried and let through."""
    pick = random.Random(str(ruleset))
    tried = taken = 0
    for text in positions(ruleset):
        for _ in range(CHANGED):
            position = json.loads(text)
            del position["legal"]
            pick.choice(CHANGES)(position, pick)
            tried += 1
            try:
                game = Game.from_position(position)
            except PositionError:
                continue
            taken += 1
            for _ in range(40):
                if game.over:
                    break
                game.scores(), game.observation(0)
                game.play_action(pick.choice(game.legal_actions()))
    return tried, taken


if __name__ == "__main__":
    assert is_checked(), "the bounds check is off"
    played = np.array([play_many(ruleset) for ruleset in RULESETS]).sum(0)
    changed = np.array([play_changed(ruleset) for ruleset in RULESETS]).sum(0)
    print(json.dumps({"decisions": int(played[0]), "ends": int(played[1]), "tried": int(changed[0]), "taken": int(changed[1])}))
