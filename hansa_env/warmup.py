"""Compiling the engine ahead of the first step, and saying so."""

from __future__ import annotations

import sys
import time

import numpy as np

from hansa_env.batch import HansaBatch
from hansa_env.engine import kernels
from hansa_env.engine.compile import ENGINE, cache_folder
from hansa_env.ruleset import Ruleset


def warmup(quiet: bool = False) -> float:
    """Compile, or load from the disk cache, every kernel of the engine; returns the seconds it took.

    The first call after an installation or an edit compiles, once, for all rulesets; `quiet` keeps it from saying so.
    """
    began = time.perf_counter()
    fresh = not cache_folder(ENGINE).exists()
    if fresh and not quiet:
        print("hansa_env: compiling the rules, once (about 20 s) ...", file=sys.stderr, flush=True)
    batch = HansaBatch(2, Ruleset(2, "second"), autoreset=True)
    actions, states = np.full(2, -1), np.zeros(2, np.uint64)
    kernels.pick_random(batch.games, batch._rules, states, actions, 0, 2)
    batch.step(actions)
    batch.action_mask, batch.observe(), batch.winners()
    batch.reset(where=np.array([True, False]))
    batch.copy(reshuffle=0)
    kernels.update_all_control(batch.games, batch._rules, 0, 2)
    kernels.continue_games(batch.games, batch._rules, 0, 2)
    seconds = time.perf_counter() - began
    if fresh and not quiet:
        print(f"hansa_env: compiled in {seconds:.1f} s", file=sys.stderr)
    return seconds
