"""A plan to many cores, computed: `python -m hansa_benchmarks.scaling`.

What ranks send each other and keep follows from `hansa_training` and from the sizes of the network and of a game's record. What
one core does is measured: docs/scaling.md says how. So the tables say where a run of many ranks would spend its time, and
what it would stumble over first. They do not say how much is still learned from such large rollouts.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import typer

from hansa_agents.match_workers import DECISIONS
from hansa_env import HansaBatch, Ruleset
from hansa_env.commands.output import print_table, table_of
from hansa_training.networks import new_policy
from hansa_training.plan import Plan
from hansa_training.rollout import SeatBuffer
from hansa_training.sizes import NETWORKS

RANKS = (1, 4, 16, 64, 256, 1024)
GIGABITS = (1.0, 10.0, 100.0)
#: Decisions that one core plays and learns from in a second: the third learner on quiet cores, and beside other work. Today's
#: was not measured on quiet cores (docs/learning.md).
MEASURED, SLOWER = 19_000.0, 9_000.0
#: Cores that share a machine, and bytes of a checkpoint that are written in a second.
MACHINE, SAVED = 16, 58e6
#: Fields of a run that are options of a plan, by the same names.
PLANNED = ("envs", "rollout", "batch_size", "n_epochs", "checkpoint_every", "evaluate_every", "snapshots", "at_once")


class Run(NamedTuple):
    """A run as every rank has a part in it; docs/scaling.md says what is measured, and what is assumed.

    Attributes:
        weights: of the network. game: bytes of a game's record. row: bytes of a decision that waits for the next rollout: one
            for each of the learner's seats.
        players: of a game. seats: the learner's, in the mean of all games.
        envs, rollout: games of a rank, and decisions of each in a rollout, the other seats' included.
        batch_size: the learner's decisions in a minibatch, of all ranks together; n_epochs: passes over a rollout.
        checkpoint_every, evaluate_every: rollouts; at a point of the curve a run saves twice more.
        snapshots, at_once: frozen copies in the league, and those that are met at a time.
        shards, threads: of a rank, each thread with a core of its own.
        machine: ranks that share a machine and its line to the others.
        speed: decisions of the learner that one core plays and learns from in a second.
        question, forward: seconds of a question to a network of the league, and of each decision in it.
        report, result: seconds that every rank takes to read what another tells of its rollout, and for each game in it.
        saved: bytes of a checkpoint that the first rank packs, sums and writes in a second.
        latency: seconds until a message of no length has come.
    """

    weights: int
    game: int
    row: int
    players: int
    seats: float
    envs: int
    rollout: int
    batch_size: int
    n_epochs: int
    checkpoint_every: int
    evaluate_every: int
    snapshots: int
    at_once: int
    shards: int = 1
    threads: int = 1
    machine: int = MACHINE
    speed: float = MEASURED
    question: float = 0.45e-3
    forward: float = 5.2e-6
    report: float = 5e-5
    result: float = 5e-7
    saved: float = SAVED
    latency: float = 50e-6

    def with_threads(self, threads: int) -> Run:
        """The run whose ranks have so many cores each, and a shard of as many games for each of them."""
        return self._replace(
            envs=self.envs * threads, shards=self.shards * threads, threads=self.threads * threads,
            batch_size=self.batch_size * threads, machine=max(1, self.machine // threads),
        )  # fmt: skip

    def learned(self, ranks: int) -> float:
        """The learner's decisions in a rollout."""
        return self.envs * self.rollout * self.seats / self.players * ranks

    def played(self) -> float:
        """Seconds in which a rank plays its part of a rollout and learns from it; its threads share the work."""
        return self.learned(1) / (self.speed * self.threads)

    def told(self) -> float:
        """Seconds in which a rank takes in what another tells of its rollout."""
        return self.report + self.result * self.envs * self.rollout / DECISIONS

    def minibatches(self, ranks: int, growing: bool) -> int:
        """In a rollout. Where the minibatch grows with the ranks, their number stays."""
        return max(1, round(self.learned(1 if growing else ranks) / self.batch_size)) * self.n_epochs

    def sent(self, ranks: int) -> float:
        """Bytes that a rank sends for a minibatch: an all-to-all of its shards' gradients, an all-gather of their sum."""
        return (self.shards + 1) * 4 * self.weights * (1 - 1 / ranks)

    def line(self, ranks: int) -> float:
        """Bytes of that which go out of a machine: of the all-to-all what its ranks send to others, of the all-gather, which
        goes around a ring, what the last of them hands on."""
        if ranks <= self.machine:
            return 0.0
        return 4 * self.weights * (self.machine * self.shards * (1 - self.machine / ranks) + 1 - 1 / ranks)

    def reduction(self, ranks: int, gigabits: float) -> float:
        """Seconds to add up the gradients of a minibatch, at so many Gb/s of a machine's line."""
        return self.line(ranks) * 8 / (gigabits * 1e9) + 2 * self.latency * (ranks - 1)

    def checkpoint(self, ranks: int) -> float:
        """Bytes of a checkpoint that grow with the ranks: the games and the decisions that wait in them."""
        return (self.game + self.seats * self.row) * self.envs * ranks

    def networks(self) -> float:
        """Bytes of networks in a checkpoint, and in the memory of every rank: weights, their average, two moments of Adam,
        frozen copies."""
        return 4.0 * self.weights * (4 + self.snapshots)

    def saving(self, ranks: int, gigabits: float) -> float:
        """Seconds of a rollout that checkpoints take: every rank hears of all games, the first writes, the others wait."""
        heard = 0.0 if ranks <= self.machine else self.checkpoint(ranks) * (1 - 1 / ranks) * 8 / (gigabits * 1e9)
        written = (self.checkpoint(ranks) + self.networks()) / self.saved
        return (heard + written) * (1 / self.checkpoint_every + 2 / self.evaluate_every)

    def seconds(self, ranks: int, gigabits: float, growing: bool) -> dict[str, float]:
        """Of a rollout, by what takes them: only the first is shared by all ranks."""
        several = ranks > 1
        return {
            "playing and learning": self.played(),
            "gradients": self.reduction(ranks, gigabits) * self.minibatches(ranks, growing) if several else 0.0,
            "results for the league": self.told() * ranks if several else 0.0,
            "checkpoints": self.saving(ranks, gigabits),
        }

    def share(self, ranks: int, gigabits: float, growing: bool) -> float:
        """Of the time, that is left for playing and learning."""
        own, *others = self.seconds(ranks, gigabits, growing).values()
        return own / (own + sum(others))

    def against_networks(self) -> float:
        """By how much a rollout takes longer where all opponents are networks: the other seats' decisions, and a question to
        each network at each decision of all games. It is the same with any number of ranks."""
        decided = self.envs * self.rollout * (1 - self.seats / self.players) * self.forward
        asked = self.rollout * self.shards * self.at_once * self.question
        return (decided + asked) / self.threads / self.played()


