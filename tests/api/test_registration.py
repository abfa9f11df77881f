"""Gymnasium and PettingZoo know the environments once `hansa_env` is imported, and what else that loads."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pettingzoo

from hansa_env.api import registration

PROGRAM = f"""
import sys
import hansa_env
print(sorted({{"pydantic", "torch", "rich", "typer"}} & set(sys.modules)))
import gymnasium
import pettingzoo
print({registration.SINGLE_SEAT_ID!r} in gymnasium.registry)
print({registration.AEC_ID!r} in pettingzoo.aec_registry, {registration.AEC_ID!r} in pettingzoo.parallel_registry)
"""


def test_the_environments_are_known_and_what_only_some_need_is_not_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nTrue\nTrue True\n"


def test_a_second_time_changes_nothing(monkeypatch) -> None:
    monkeypatch.delitem(gymnasium.registry, registration.SINGLE_SEAT_ID)
    monkeypatch.delitem(pettingzoo.aec_registry, registration.AEC_ID)
    monkeypatch.delitem(pettingzoo.parallel_registry, registration.AEC_ID)
    registration.register_environments()
    spec = gymnasium.registry[registration.SINGLE_SEAT_ID]
    assert spec.entry_point == "hansa_env.api.gymnasium:HansaTeutonicaEnv" and registration.AEC_ID in pettingzoo.aec_registry
    registration.register_environments()
    assert gymnasium.registry[registration.SINGLE_SEAT_ID] is spec


def test_the_parallel_view_is_made_by_its_name() -> None:
    env = pettingzoo.make("parallel", registration.AEC_ID, players=3)
    observations, _ = env.reset(seed=1)
    assert sorted(observations) == ["player_0", "player_1", "player_2"]


def test_worker_processes_make_the_environment_by_a_name_with_the_module() -> None:
    """They import nothing by themselves."""
    program = f"import gymnasium; print(gymnasium.make('hansa_env:{registration.SINGLE_SEAT_ID}', players=3).unwrapped)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "HansaTeutonicaEnv" in done.stdout
