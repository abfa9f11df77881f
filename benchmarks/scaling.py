"""A plan to many cores, computed: `python -m hansa_benchmarks.scaling`.

What one core does is measured (`hansa train --threads 1`); what ranks send each other follows from `hansa_training.ranks` and
from the sizes of the network and of a game's record. So the table says where a run of many ranks would spend its time, and what
it would stumble over first. It does not say how much is still learned from such large rollouts.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from hansa_env import HansaBatch, Ruleset
from hansa_env.commands.output import print_table
from hansa_training.networks import new_policy
from hansa_training.rollout import SeatBuffer
from hansa_training.sizes import NETWORKS

RANKS = (1, 4, 16, 64, 256, 1024)
GIGABITS = (1.0, 10.0, 100.0)


class Run(NamedTuple):
    """A run as every rank has a part in it.

    Attributes:
        weights: of the network. game: bytes of a game's record. row: bytes of a decision that waits for the next rollout.
        envs, rollout: games of a rank, and decisions of each in a rollout.
        shards: of a rank. batch: decisions in a minibatch, of all ranks together. epochs: passes over a rollout.
        waiting: such decisions in a game, one for each seat that learns: of three all in a quarter of the games, two in another
            quarter, one in the rest.
        speed: decisions that one core plays and learns from in a second.
        latency: seconds until a message of no length has come.
    """

    weights: int
    game: int
    row: int
    envs: int = 512
    rollout: int = 64
    shards: int = 1
    batch: int = 2048
    epochs: int = 2
    waiting: float = 1.75
    speed: float = 9000.0
    latency: float = 50e-6

    def minibatches(self, ranks: int, growing: bool) -> int:
        """In a rollout. Where the minibatch grows with the ranks, their number stays."""
        rows = self.envs * self.rollout * (1 if growing else ranks)
        return max(1, round(rows / self.batch)) * self.epochs

    def sent(self, ranks: int) -> float:
        """Bytes that a rank sends for a minibatch: an all-to-all of its shards' gradients, an all-gather of their sum."""
        return (self.shards + 1) * 4 * self.weights * (1 - 1 / ranks)

    def seconds(self, ranks: int, gigabits: float, growing: bool) -> tuple[float, float]:
        """Of a rollout: playing and learning, which all ranks share, and exchanging gradients."""
        own = self.envs * self.rollout / self.speed
        once = self.sent(ranks) * 8 / (gigabits * 1e9) + 2 * self.latency * max(0, ranks - 1)
        return own, once * self.minibatches(ranks, growing) if ranks > 1 else 0.0

    def checkpoint(self, ranks: int) -> float:
        """Bytes of the games in a checkpoint, and of the decisions that wait in them, which today every rank hears of, not the
        first alone."""
        return (self.game + self.waiting * self.row) * self.envs * ranks


def measured(players: int, network: str, speed: float) -> Run:
    """The run of a network: sizes as they are."""
    ruleset = Ruleset(players)
    weights = sum(one.numel() for one in new_policy(ruleset, NETWORKS[network]).parameters())
    waiting = SeatBuffer(ruleset, 1, 1).state()
    row = sum(one.itemsize * math.prod(one.shape[1:]) for one in waiting.values())
    return Run(weights, HansaBatch(1, ruleset).games.dtype.itemsize, row, speed=speed)


def main(
    players: Annotated[int, typer.Option(help="number of players")] = 3,
    network: Annotated[str, typer.Option(help=f"one of {', '.join(NETWORKS)}")] = "board",
    speed: Annotated[float, typer.Option(help="decisions that one core plays and learns from in a second")] = 9000,
) -> None:  # fmt: skip
    """Where a run of many ranks spends its time."""
    run = measured(players, network, speed)
    rows = run.envs * run.rollout
    for growing in (False, True):
        what = "grows with the ranks" if growing else f"stays {run.batch:,}"
        table = Table(title=f"{run.weights:,} weights, {rows:,} decisions a rank and rollout; the minibatch {what}")
        for column in (
            "ranks",
            "rollout",
            "minibatches",
            "sent, MB",
            *(f"at {one:g} Gb/s" for one in GIGABITS),
            "checkpoint, MB",
        ):
            table.add_column(column, justify="right")
        for ranks in RANKS:
            speeds = []
            for gigabits in GIGABITS:
                own, exchange = run.seconds(ranks, gigabits, growing)
                speeds.append(f"{rows * ranks / (own + exchange) / 1e3:,.0f} k/s ({own / (own + exchange):.0%})")
            steps = run.minibatches(ranks, growing)
            table.add_row(
                f"{ranks:,}", f"{rows * ranks:,}", f"{steps:,}", f"{run.sent(ranks) * steps / 1e6:,.0f}", *speeds,
                f"{run.checkpoint(ranks) / 1e6:,.0f}",
            )  # fmt: skip
        print_table(table)


if __name__ == "__main__":
    typer.run(main)
