"""Where a learner's time goes: the parts are there, and what they are parts of."""

import pytest

from hansa_benchmarks.learner import cpu_microseconds, measure
from hansa_training.plan import Plan


def test_the_parts_of_a_decision_are_measured_beside_the_network_alone() -> None:
    plan = Plan(players=3, start="ppo", value_rollouts=0, envs=32, rollout=16, shards=2, threads=1, batch_size=128, n_epochs=2)
    found = measure(plan, rollouts=2)
    assert all(found[name] > 0 for name in found)
    assert found["clock"] * found["decisions"] == pytest.approx(1e6)
    assert found["engine"] + found["opponents"] + found["inference"] + found["learning"] < found["clock"] * 1.05


def test_the_first_call_is_not_counted() -> None:
    calls = []
    assert cpu_microseconds(lambda: calls.append(1), 3) >= 0
    assert len(calls) == 4