def usual(option: str) -> Any:
    """The default of an option of a plan."""
    return Plan.model_fields[option].default


def learners(players: int) -> float:
    """Seats that the learner has in a game, in the mean, by the plan's defaults: all, two where there are others, or one."""
    everyone, two = usual("all_learners"), usual("two_learners")
    return everyone * players + two * (2 if players > 2 else 1) + (1 - everyone - two)


def measured(players: int = 3, network: str = "board", speed: float = MEASURED) -> Run:
    """The run of a network by the plan's defaults: sizes as they are."""
    ruleset = Ruleset(players)
    weights = sum(one.numel() for one in new_policy(ruleset, NETWORKS[network]).parameters())
    waiting = SeatBuffer(ruleset, 1, 1).state()
    row = sum(one.itemsize * math.prod(one.shape[1:]) for one in waiting.values())
    planned = {option: usual(option) for option in PLANNED}
    return Run(weights, HansaBatch(1, ruleset).games.dtype.itemsize, row, players, learners(players), **planned, speed=speed)


def exchange(run: Run) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Columns and rows: minibatches that grow with the ranks, and what they cost on lines of several speeds."""
    head = ("ranks", "decisions a rollout", "in a minibatch", "rate by the root", "a rank sends a rollout, MB")
    rates = tuple(f"all-reduce at {one:g} Gb/s, ms" for one in GIGABITS)
    rows = []
    for ranks in RANKS:
        sums = (f"{run.reduction(ranks, one) * 1e3:,.1f}" for one in GIGABITS)
        rate = usual("learning_rate") * math.sqrt(run.batch_size * ranks / usual("batch_size"))
        megabytes = run.sent(ranks) * run.minibatches(ranks, growing=True) / 1e6
        rows.append((f"{ranks:,}", f"{run.learned(ranks):,.0f}", f"{run.batch_size * ranks:,}", f"{rate:.2g}",
                     f"{megabytes:,.0f}", *sums))  # fmt: skip
    return (*head, *rates), rows


def times(run: Run, growing: bool = True, gigabits: float = 10.0) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Columns and rows: where the seconds of a rollout go."""
    slower = run._replace(speed=SLOWER)
    parts = tuple(f"{name}, s" for name in run.seconds(1, gigabits, growing))
    rows = []
    for ranks in RANKS:
        seconds = run.seconds(ranks, gigabits, growing)
        rows.append((f"{ranks:,}", *(f"{one:,.2f}" for one in seconds.values()),
                     f"{run.learned(ranks) / sum(seconds.values()):,.0f}",
                     f"{run.share(ranks, gigabits, growing):.0%}", f"{slower.share(ranks, gigabits, growing):.0%}",
                     f"{(run.checkpoint(ranks) + run.networks()) / 1e6:,.0f}"))  # fmt: skip
    shares = f"left at {run.speed:,.0f} a core", f"at {SLOWER:,.0f} a core"
    return ("ranks", *parts, "decisions/s", *shares, "checkpoint, MB"), rows


