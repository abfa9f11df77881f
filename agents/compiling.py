"""Everything that is compiled, ahead of its first use: in two processes, since a compiler of Numba's uses one core.

`python -m hansa_agents.compiling 0` compiles the first of the two parts and prints each thing that is done.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.state import new_games
from hansa_env.warmup import warmup

RULES = "rules"


class Compiled(NamedTuple):
    """What is compiled: RULES, or an agent by spec.

    Attributes:
        seconds: about how many of a core it takes in its place with nothing compiled, so that progress is of time.
        with_a_game: whether it compiles nothing before it sees a game.
    """

    spec: str
    seconds: int
    with_a_game: bool = False


#: What each process compiles, about as long. Agents that search have all rules in them; one process prepares those once.
PARTS = (
    (Compiled(RULES, 19), Compiled("rollout:screen_sims=1,final_sims=1", 12)),
    (Compiled("greedy", 10), Compiled("lookahead:width=1,most=1", 18), Compiled("tree:sims=2", 10, with_a_game=True)),
)
SECONDS = {one.spec: one.seconds for part in PARTS for one in part}


class CompileError(RuntimeError):
    """Something could not be compiled; says what the process said."""


def compile_part(part: int) -> Iterator[str]:
    """Compile what is not on disk yet; yields each spec of the part once it is compiled."""
    ruleset = Ruleset(3)
    if any(one.spec == RULES for one in PARTS[part]):
        warmup(quiet=True)
        yield RULES
    agents = [(one, make_agent(one.spec, ruleset)) for one in PARTS[part] if one.spec != RULES]
    # To deal a game takes the rules, which another process may be compiling: what can be compiled without a game comes first.
    for one, agent in agents:
        agent.act(new_games(0), np.zeros((0, num_actions(ruleset)), bool), np.zeros(0, np.int8))
        if not one.with_a_game:
            yield one.spec
    batch = HansaBatch(2, ruleset)
    for one, agent in agents:
        agent.act(batch.games, batch.action_mask, batch.seat)
        if one.with_a_game:
            yield one.spec


def compile_all(on_done: Callable[[str], object] = lambda name: None) -> None:
    """Compile everything, each part in a process of its own; `on_done` is called with each spec of `PARTS` once it is
    compiled.

    Raises:
        CompileError: a process failed.
    """
    with ThreadPoolExecutor(len(PARTS)) as pool:
        for job in [pool.submit(_in_process, part, on_done) for part in range(len(PARTS))]:
            job.result()


def _in_process(part: int, on_done: Callable[[str], object]) -> None:
    command = [sys.executable, "-m", "hansa_agents.compiling", str(part)]
    with (  # not into a second pipe, which nobody would empty meanwhile
        TemporaryFile("w+", errors="replace") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            on_done(line.strip())
        process.wait()
        errors.seek(0)
        said = errors.read()
    if process.returncode != 0:
        raise CompileError(f"{' '.join(command)} ended with {process.returncode}: {said.strip()[-2000:]}")


if __name__ == "__main__":
    for done in compile_part(int(sys.argv[1])):
        print(done, flush=True)
