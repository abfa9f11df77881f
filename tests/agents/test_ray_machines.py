"""A match on a Ray cluster of several machines; needs the extra `ray`."""

from __future__ import annotations

import pytest

from hansa_agents.arena import Compute
from tests.agents.workers import FAULTY, lines, play

pytest.importorskip("ray", reason="needs the extra `ray`")

from ray.cluster_utils import Cluster

MACHINE = {"num_cpus": 1, "object_store_memory": 2**27}


@pytest.fixture
def cluster():
    """Two machines of one CPU each, as Ray simulates them."""
    found = Cluster(initialize_head=True, head_node_args=MACHINE | {"include_dashboard": False})
    yield found
    found.shutdown()


def test_a_machine_lost_in_the_middle_costs_nothing(cluster, tmp_path, caplog):
    machine = cluster.add_node(**MACHINE)
    here, told, lost = tmp_path / "here", [], []
    here.mkdir()

    def lose(result):
        told.append(result.number)
        if not lost and len(list(here.iterdir())) == 3:  # a process on each machine, and this one
            lost.append(machine)
            cluster.remove_node(machine, allow_graceful=False)

    specs = [f"{FAULTY}:Present:{here}", "random"]
    play(specs, tmp_path / "many", games=60, compute=Compute(ray=cluster.address), on_game_end=lose)
    assert lost and "what it had under way is played again" in caplog.text
    assert sorted(told) == list(range(60))
    play(specs, tmp_path / "one", games=60)
    assert lines(tmp_path / "one") == lines(tmp_path / "many")
