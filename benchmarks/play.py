"""Random play in compiled code, and recorded play that can be timed without choosing."""

from __future__ import annotations

import time
from functools import cache

import numpy as np

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.compile import kernel
from hansa_env.engine.kernels import mask_games, pick_random, step_games
from hansa_env.engine.scoring import SCORE_COLUMNS

#: What is measured unless a row says otherwise.
RULESET = Ruleset(5)
PARTS = ("step", "mask", "observation")


@kernel
def play_random(games, rules, states, actions, mask, with_mask, seats, ended, scores, rewards, counts, start, stop):
    """Game after game plays counts[i] uniformly random legal decisions; an ended one is dealt anew."""
    for i in range(start, stop):
        for _ in range(counts[i]):
            if with_mask:
                mask_games(games, rules, mask, i, i + 1)
            pick_random(games, rules, states, actions, i, i + 1)
            step_games(games, rules, actions, 0, True, seats, ended, scores, rewards, i, i + 1)


class RandomPlay:
    """N games in the middle, and the buffers that `play_random` needs."""

    def __init__(self, num_games: int, warm: int, ruleset: Ruleset = RULESET) -> None:
        self.num_games = num_games
        batch = HansaBatch(num_games, ruleset, seed=1, autoreset=True)
        self.games, self.rules = batch.games, batch._rules
        self.states = np.arange(num_games, dtype=np.uint64) << np.uint64(32)
        self.actions = np.zeros(num_games, np.int64)
        self.mask = np.zeros((num_games, batch.num_actions), np.bool_)
        self.seats, self.ended = np.zeros(num_games, np.int8), np.zeros(num_games, np.int8)
        self.scores = np.zeros((num_games, ruleset.players, len(SCORE_COLUMNS)), np.int16)
        self.rewards = np.zeros((num_games, ruleset.players), np.float32)
        # A random game takes about 2,000 decisions; with warm = 300 the rows end up all over two games' length.
        ages = np.random.default_rng(0).integers(warm, 15 * warm, num_games)
        self.play(ages, with_mask=True)

    def play(self, counts: np.ndarray, with_mask: bool, start: int = 0, stop: int | None = None) -> None:
        stop = self.num_games if stop is None else stop
        play_random(
            self.games, self.rules, self.states, self.actions, self.mask, with_mask, self.seats, self.ended,
            self.scores, self.rewards, counts, start, stop,
        )  # fmt: skip


@cache
def _pool(warm: int) -> np.ndarray:
    return RandomPlay(4096 if warm >= 100 else 256, warm).games


def middle_games(num_games: int, warm: int) -> np.ndarray:
    """N games of every age; beyond 4,096 they repeat, and part when they are played on."""
    return np.resize(_pool(warm), num_games)


class Trace:
    """A stretch of play of N games, from the middle, recorded, to be played again by `HansaBatch`.

    Args:
        num_games: N.
        decisions: how many are recorded, all games together.
        warm: how many each game plays at random before.
        agent: spec of the agent that plays all seats; other agents than "random" begin with new games.
        threads: of the batch.
    """

    def __init__(self, num_games: int, decisions: int, warm: int, agent: str = "random", threads: int = 1) -> None:
        self.batch = batch = HansaBatch(num_games, RULESET, seed=1, autoreset=True, threads=threads)
        self.mask = np.zeros((num_games, batch.num_actions), np.bool_)
        self.view = np.zeros((num_games, batch.observation_size), np.int8)
        steps = max(8, decisions // num_games)
        self.actions = np.empty((steps, num_games), np.int64)
        if agent == "random":
            batch.games[:] = middle_games(num_games, warm)
            batch.seat[:] = batch.games["seat"]
        self.start = batch.games.copy()
        self.ended = 0
        choose = self._random() if agent == "random" else self._agent(agent)
        for row in self.actions:
            choose(row)
            batch.step(row)
            self.ended += int(np.count_nonzero(batch._ended))

    @property
    def decisions(self) -> int:
        return self.actions.size

    def _random(self):
        states = np.arange(self.batch.num_games, dtype=np.uint64) << np.uint64(32)
        batch = self.batch
        return lambda row: kernels.pick_random(batch.games, batch._rules, states, row, 0, batch.num_games)

    def _agent(self, spec: str):
        from hansa_agents import make_agent

        agent, batch = make_agent(spec, RULESET, 1), self.batch
        if agent.sees == "observations":
            return lambda row: np.copyto(row, agent.act(batch.observe(), batch.action_mask, batch.seat))
        return lambda row: np.copyto(row, agent.act(batch.games, batch.action_mask, batch.seat))

    def replay(self, parts: int = 3) -> float:
        """Decisions per second of playing it again with the first `parts` of PARTS."""
        batch, mask, view = self.batch, self.mask, self.view
        batch.games[:] = self.start
        began = time.perf_counter()
        if parts == 1:
            for row in self.actions:
                batch.step(row)
        elif parts == 2:
            for row in self.actions:
                batch.step(row)
                batch.write_mask(mask)
        else:
            for row in self.actions:
                batch.step(row)
                batch.write_mask(mask)
                batch.observe(view)
        return self.actions.size / (time.perf_counter() - began)
