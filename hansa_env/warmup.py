"""Compiling the engine ahead of the first step, and saying so."""

from __future__ import annotations

import time
from contextlib import nullcontext

import numpy as np

from hansa_env.engine import kernels
from hansa_env.engine.compile import notice
from hansa_env.play.batch import HansaBatch
from hansa_env.ruleset import Ruleset


def warmup(quiet: bool = False) -> float:
    """Compile, or load from the disk cache, every kernel of the engine; returns the seconds it took.

    The first call after an installation or an edit compiles, once, for all rulesets; `quiet` keeps it from saying so.
    """
    began = time.perf_counter()
    with notice.silent() if quiet else nullcontext():
        _use_every_kernel()
    return time.perf_counter() - began


def _use_every_kernel() -> None:
    batch = HansaBatch(2, Ruleset(2, "second"), autoreset=True)
    actions, states = np.full(2, -1), np.zeros(2, np.uint64)
    kernels.pick_random(batch.games, batch.tables, states, actions, 0, 2)
    batch.step(actions)
    batch.action_mask, batch.observe(), batch.winners(), batch.hashes()
    batch.reset(where=np.array([True, False]))
    batch.copy(reshuffle=0)
    kernels.settle_games(batch.games, batch.tables, 0, 2)
    kernels.hide_games(batch.games, batch.tables, batch.games.copy())
