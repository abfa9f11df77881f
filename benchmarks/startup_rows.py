"""What a process waits for: imports, compiling everything from nothing, the first step with a warm cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from hansa_benchmarks.rows import Aim, Missing, Row, Scale, attempt
from hansa_benchmarks.timing import seconds_of

IMPORT = "import hansa_env"
FIRST_STEP = """
import numpy as np
from hansa_env import HansaBatch, Ruleset
batch = HansaBatch(1024, Ruleset(5))
batch.step(batch.action_mask.argmax(axis=1))
batch.observe()
"""
EVERYTHING = """
import numpy as np
from hansa_env import HansaBatch, Ruleset, warmup
warmup(quiet=True)
from hansa_env.learner_batch import LearnerBatch
core = LearnerBatch(8, Ruleset(5), ["random", "greedy"], mix=True)
core.step(core.action_mask.argmax(axis=1))
from hansa_env.outcome import ranks_of
ranks_of(core.batch.ruleset, core.batch.games, core.batch.final_scores)
from hansa_benchmarks.play import RandomPlay
RandomPlay(1, 1)
"""
TRAINING = "import hansa_training.shaping"
EVERYTHING_OF_TRAINING = """
from hansa_training.shaping import potential
potential(core.batch.ruleset, core.batch.games, core.seats)
"""
ONE_KERNEL = """
import numpy as np
from hansa_env.engine import kernels
kernels.batch_seeds(np.uint64(1), np.zeros(2, np.uint64))
"""


def rows(scale: Scale) -> Iterator[Row]:
    """Import, cold compile, first step in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"NUMBA_CACHE_DIR": folder}
        row = Row("start/compile", "compile everything, cold", "a process with an empty cache", "s")
        row.aim = Aim(60, at_most=True)
        if scale.cold:
            training = _run(TRAINING, os.environ) is not None
            code = EVERYTHING + (EVERYTHING_OF_TRAINING if training else "")
            row.note = "engine, agents, front ends" + (", training" if training else "")
            yield attempt(row, lambda: [_seconds(code, env)])
        else:
            row.setting, row.aim, row.note = "one kernel only", None, "the short form does not compile everything"
            yield attempt(row, lambda: [_seconds(ONE_KERNEL, env)])
            env = dict(os.environ)
        _run(FIRST_STEP, env)
        row = Row("start/import", "import hansa_env", "a fresh process", "s")
        yield attempt(row, lambda: [_seconds(IMPORT, env) for _ in range(scale.processes)])
        row = Row("start/step", "first step with a warm cache", "a fresh process, its start included", "s",
                  aim=Aim(2, at_most=True))  # fmt: skip
        yield attempt(row, lambda: [_seconds(FIRST_STEP, env) for _ in range(scale.processes)])


def _run(code: str, env: dict[str, str]) -> str | None:
    """What a process printed; None if it failed."""
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _seconds(code: str, env: dict[str, str]) -> float:
    """From the start of a process to its end."""
    printed: list[str | None] = []
    seconds = seconds_of(lambda: printed.append(_run(code, env)))
    if printed[0] is None:
        raise Missing("the process failed")
    return seconds
