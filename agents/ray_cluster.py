"""Workers that are tasks of a Ray cluster; needs the extra `ray`.

Nothing is asked of the cluster's machines but the same hansa_env, and the models and modules that the specs name.
"""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

# Ray prints pages about who dies, into the script's output; `share_out` says it in a line.
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "A worker died or was killed|Raylet is terminated")

import ray
from ray.exceptions import RayError, RayTaskError, RuntimeEnvSetupError, TaskUnschedulableError

import hansa_agents
import hansa_env
from hansa_agents.line_ups import MatchError
from hansa_agents.match_job import Job, Played
from hansa_agents.workers import WorkerDied, Workers, cannot_be_sent, games_and_errors
from hansa_env.engine.compile import source_hash
from hansa_env.play.errors import said

LOCAL = "local"  # the address under which Ray is started for the match alone
STORE = 256 * 2**20  # bytes for objects, then; there are few
PATIENCE = 10.0  # seconds for a machine to answer at all


@contextmanager
def connected(address: str, processes: int | None = None, command: str = "hansa arena") -> Iterator[None]:
    """A connection to a cluster: the one that there is already, or else one for this context.

    Args:
        address: of the cluster, as `ray.init` takes it; "local" starts Ray on this machine, to be stopped at the end.
        processes: how many work in the one that is started.
        command: what is run, as errors name it.

    Raises:
        MatchError: there is no such cluster.
    """
    if ray.is_initialized():
        yield
        return
    if address.startswith("ray://"):
        raise MatchError(f"{address!r} is for clients of Ray, whom nothing reaches before the end; start the command on a "
                         f"machine of the cluster with --ray auto: ray job submit -- {command} ... --ray auto")  # fmt: skip
    started = {"num_cpus": processes, "object_store_memory": STORE, "include_dashboard": False} if address == LOCAL else {}
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level="CRITICAL", **started)
    except Exception as error:  # a machine on which Ray takes too long to start raises no more than that
        raise MatchError(f"no Ray cluster at {address!r}: {said(error):.300}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise OSError where nobody listens; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()


class RayCluster(Workers):
    """Tasks of one CPU each: as many as the cluster has CPUs, or fewer.

    Args:
        job: what they play.
        address: see `connected`.
        count: at most so many at a time; None = as many as there are CPUs.
    """

    def __init__(self, job: Job, address: str, count: int | None) -> None:
        self.job, self._address, self._most = job, address, count

    def __enter__(self) -> RayCluster:
        self._connection = connected(self._address, self._most)
        self._connection.__enter__()
        try:
            cpus = max(1, int(ray.cluster_resources().get("CPU", 0)))
            self.count = min(cpus, self._most or cpus)
            try:
                self._job = ray.put(ray.cloudpickle.dumps(self.job))
            except (TypeError, AttributeError, ValueError, pickle.PicklingError) as error:
                raise cannot_be_sent(error) from error
            self._task = ray.remote(num_cpus=1, max_retries=0)(_play).options(num_returns="streaming")
            self._playing: list[ray.ObjectRefGenerator] = []
        except BaseException as error:
            self._connection.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for games in self._playing:
                with suppress(RayError):
                    ray.cancel(games, force=True)
        finally:
            self._connection.__exit__(None, None, None)

    def has_room(self) -> bool:
        return len(self._playing) < self.count

    def begin(self, numbers: Sequence[int]) -> Hashable:
        games = self._task.remote(self._job, list(numbers), os.getcwd(), _sources())
        self._playing.append(games)
        return games

    def news(self) -> Iterator[tuple[Hashable, Played | Exception | None]]:
        ready, _ = ray.wait(self._playing, num_returns=1)
        for games in ready:
            news = self._received(games)
            if not isinstance(news, Played):
                self._playing.remove(games)
            yield games, news

    def _received(self, games: ray.ObjectRefGenerator) -> Played | Exception | None:
        try:
            return pickle.loads(ray.get(next(games)))
        except StopIteration:
            return None
        except (RayTaskError, RuntimeEnvSetupError, TaskUnschedulableError) as error:
            told = str(error).strip().splitlines()[-1]
            return MatchError(f"a machine of the Ray cluster cannot play: {told:.500}")
        except RayError as error:
            with suppress(RayError):
                ray.cancel(games, force=True)  # of those who live on after an object was lost
            return WorkerDied(f"{type(error).__name__} of Ray: {str(error).strip().splitlines()[0]:.300}")


def sources_of(*packages: ModuleType) -> str:
    """A hash of all that is written in packages, and of Numba's version."""
    folders = [Path(str(package.__file__)).parent for package in packages]
    return source_hash(*sorted({path.parent for folder in folders for path in folder.rglob("*.py")}))


def _sources() -> str:
    """Of the rules, the agents and the arena."""
    return sources_of(hansa_agents, hansa_env)


def _play(pickled: bytes, numbers: list[int], folder: str, sources: str) -> Iterator[bytes]:
    """A piece, each game as bytes: arrays that Ray hands on itself cannot be written."""
    if _sources() != sources:
        found = "other sources of hansa_env, or another Numba, than where the match began"
        yield pickle.dumps(MatchError(f"{socket.gethostname()} has {found}; install the same on all machines of the cluster"))
        return
    if not ray.get_runtime_context().runtime_env.get("working_dir"):
        with suppress(OSError):
            os.chdir(folder)  # where models are named from
    job: Job = pickle.loads(pickled)
    with job.seating() as seating:
        for news in games_and_errors(job, numbers, seating):
            yield pickle.dumps(news)
