"""Where a decision of the learner spends its time: `python -m hansa_benchmarks.learner`.

A run of `hansa train` plays and learns for some rollouts, from the agent that comes with the project. Its parts are shown
beside the arithmetic: what the network alone takes in large batches, once forward, and forward and backward for each pass. All
of it is in microseconds of one core for each decision of the learner.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import torch
import typer
from rich.table import Table

from hansa_env.commands.output import print_table
from hansa_training.learner import Learner
from hansa_training.networks import evaluate
from hansa_training.plan import Plan

#: Rows of a batch in which the network alone is measured.
ROWS = 2048


def cpu_microseconds(work: Callable[[], object], repeats: int) -> float:
    """Of one call, after one that is not counted."""
    work()
    began = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - began) / repeats * 1e6


def of_network(learner: Learner, repeats: int = 20) -> tuple[float, float]:
    """Microseconds a row of the network alone, on rows that the learner met: forward; forward and backward."""
    shard = next(iter(learner.ppo.shards.values()))
    buffer, policy = shard.buffer, learner.trained.policy(shard.ruleset)
    rows = min(ROWS, buffer.size)
    seen, legal = torch.from_numpy(buffer.observations[:rows]), torch.from_numpy(buffer.action_masks[:rows])
    weights = list(policy.parameters())

    def forward() -> None:
        with torch.no_grad():
            evaluate(policy, seen, legal)

    def backward() -> None:
        logits, values = evaluate(policy, seen, legal)
        torch.autograd.grad(logits.log_softmax(1)[:, 0].sum() + values.sum(), weights)

    return cpu_microseconds(forward, repeats) / rows, cpu_microseconds(backward, repeats) / rows


def measure(plan: Plan, rollouts: int) -> dict[str, float]:
    """Microseconds a decision, by part; "whole" by the clock, and "decisions" a second by it.

    The parts of shards that play side by side are added up. They are taken by the clock, so they are what they say where each
    thread has a core of its own.
    """
    torch.set_num_threads(1)
    learner = Learner(plan)
    try:
        learner.start()
        learner.play()  # compiles, and fills the tables
        before, seconds = learner.decisions, dict.fromkeys(("engine", "inference", "opponents", "learning"), 0.0)
        clock, cpu = time.perf_counter(), time.process_time()
        for _ in range(rollouts):
            learner.play()
            for name in seconds:
                seconds[name] += learner.ppo.seconds.get(name, 0.0)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        forward, backward = of_network(learner)
    finally:
        learner.close()
    decisions = learner.decisions - before
    seconds["learning"] *= min(plan.threads, plan.shards)
    parts: dict[str, Any] = {name: taken / decisions * 1e6 for name, taken in seconds.items()}
    return parts | {
        "cpu": cpu / decisions * 1e6, "clock": clock / decisions * 1e6, "decisions": decisions / clock,
        "forward": forward, "passes": backward * plan.n_epochs,
    }  # fmt: skip


def main(
    players: Annotated[int, typer.Option(help="number of players")] = 3,
    threads: Annotated[int, typer.Option(help="threads that share the shards")] = 2,
    epochs: Annotated[int, typer.Option(help="passes over a rollout; 0: as many as `make train` takes")] = 0,
    rollouts: Annotated[int, typer.Option(help="rollouts to measure")] = 10,
) -> None:
    """Where a decision of the learner spends its time."""
    own = {"n_epochs": epochs} if epochs else {}
    plan = Plan(players=players, start="ppo", value_rollouts=0, threads=threads, shards=max(2, threads), **own)
    found = measure(plan, rollouts)
    what = f"{plan.players} players, {threads} threads, {plan.n_epochs} passes"
    table = Table(title=f"{what}: {found['decisions']:,.0f} decisions/s")
    table.add_column("part")
    table.add_column("µs of a core", justify="right")
    table.add_column("the network alone, µs", justify="right")
    table.add_row("engine: masks, observations, steps", f"{found['engine']:.1f}", "")
    table.add_row("opponents", f"{found['opponents']:.1f}", "")
    table.add_row("the learner's choices", f"{found['inference']:.1f}", f"{found['forward']:.1f}")
    table.add_row("learning", f"{found['learning']:.1f}", f"{found['passes']:.1f}")
    table.add_section()
    table.add_row("all, as the system counts it", f"{found['cpu']:.1f}", f"{found['forward'] + found['passes']:.1f}")
    table.add_row(f"all, {threads} threads by the clock", f"{found['clock'] * threads:.1f}", "")
    print_table(table)


if __name__ == "__main__":
    typer.run(main)
