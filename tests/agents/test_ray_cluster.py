"""A match on a Ray cluster; needs the extra `ray`."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from hansa_agents.arena import Compute
from hansa_agents.game_result import SHORT_ONES
from hansa_agents.ladder import Ladder
from hansa_env import make_agent
from tests.agents import workers
from tests.agents.workers import RULESET, MatchError, play

ray = pytest.importorskip("ray", reason="needs the extra `ray`")

TWO = {"compute": Compute(ray="auto")}


@pytest.fixture(scope="module")
def cluster():
    """Ray with two workers."""
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=2**27)
    yield
    ray.shutdown()


def test_games_are_those_of_one_process(cluster, tmp_path):
    workers.games_are_those_of_one_process(tmp_path, **TWO)


def test_a_worker_killed_in_the_middle_costs_nothing(cluster, tmp_path):
    workers.a_killed_worker_costs_nothing(tmp_path, **TWO)


def test_a_game_that_no_worker_survives_is_named(cluster, tmp_path):
    workers.a_game_that_no_worker_survives_is_named(tmp_path, "WorkerCrashedError of Ray: The worker died", **TWO)


def test_what_is_interrupted_goes_on_anywhere(cluster, tmp_path):
    workers.what_is_interrupted_goes_on_anywhere(tmp_path, **TWO)
    assert ray.is_initialized(), "who started Ray stops it"


def test_both_workers_play(cluster, tmp_path):
    play([f"{workers.FAULTY}:Present:{tmp_path}", "random"], games=12, **TWO)
    assert len(list(tmp_path.iterdir())) >= 3, "two, and this process, which asks each agent once or twice"


def test_errors_are_those_of_one_process(cluster):
    workers.errors_are_those_of_one_process(**TWO)


def test_agents_that_are_given_made_are_sent(cluster):
    agent = make_agent("random", RULESET)
    agent.act = lambda inputs, masks, seats: masks.argmax(1)
    assert play([agent, "greedy"], **TWO).games == 48
    agent.lock = socket.socket()
    with agent.lock, pytest.raises(MatchError, match="an agent cannot be sent to another process"):
        play([agent, "greedy"], **TWO)


def test_agents_in_the_current_folder_are_found(cluster, tmp_path, monkeypatch):
    (tmp_path / "bot_of_this_folder.py").write_text("from tests.agents.faulty import Faulty as Bot\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert play(["bot_of_this_folder:Bot", "random"], **TWO).games == 48


def test_an_agent_is_placed_on_a_ladder(cluster):
    ladders = [Ladder(RULESET), Ladder(RULESET)]
    for ladder, options in zip(ladders, ({}, TWO)):
        ladder.play(["random", "greedy"], 12, seed=1)
        ladder.place("new=random", ci_width=2000, max_games=12, **options)
    one, many = ([(r.number, r.seed, r.agents, r.decisions, r.scores.tolist()) for r in ladder.results] for ladder in ladders)
    assert one == many and len(one) > 12


def test_a_machine_with_other_sources_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("hansa_agents.ray_cluster._sources", lambda: "others")
    with pytest.raises(MatchError, match="has other sources of hansa_env"):
        play(["random"], **TWO)


def command(address: str, *more: str, agent: str = "tests.agents.faulty:Slow") -> list[str]:
    return [sys.executable, "-m", "hansa_env", "arena", agent, "random", "--players", "3", "--games", "120", "--max-turns", "8",
            "--ray", address, *more]  # fmt: skip


def test_a_worker_that_is_killed_leaves_one_line_and_the_results_alone(tmp_path):
    killed = f"{workers.KILLED}{tmp_path / 'marker'}"
    called = command("local", "--json", "--no-progress", agent=killed)
    found = subprocess.run(called, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["games"] == 120
    assert "what it had under way is played again" in found.stderr


def test_the_command_starts_ray_itself_and_ctrl_c_prints_what_was_played(tmp_path):
    file = tmp_path / "games.jsonl"
    with subprocess.Popen(
        command("local", "--processes", "2", "--results", str(file)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as running:  # fmt: skip
        until = time.monotonic() + 120
        while (not file.exists() or file.read_bytes().count(b"\n") < 3) and running.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    played = file.read_bytes().count(b"\n")
    assert running.returncode == 130, err
    assert 3 <= played < 120 and ("games" in out or "no game can be counted" in out)
    assert f"stopped after {played} games" in err and "; the same command continues" in err
    assert (SHORT_ONES in err) == ("no game can be counted" not in out)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ray://localhost:10001", "is for clients of Ray"),
        ("127.0.0.1:1", "no Ray cluster at '127.0.0.1:1': [Errno 111] Connection refused"),
        ("nonsense", "no Ray cluster at 'nonsense': Invalid address format"),
    ],
)
def test_an_address_without_a_cluster_is_refused_in_one_line(address, said):
    found = subprocess.run(command(address), capture_output=True, text=True, timeout=120)
    assert found.returncode == 2 and found.stderr.splitlines()[-1].startswith("error: ") and said in found.stderr
