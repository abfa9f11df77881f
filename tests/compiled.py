"""What the tests need compiled; `python -m tests.compiled` compiles it."""

from __future__ import annotations

from hansa_agents.compiling import compile_all as compile_rules_and_agents
from hansa_benchmarks.play import RandomPlay
from hansa_env.warmup import warmup


def compile_engine() -> None:
    """The kernels of the engine, and the loop of the benchmarks."""
    warmup()
    RandomPlay(1, 1)


def compile_all() -> None:
    """The engine, the agents, and the loop of the benchmarks. Raises CompileError."""
    compile_rules_and_agents()
    compile_engine()


if __name__ == "__main__":
    compile_all()
