"""Random play in compiled code, and recorded play that can be timed without choosing."""

from __future__ import annotations

import time
from functools import cache

import numpy as np

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.compile import kernel
from hansa_env.engine.kernels import mask_games, pick_random, step_games

#: What is measured throughout: base-4-5.
RULESET = Ruleset(5)
PARTS = ("step", "mask", "observation")


@kernel
def play_random(
    games, rules, states, actions, mask, with_mask, reward_kind, autoreset, seats, ended, scores, rewards, counts, start, stop
):
    """Game after game plays counts[i] uniformly random legal decisions; an ended one is dealt anew.

    `reward_kind` and `autoreset` are arguments, since Numba would compile all rules once more for constants.
    """
    for i in range(start, stop):
        for _ in range(counts[i]):
            if with_mask:
                mask_games(games, rules, mask, i, i + 1)
            pick_random(games, rules, states, actions, i, i + 1)
            step_games(games, rules, actions, reward_kind, autoreset, seats, ended, scores, rewards, i, i + 1)


class RandomPlay:
    """N games in the middle, and the buffers that `play_random` needs."""

    def __init__(self, num_games: int, warm: int, ruleset: Ruleset = RULESET) -> None:
        self.batch = batch = HansaBatch(num_games, ruleset, seed=1, autoreset=True)
        self._tables = batch.tables if hasattr(batch, "tables") else batch._rules  # type: ignore[attr-defined]  # so called before 0.2
        self._states = np.arange(num_games, dtype=np.uint64) << np.uint64(32)
        self._actions, self._ended = np.zeros(num_games, np.int64), np.zeros(num_games, np.int8)
        self._mask = np.zeros((num_games, batch.num_actions), np.bool_)
        self._scores, self._rewards = np.zeros_like(batch.scores()), np.zeros((num_games, ruleset.players), np.float32)
        # A random game takes about 2,000 decisions; with warm = 300 the rows end up all over two games' length.
        self.play(np.random.default_rng(0).integers(warm, 15 * warm, num_games), True, 0, num_games)

    def play(self, counts: np.ndarray, with_mask: bool, start: int, stop: int) -> int:
        """Play counts[i] decisions in each game start..stop − 1; returns how many."""
        play_random(
            self.batch.games, self._tables, self._states, self._actions, self._mask, with_mask, 0, True,
            self.batch.seat, self._ended, self._scores, self._rewards, counts, start, stop,
        )  # fmt: skip
        return int(counts[start:stop].sum())


@cache
def _middle(warm: int, ruleset: Ruleset) -> HansaBatch:
    """Games of every age."""
    return RandomPlay(4096 if warm >= 100 else 256, warm, ruleset).batch


class Trace:
    """A stretch of play of N games, recorded, to be played again by `HansaBatch`.

    Args:
        num_games: N.
        decisions: how many are recorded, all games together.
        warm: how many each game plays before, at random; beyond 4,096 the games repeat, and part when they play on.
            0 = new games.
        agent: spec of the agent that plays all seats; None = random play.
        threads: of the batch.
        ruleset: of the games.
    """

    def __init__(
        self, num_games: int, decisions: int, warm: int, agent: str | None = None, threads: int = 1, ruleset: Ruleset = RULESET
    ) -> None:
        self.batch = batch = HansaBatch(num_games, ruleset, seed=1, autoreset=True, threads=threads)
        self.mask = np.zeros((num_games, batch.num_actions), np.bool_)
        self.view = np.zeros((num_games, batch.observation_size), np.int8)
        self._actions = np.empty((max(8, decisions // num_games), num_games), np.int64)
        if warm:
            middle = _middle(warm, ruleset)
            batch.games[:], batch.seat[:] = np.resize(middle.games, num_games), np.resize(middle.seat, num_games)
        self._start = batch.games.copy(), batch.seat.copy()
        player, rng = make_agent(agent, ruleset, 1) if agent else None, np.random.default_rng(1)
        for row in self._actions:
            mask = batch.write_mask(self.mask)
            if player is None:
                row[:] = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1)
            else:
                inputs = batch.observe() if player.sees == "observations" else batch.games
                row[:] = player.act(inputs, mask, batch.seat)
            batch.step(row)

    def replay(self, parts: int = 3) -> float:
        """Decisions per second of playing it again with the first `parts` of PARTS."""
        batch, mask, view = self.batch, self.mask, self.view
        batch.games[:], batch.seat[:] = self._start
        began = time.perf_counter()
        for row in self._actions:
            batch.step(row)
            if parts > 1:
                batch.write_mask(mask)
            if parts > 2:
                batch.observe(view)
        return self._actions.size / (time.perf_counter() - began)
