"""A match shared among processes of this machine."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hansa_agents.arena import Compute
from hansa_agents.workers import Played, WorkerDied, Workers, share_out
from hansa_env import make_agent
from tests.agents import workers
from tests.agents.workers import RULESET, MatchError, play
from tests.waiting import until

TWO = {"compute": Compute(processes=2)}


def test_games_are_those_of_one_process(tmp_path):
    workers.games_are_those_of_one_process(tmp_path, **TWO)


@pytest.mark.slow
def test_a_process_killed_in_the_middle_costs_nothing(tmp_path):
    workers.a_killed_worker_costs_nothing(tmp_path, **TWO)


@pytest.mark.slow
def test_a_game_that_no_process_survives_is_named(tmp_path):
    workers.a_game_that_no_worker_survives_is_named(tmp_path, r"a process of the match died \(exit code 7\)", **TWO)


#: It sits in a process of its own, beside the worker.
THINKS = """
import os, time
from hansa_env.play.agents import Agent

class Slow(Agent):
    sees = "observations"
    def act(self, inputs, masks, seats):
        if "spawn_main" in open(f"/proc/{os.getppid()}/cmdline").read():
            open(f"{os.getppid()}.worker", "w").close()
            time.sleep(600)
        return masks.argmax(1)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes end when they have thought")
def test_processes_end_with_the_one_that_began_them_whatever_they_are_at(tmp_path):
    (tmp_path / "thinks.py").write_text(THINKS)
    words = ["arena", "thinks:Slow", "random", "--players", "2", "--games", "4", "--processes", "2", "--no-progress"]
    match = subprocess.Popen([sys.executable, "-m", "hansa_env", *words], cwd=tmp_path, stderr=subprocess.DEVNULL)
    until(lambda: len(list(tmp_path.glob("*.worker"))) == 2)
    match.terminate()
    assert match.wait() == -signal.SIGTERM
    until(lambda: not any(runs(int(path.stem)) for path in tmp_path.glob("*.worker")))


def runs(process: int) -> bool:
    """Whether a process is there that is no mere entry for its exit code."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_errors_are_those_of_one_process():
    workers.errors_are_those_of_one_process(**TWO)


def test_an_agent_that_cannot_be_sent_is_refused():
    agent = make_agent("random", RULESET)
    agent.act = lambda inputs, masks, seats: masks.argmax(1)
    with pytest.raises(MatchError, match=r"an agent cannot be sent to another process .*; use processes=1"):
        play([agent, "greedy"], **TWO)


def test_a_script_that_processes_cannot_import_is_named_as_the_reason():
    """As one that is typed in, or a notebook's cell with a class of its own."""
    script = """
from hansa_agents import Agent
from hansa_agents.arena import Compute, play_match
from hansa_env import Ruleset

class Mine(Agent):
    sees = "observations"
    def act(self, inputs, masks, seats):
        return masks.argmax(1)

play_match([Mine(), "random"], Ruleset(2), 2, max_turns=4, compute=Compute(processes=2))
"""
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True)
    assert "MatchError: a process of the match could not start (exit code 1)" in done.stderr.splitlines()[-1], done.stderr


class Scripted(Workers):
    """Plays nothing; a piece dies where it has a game that does, in the middle."""

    def __init__(self, count, deadly):
        self.count, self.deadly, self.begun, self.under_way = count, deadly, [], {}

    def __exit__(self, *_):
        pass

    def has_room(self):
        return len(self.under_way) < self.count

    def begin(self, numbers):
        self.begun.append(list(numbers))
        self.under_way[len(self.begun)] = list(numbers)
        return len(self.begun)

    def news(self):
        key, numbers = next(iter(self.under_way.items()))
        number = numbers.pop(0) if numbers else None
        if number is None or number in self.deadly:
            del self.under_way[key]
        if number in self.deadly:
            self.deadly[number] -= 1
            if self.deadly[number] == 0:
                del self.deadly[number]
            yield key, WorkerDied("gone")
        else:
            yield key, None if number is None else Played(Result(number), None)


class Result:
    def __init__(self, number):
        self.number = number


@pytest.mark.parametrize("count", [1, 3])
def test_what_died_is_played_again_in_smaller_pieces_and_what_had_ended_is_not(count):
    team = Scripted(count, {5: 2})
    found = [played.result.number for played in share_out(team, [list(range(9)), list(range(9, 12))])]
    assert sorted(found) == list(range(12)), "each game once"
    again = [piece for piece in team.begun if 5 in piece]
    assert [len(piece) for piece in again] == [9, 1, 1], "0 to 4 had ended, four were left"
    assert sum(map(len, team.begun)) == 12 + 4 + 1
