"""A run on a Ray cluster of several machines outlives the loss of one; needs the extra `ray`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.training.ray_runs import after_a_checkpoint
from tests.training.tiny import SHARED, figures

pytest.importorskip("ray", reason="needs the extra `ray`")

from ray.cluster_utils import Cluster

from hansa_training import on_ray
from hansa_training.on_ray import train_on_ray

MACHINE = {"object_store_memory": 2**27}


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A machine with room for two ranks, as Ray simulates them."""
    found = Cluster(initialize_head=True, head_node_args=MACHINE | {"num_cpus": 2, "include_dashboard": False})
    yield found
    found.shutdown()


@pytest.mark.slow
def test_a_machine_lost_in_the_middle_costs_no_more_than_a_rollout(
    cluster: Cluster, alone: dict[str, bytes], tmp_path: Path, monkeypatch, capfd
) -> None:
    monkeypatch.setattr(on_ray, "PATIENCE", math.inf)  # ranks that find no place do not wait for the lost machine
    machine = cluster.add_node(num_cpus=1, **MACHINE)
    folder = tmp_path / "run"

    def lose() -> None:
        cluster.remove_node(machine, allow_graceful=False)

    with ThreadPoolExecutor(1) as others:
        lost = others.submit(after_a_checkpoint, folder, lose)
        train_on_ray(cluster.address, None, folder, options=SHARED)
        lost.result()
    assert figures(folder) == alone
    said = capfd.readouterr().err
    assert " of 3 on " in said and " died: " in said and "2 of 3 workers are left" in said and "going on from" in said
