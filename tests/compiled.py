"""What the tests need compiled; `python -m tests.compiled` compiles it, in two processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hansa_agents import make_agent
from hansa_benchmarks.play import RandomPlay
from hansa_env import HansaBatch, Ruleset
from hansa_env.warmup import warmup

#: Of the compiled agents, those that one process compiles, and those that follow the engine in the other: about as long.
AGENTS, WITH_ENGINE = ("greedy", "tree:sims=2", "lookahead:width=1,most=1"), ("rollout:screen_sims=1,final_sims=1",)


def compile_engine() -> None:
    """The kernels of the engine, and the loop of the benchmarks."""
    warmup()
    RandomPlay(1, 1)


def compile_agents(specs: tuple[str, ...]) -> None:
    """Compiled agents; all of them share the rules, which one process compiles once for all."""
    ruleset = Ruleset(3)
    batch = HansaBatch(2, ruleset)
    for spec in specs:
        make_agent(spec, ruleset).act(batch.games, batch.action_mask, batch.seat)


def compile_all() -> None:
    """Both at once. Raises subprocess.CalledProcessError where the agents could not be compiled."""
    job = [sys.executable, "-m", "tests.compiled", "agents"]
    agents = subprocess.Popen(job, cwd=Path(__file__).parents[1])
    compile_engine()
    compile_agents(WITH_ENGINE)
    if agents.wait() != 0:
        raise subprocess.CalledProcessError(agents.returncode, job)


if __name__ == "__main__":
    compile_agents(AGENTS) if sys.argv[1:] == ["agents"] else compile_all()