def main(
    players: Annotated[int, typer.Option("--players", "-p", help="number of players")] = 3,
    network: Annotated[str, typer.Option(help=f"one of {', '.join(NETWORKS)}")] = "board",
    speed: Annotated[float, typer.Option(help="decisions that one core plays and learns from in a second")] = MEASURED,
    machine: Annotated[int, typer.Option(min=1, help="cores that share a machine and its line")] = MACHINE,
    threads: Annotated[int, typer.Option(min=1, help="cores of a rank, each with a shard")] = 1,
    gigabits: Annotated[float, typer.Option(help="of a machine's line, for where the seconds go")] = 10,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="rollouts between two checkpoints")] = usual("checkpoint_every"),
    evaluate_every: Annotated[
        int, typer.Option(min=1, help="rollouts between two points of the curve")
    ] = usual("evaluate_every"),
    saved: Annotated[
        float, typer.Option(help="MB of a checkpoint that the first rank packs and writes in a second")
    ] = SAVED / 1e6,
    at_once: Annotated[int, typer.Option(min=0, help="networks that are met at a time")] = usual("at_once"),
) -> None:  # fmt: skip
    """Where a run of many ranks spends its time."""
    run = measured(players, network, speed)._replace(
        machine=machine,
        checkpoint_every=checkpoint_every,
        evaluate_every=evaluate_every,
        saved=saved * 1e6,
        at_once=at_once,
    ).with_threads(threads)  # fmt: skip
    print_table(table_of(*exchange(run), f"{run.weights:,} weights; the minibatch grows with the ranks", left=0))
    for growing in (True, False):
        what = "grows with the ranks" if growing else f"stays {run.batch_size:,}"
        title = f"Seconds of a rollout at {gigabits:g} Gb/s; the minibatch {what}"
        print_table(table_of(*times(run, growing, gigabits), title, left=0))
    longer = f"Where all opponents are networks, {at_once} at a time, playing and learning takes"
    typer.echo(f"{longer} {run.against_networks():.0%} longer; {run.networks() / 1e6:.1f} MB of networks on every rank.")


if __name__ == "__main__":
    typer.run(main)
