"""A run whose ranks Ray places: the same to the bit, and it outlives ranks; needs the extra `ray`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from hansa_training.errors import RunError
from tests.training.ray_runs import after_a_checkpoint, descendants
from tests.training.tiny import SHARED, figures

pytest.importorskip("ray", reason="needs the extra `ray`")

import ray

from hansa_training import on_ray
from hansa_training.on_ray import train_on_ray


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray with room for four ranks."""
    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False, object_store_memory=2**27)
    yield
    ray.shutdown()


def ranks_of_this_process() -> list[int]:
    """The processes of ranks, in no order."""
    found = []
    for process in descendants(os.getpid()):
        with suppress(OSError):
            if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::Rank"):
                found.append(process)
    return found


def holds(process: int, folder: Path) -> bool:
    """Whether it is the first rank."""
    return any(os.path.realpath(file) == str(folder / ".lock") for file in Path(f"/proc/{process}/fd").iterdir())


def test_a_rank_that_is_killed_costs_no_more_than_a_rollout(cluster, alone: dict[str, bytes], tmp_path: Path, capfd) -> None:
    folder = tmp_path.resolve() / "run"

    def kill() -> None:
        ranks = ranks_of_this_process()
        assert len(ranks) == 2
        os.kill(next(one for one in ranks if not holds(one, folder)), signal.SIGKILL)

    with ThreadPoolExecutor(1) as others:
        killed = others.submit(after_a_checkpoint, folder, kill)
        train_on_ray("auto", 2, folder, options=SHARED)
        killed.result()
    assert figures(folder) == alone
    said = capfd.readouterr().err
    assert "rank 1 of 2 on " in said and " died: " in said and "going on from" in said


def test_what_is_lost_again_and_again_ends_with_the_reason(cluster, tmp_path: Path, monkeypatch, capfd) -> None:
    numbers: list[int] = []

    def lose(self: on_ray.RayRun, number: int) -> None:
        numbers.append(number)
        if number == 1:
            (tmp_path / "checkpoints" / "000001").mkdir(parents=True)
        raise on_ray.Lost("rank 1 of 2 on here died")

    monkeypatch.setattr(on_ray.RayRun, "_attempt", lose)
    with pytest.raises(
        RunError, match=r"lost 3 times in a row without a checkpoint in between; the last: rank 1 of 2 on here died"
    ):
        train_on_ray("auto", 2, tmp_path, options=SHARED)
    assert numbers == [0, 1, 2, 3] and capfd.readouterr().err.count("all begin anew from the last checkpoint") == 3
