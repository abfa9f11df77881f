"""What the tests need compiled; `python -m tests.compiled` compiles the agents, beside a process that compiles the rest."""

from __future__ import annotations

from hansa_agents import make_agent
from hansa_benchmarks.play import RandomPlay
from hansa_env import HansaBatch, Ruleset
from hansa_env.warmup import warmup

AGENTS = ("greedy", "lookahead:width=1,most=1", "rollout:few=1,many=1", "tree:sims=2")


def compile_engine() -> None:
    """The kernels of the engine, and the loop of the benchmarks."""
    warmup()
    RandomPlay(1, 1)


def compile_agents() -> None:
    """The compiled agents; all of them share the rules, which one process compiles once for all."""
    ruleset = Ruleset(3)
    batch = HansaBatch(2, ruleset)
    for spec in AGENTS:
        make_agent(spec, ruleset).act(batch.games, batch.action_mask, batch.seat)


if __name__ == "__main__":
    compile_agents()
