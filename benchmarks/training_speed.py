"""Where a decision of the learner spends its time: `python -m hansa_benchmarks.training_speed`.

A run of `hansa train` plays and learns for some rollouts, from the weights of version 0.2. Its parts are shown beside the
arithmetic: what the network alone takes in large batches, once forward, and forward and backward for each pass. All of it is in
microseconds of one core for each decision of the learner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import torch
import typer
from rich.table import Table

from hansa_env.commands.output import one_line_errors, print_line, print_table, table_of
from hansa_training.begin import check_plan
from hansa_training.learner import Learner
from hansa_training.networks import evaluate
from hansa_training.plan import Plan
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import given_options

#: Rows of a batch in which the network alone is measured, and how often.
ROWS, REPEATS = 2048, 20


def cpu_microseconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Of one call, the mean of some after one that is not counted."""
    work()
    began = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - began) / repeats * 1e6


def of_network(learner: Learner) -> tuple[float, float]:
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

    return cpu_microseconds(forward) / rows, cpu_microseconds(backward) / rows


def measure(plan: Plan, rollouts: int) -> dict[str, float]:
    """Microseconds a decision, by part and by the clock; "decisions" a second by it, also "played" and "learned" alone, and
    "rows" of a rollout.

    The parts of shards that play side by side are added up. They are taken by the clock, so they are what they say where each
    thread has a core of its own.
    """
    torch.set_num_threads(1)
    learner = Learner(plan)
    try:
        learner.start()
        learner.play()  # compiles, and fills the tables
        before, seconds = learner.decisions, dict.fromkeys(("engine", "inference", "opponents", "play", "learning"), 0.0)
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
    speeds = {
        "played": decisions / seconds.pop("play"),
        "learned": decisions / seconds["learning"],
        "rows": decisions / rollouts,
    }
    seconds["learning"] *= min(plan.threads, plan.shards)
    parts: dict[str, Any] = {name: taken / decisions * 1e6 for name, taken in seconds.items()}
    return parts | speeds | {
        "cpu": cpu / decisions * 1e6, "clock": clock / decisions * 1e6, "decisions": decisions / clock,
        "forward": forward, "passes": backward * plan.n_epochs,
    }  # fmt: skip


def over_envs(plans: Sequence[Plan], rollouts: int) -> Table:
    """A table of how a learner does by plans that differ in the games side by side."""
    plan = plans[0]
    what = f"{plan.players} players, {plan.device}, {plan.shards} shards, {plan.threads} threads, {plan.n_epochs} passes"
    columns = "games", "decisions/s", "while it plays", "while it learns", "decisions a rollout", "memory of the GPU"
    table = table_of(columns, title=what, left=0)
    for plan in plans:
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        found = measure(plan, rollouts)
        memory = f"{torch.cuda.max_memory_reserved() / 2**30:.1f} GiB" if torch.cuda.is_initialized() else ""
        speeds = [f"{found[name]:,.0f}" for name in ("decisions", "played", "learned", "rows")]
        table.add_row(f"{plan.envs:,}", *speeds, memory)
        print_line(f"{plan.envs:,} games: {speeds[0]} decisions/s")
    return table


def main(
    players: Annotated[int, typer.Option("--players", "-p", help="number of players")] = 3,
    threads: Annotated[int, typer.Option(min=1, help="threads that share the shards")] = 2,
    epochs: Annotated[int, typer.Option(min=0, help="passes over a rollout; 0: as many as `make train` takes")] = 0,
    rollouts: Annotated[int, typer.Option(min=1, help="rollouts to measure")] = 10,
    device: Annotated[str, typer.Option(help="where networks play and learn: cpu or cuda")] = "cpu",
    envs: Annotated[str, typer.Option(help="numbers of games side by side, with spaces between: a line for each")] = "",
    options: Annotated[str, typer.Option(help="of the plan, with spaces between: precision=float32 rollout=32")] = "",
) -> None:
    """Where a decision of the learner spends its time; or how many it takes a second with more and more games side by side."""
    given = {"players": str(players), "threads": str(threads), "device": device, "shards": str(max(2, threads))}
    given |= {"value_rollouts": "0", "start": "0.2"} | ({"n_epochs": str(epochs)} if epochs else {})
    with one_line_errors():
        given |= given_options(options.split())
        plans = [make_plan(options=given | {"envs": one}) for one in envs.split()]
        plan = make_plan(options=given)
        check_plan(plan)
    if plans:
        print_table(over_envs(plans, rollouts))
        return
    found = measure(plan, rollouts)
    what = f"{plan.players} players, {threads} threads, {plan.n_epochs} passes"
    columns = "part", "µs of a core", "the network alone, µs"
    table = table_of(columns, title=f"{what}: {found['decisions']:,.0f} decisions/s")
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
