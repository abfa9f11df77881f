"""A run whose ranks are actors of a Ray cluster: `hansa train --ray`; needs the extra `ray`.

The first rank is on this machine and writes the folder, the others are wherever there is room. Where one is lost, all are
ended, and new ones go on from the last checkpoint, as many as there is room for then.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hansa_agents.ray_cluster as cluster  # before Ray, whose output it limits

# isort: split
import ray
from filelock import FileLock, Timeout
from ray.exceptions import GetTimeoutError, RayError, RayTaskError
from ray.util.placement_group import PlacementGroup, placement_group, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from hansa_agents.line_ups import MatchError
from hansa_training.begin import check_processes, planned
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import RunError
from hansa_training.plan import Plan
from hansa_training.ray_rank import ERR, FAILED, OUT, REFUSED, Rank, sources
from hansa_training.run_folder import CHECKPOINTS, LOCK

#: Seconds for ranks to find free CPUs, and to load, which takes minutes where others use the CPUs too.
PATIENCE, LOADING = 120.0, 1200.0
#: Seconds after which ranks without a place look whether a machine is gone: Ray knows of that a while after they end.
LOOK = 1
#: Seconds for the others to tell of their end, once one has; and for a folder to be let go of.
GRACE = 10.0
#: So often in a row a run may be lost without a checkpoint in between.
LIVES = 3
#: What Ray says of a rank that died.
DIED = "died"
#: How ranks end before the end, what tells most first: one that dies makes others fail.
ENDINGS = (REFUSED, DIED, FAILED)


class Lost(Exception):
    """A rank is lost; says which, where and how."""


def train_on_ray(
    address: str,
    workers: int | None,
    folder: Path,
    resume: bool = False,
    file: Path | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """`hansa_training.begin.train`, by ranks that Ray places and replaces.

    Args:
        address: of the cluster, see `hansa_agents.ray_cluster.connected`.
        workers: how many ranks. Each takes a CPU for every thread, and with `--device cuda` a GPU. None = as many as there is
            room for, but no more than shards.
        folder: of the run, on this machine.
        resume, file, options: see `train`.

    Raises:
        PlanError: an option is wrong; then nothing has been done, and Ray was not called.
        RunError: the run cannot be begun or resumed, or was lost again and again at the same place.
    """
    plan = planned(folder, resume, file, options)
    check_processes(plan, workers or 1)
    asked = {"folder": folder, "resume": resume, "file": file, "options": dict(options or {})}
    try:
        with cluster.connected(address, workers and workers * plan.threads, "hansa train"):
            RayRun(plan, asked, workers).run()
    except MatchError as error:
        raise RunError(str(error)) from error


@dataclass(frozen=True)
class Placed:
    """A rank that has loaded, and where it is."""

    actor: Any
    host: str
    address: str


class RayRun:
    """A run on the cluster that this process is connected to.

    Args:
        plan: what it will do.
        asked: the arguments of `hansa_training.begin.train`.
        workers: see `train_on_ray`.
    """

    def __init__(self, plan: Plan, asked: Mapping[str, Any], workers: int | None) -> None:
        self._asked, self._folder, self._threads = asked, Path(asked["folder"]), plan.threads
        self._here = ray.get_runtime_context().get_node_id()
        rooms = self._rooms()
        if not rooms.get(self._here):
            raise RunError(f"this machine has less than {plan.threads} CPUs in the Ray cluster; expected as many as --threads, "
                           "since the first rank runs here: start it on another machine, or with fewer threads")  # fmt: skip
        room = sum(rooms.values())
        self._workers = workers or min(room, plan.shards)
        if self._workers > room:
            raise RunError(f"--workers is {self._workers}, but the Ray cluster has CPUs for {room}, of {plan.threads} threads "
                           "each; expected no more: ask for fewer workers or --threads, or add machines")  # fmt: skip
        gpus = ray.cluster_resources().get("GPU", 0)
        self._gpus = int(plan.device == "cuda" or (plan.device == "auto" and gpus >= self._workers))
        # A folder that held another run before is never continued, however often ranks are lost.
        self._ours = asked["resume"] or not self._newest()

    def run(self) -> None:
        """Train to the end. Raises `RunError`."""
        lost, number, newest = 0, 0, self._newest()
        while True:
            try:
                return self._attempt(number)
            except Lost as error:
                number, before, newest = number + 1, newest, self._newest()
                lost = lost + 1 if newest == before else 1
                if lost == LIVES:
                    raise RunError(f"{self._folder}: lost {LIVES} times in a row without a checkpoint in between; the last: "
                                   f"{error}. An agent crashes it, or memory runs out") from error  # fmt: skip
                print(f"{error}; all begin anew from the last checkpoint", file=sys.stderr, flush=True)

    def _attempt(self, number: int) -> None:
        """Train with new ranks, after `number` attempts that failed. Raises `Lost`, and `RunError`."""
        group = self._group(number)
        try:
            ranks = self._loaded(group)
            if number and len(ranks) < self._workers:
                print(f"{len(ranks)} of {self._workers} workers are left", file=sys.stderr, flush=True)
            self._train(ranks, number)
        finally:
            remove_placement_group(group)  # and kill the ranks in it
            self._wait_for_folder()

    def _rooms(self) -> dict[str, int]:
        """How many ranks fit on each machine of the cluster."""
        alive = [node for node in ray.nodes() if node["Alive"]]
        return {node["NodeID"]: int(node["Resources"].get("CPU", 0)) // self._threads for node in alive}

    def _group(self, number: int) -> PlacementGroup:
        """Room for ranks: for all of them at first, later for as many as there is, the first of them here."""
        count = self._workers
        while True:
            if number:
                count = max(1, min(count, sum(self._rooms().values())))
            each = {"CPU": self._threads, **({"GPU": self._gpus} if self._gpus else {})}
            labels = [{"ray.io/node-id": self._here}, *({} for _ in range(count - 1))]
            group = placement_group([each] * count, bundle_label_selector=labels)
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and not (number and sum(self._rooms().values()) < count):
                if group.wait(LOOK):
                    return group
            remove_placement_group(group)
            if not number or count == 1:
                raise RunError(f"the Ray cluster has had no room for {count} workers in {PATIENCE:.0f} s, others use its CPUs "
                               "or GPUs; expected a free CPU for each thread: ask for fewer workers, or wait")  # fmt: skip
            count -= 1

    def _loaded(self, group: PlacementGroup) -> list[Placed]:
        kind = ray.remote(num_cpus=self._threads, num_gpus=self._gpus)(Rank)
        actors = [
            kind.options(scheduling_strategy=PlacementGroupSchedulingStrategy(group, place)).remote()
            for place in range(group.bundle_count)
        ]
        try:
            about = ray.get([actor.about.remote() for actor in actors], timeout=LOADING)
        except GetTimeoutError as error:
            raise Lost(f"not all of {len(actors)} ranks have loaded in {LOADING:.0f} s") from error
        except RayError as error:
            raise Lost(f"a rank could not be started: {_said(error)}") from error
        for one in about:
            if one["sources"] != sources():
                found = "other sources of hansa_env, or another PyTorch, Numba or NumPy, than where the run was started"
                raise RunError(f"{one['host']} has {found}; install the same on all machines of the cluster")
        return [Placed(actor, one["host"], one["address"]) for actor, one in zip(actors, about)]

    def _train(self, ranks: Sequence[Placed], number: int) -> None:
        try:
            port = ray.get(ranks[0].actor.open_store.remote())
        except RayError as error:
            raise Lost(f"rank 0 of {len(ranks)} on {ranks[0].host} {DIED}: {_said(error)}") from error
        run = {
            "WORLD_SIZE": str(len(ranks)), "MASTER_ADDR": ranks[0].address, "MASTER_PORT": str(port),
            "TORCHELASTIC_USE_AGENT_STORE": "True",  # the port is open already
            "TORCHELASTIC_RESTART_COUNT": str(number if self._ours else 0),
            "LOCAL_RANK": "0",  # Ray shows each its own GPU alone
        }  # fmt: skip
        news = {}
        for rank, placed in enumerate(ranks):
            method = placed.actor.train.options(num_returns="streaming")
            news[method.remote({**run, "RANK": str(rank)}, os.getcwd(), self._asked)] = rank
        endings = _followed(news)
        if endings:
            rank, (how, what) = min(endings.items(), key=lambda one: (ENDINGS.index(one[1][0]), one[0]))
            if how == REFUSED:
                raise RunError(what)
            raise Lost(f"rank {rank} of {len(ranks)} on {ranks[rank].host} {how}: {what}")

    def _newest(self) -> list[int]:
        return Checkpoints(self._folder / CHECKPOINTS).numbers()[-1:]

    def _wait_for_folder(self) -> None:
        """Ranks die a moment after they are killed, and a folder is held by one process at a time."""
        if (self._folder / LOCK).exists():
            with suppress(Timeout, OSError), FileLock(self._folder / LOCK, timeout=GRACE):
                pass


def _followed(news: dict[ray.ObjectRefGenerator, int]) -> dict[int, tuple[str, str]]:
    """Print what ranks tell until they end; how those ended that did not come to the end, by rank."""
    endings: dict[int, tuple[str, str]] = {}
    until = None
    while news and (until is None or time.monotonic() < until):
        ready, _ = ray.wait(list(news), num_returns=1, timeout=until and GRACE)
        for one in ready:
            try:
                how, what = ray.get(next(one))
            except StopIteration:
                news.pop(one)
                continue
            except RayError as error:
                how, what = DIED, _said(error)
            if how in (OUT, ERR):
                print(what, end="", file=sys.stdout if how == OUT else sys.stderr, flush=True)
            else:
                endings[news.pop(one)] = how, what
                until = until or time.monotonic() + GRACE
    return endings


def _said(error: RayError) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {(lines or [''])[-1 if isinstance(error, RayTaskError) else 0].strip():.300}"
