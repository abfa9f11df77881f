"""How the games of a match are shared out: who plays them, and how many at a time."""

from __future__ import annotations

import os
from types import ModuleType

import numpy as np

from hansa_agents.agent_processes import Seating
from hansa_agents.line_ups import MatchError
from hansa_agents.match_job import Job
from hansa_agents.match_options import Compute
from hansa_agents.worker_processes import Processes
from hansa_agents.workers import Here, Workers
from hansa_env import Agent, HansaBatch
from hansa_env.extras import what_is_missing
from hansa_env.play.agents import ask_agents, name_of
from hansa_env.play.errors import AgentFault, NoAnswer, OutOfTime

PIECE_SECONDS = 20.0  # a process plays so much at a time, side by side; what takes longer is shared among all cores
LEAST_ROWS, MOST_ROWS = 16, 1024  # played side by side; networks are slow for few
QUICK = 0.02  # seconds for a decision, of an agent that is asked for several to see how quick it is
DECISIONS = 300  # of a game, about


def workers_for(job: Job, seating: Seating, games: int, seconds_per_game: float, compute: Compute) -> Workers:
    """Who plays so many games."""
    processes, ray = compute.processes, compute.ray
    if ray is None and processes is None:
        processes = cores() if games * seconds_per_game > PIECE_SECONDS and _all_by_spec(job) else 1
    if not games or (ray is None and processes == 1):
        return Here(job, seating)
    seating.end()  # those who play have seats of their own
    if ray is not None:
        return ray_workers().RayCluster(job, ray, None if processes == 1 else processes)
    return Processes(job, processes or 1)


def seconds_per_game(agents: list[Agent], seating: Seating, job: Job) -> float:
    """About how long a game takes one core, from each agent's second decision; the first loads compiled code. Of quick agents
    it is a share of several decisions that they take at a time: networks take little longer for many than for one."""
    timeout = job.faults.timeout
    batch = HansaBatch(LEAST_ROWS, job.ruleset)
    spent = np.zeros((2, len(agents)))
    for place, agent in enumerate(agents):
        try:
            seating.warm_up(place)
            for seconds in spent:
                ask_agents(agents, np.array([place]), job.ruleset, batch.games[:1], seconds)
            if spent[1, place] < QUICK and timeout is None:
                several = np.zeros(len(agents))
                ask_agents(agents, np.full(LEAST_ROWS, place), job.ruleset, batch.games, several)
                spent[1, place] = several[place] / LEAST_ROWS
        except (NoAnswer, OutOfTime, AgentFault) as error:
            if timeout is not None and not isinstance(error, AgentFault):
                spent[1, place] = max(timeout, 1.0)
            if job.faults.forfeits:
                continue
            if isinstance(error, AgentFault):
                raise
            why = str(error) if isinstance(error, NoAnswer) else f"took longer than {timeout:g} s a decision"
            raise AgentFault(place, name_of(agent), None, why) from error
    return float(spent[1].mean() * DECISIONS)


def ray_workers() -> ModuleType:
    """The module `ray_cluster`. Raises MatchError without the extra that it needs."""
    try:
        from hansa_agents import ray_cluster
    except ModuleNotFoundError as error:
        raise MatchError(what_is_missing(error)) from error
    return ray_cluster


def size_of_pieces(games: int, seconds_per_game: float, processes: int) -> int:
    """How many games are played side by side: few of slow agents, so that games end and are written one by one."""
    size = min(max(int(PIECE_SECONDS / max(seconds_per_game, 1e-6)), LEAST_ROWS), MOST_ROWS)
    if processes > 1:
        size = min(size, -(-games // (4 * processes)))
    return max(1, size)


def _all_by_spec(job: Job) -> bool:
    return all(entrant.agent is None for entrant in job.entrants)


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
