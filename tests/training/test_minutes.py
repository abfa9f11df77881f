"""Runs that end after so many minutes of self-play: by a clock of the tests, on which every rollout takes six seconds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hansa_env.commands.progress import Progress
from hansa_training.begin import train
from hansa_training.errors import RunError
from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.ranks import Ranks
from hansa_training.state import pack, unpack
from hansa_training.sweep import sweep
from tests.training.tiny import TINY

#: Half a minute, which is five rollouts; as many decisions as TINY asks for are many more.
HALF = TINY | {"warm_start": "0", "minutes": "0.5", "value_rollouts": "0", "learning_rate": "0.001", "decay": "0.4"}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is read at the beginning and at the end of each rollout."""
    seconds = count(0, 6)
    monkeypatch.setattr("hansa_training.learner.perf_counter", lambda: next(seconds))
    yield


def rates(learner: Learner) -> list[float]:
    """The largest rate of each rollout up to the end."""
    found = []
    while not learner.finished:
        found.append(learner._largest_rate())
        learner.play()
    return found


def test_self_play_ends_by_time_and_the_rate_shrinks_by_time() -> None:
    """Of 30 seconds, the last 12 are those in which it shrinks: 6 before the end to half."""
    learner = Learner(make_plan(options=HALF))
    assert rates(learner) == pytest.approx([0.001, 0.001, 0.001, 0.001, 0.0005])
    assert learner.rollouts == 5 and learner.seconds == 30
    assert learner.decisions != int(TINY["self_play"])


def test_what_is_done_counts_when_a_run_goes_on() -> None:
    first = Learner(make_plan(options=HALF))
    for _ in range(3):
        first.play()
    second = Learner(make_plan(options=HALF))
    kept, clock = unpack(*pack(first.state())), first.clock()
    second.set_state(kept, clock)
    assert len(rates(second)) == 2 and second.rollouts == 5
    with pytest.raises(RunError, match=r"seconds is -1\.0; expected how long self-play has taken"):
        Learner(make_plan(options=HALF)).set_state(kept, clock | {"seconds": -1.0})
    with pytest.raises(RunError, match=r"seconds before last is 19\.0; expected at most all 18\.0"):
        Learner(make_plan(options=HALF)).set_state(kept, clock | {"seconds before last": 19.0})
    earlier = Learner(make_plan(options=HALF))
    earlier.set_state(kept | clock)  # there earlier versions kept it, of runs by minutes
    assert earlier.seconds == 18
    with pytest.raises(RunError, match="does not say how long self-play took; use --self-play instead"):
        Learner(make_plan(options=HALF)).set_state(kept)


def test_a_run_by_decisions_can_go_on_by_minutes() -> None:
    """Its rollouts took their time, too."""
    first = Learner(make_plan(options=HALF | {"minutes": "0"}))
    for _ in range(3):
        first.play()
    second = Learner(make_plan(options=HALF))
    second.set_state(unpack(*pack(first.state())), first.clock())
    assert second.progress == (18, 30) and len(rates(second)) == 2


def test_less_than_is_done_cannot_be_asked_for() -> None:
    """After five rollouts of 6 seconds, of which the fifth began at 24: that is where a run of 25 seconds would end, too."""
    first = Learner(make_plan(options=HALF))
    rates(first)
    for minutes, overshot in (("0.4", True), ("0.42", False), ("0.5", False), ("0.8", False)):
        second = Learner(make_plan(options=HALF | {"minutes": minutes}))
        assert not second.overshot, "nothing is done"
        second.set_state(unpack(*pack(first.state())), first.clock())
        assert second.overshot is overshot, minutes


def test_the_state_keeps_no_time() -> None:
    """Else checkpoints would differ from run to run."""
    learner = Learner(make_plan(options=HALF))
    learner.play()
    assert learner.clock() == {"seconds": 6, "seconds before last": 0}
    assert not [name for name in learner.state() if name.startswith("seconds")]


def test_the_first_ranks_clock_counts_for_all() -> None:
    class Follower(Ranks):
        def from_first(self, value: Any) -> Any:
            return 15.0

    learner = Learner(make_plan(options=HALF), Follower())
    assert len(rates(learner)) == 2 and learner.seconds == 30


@pytest.mark.slow
def test_a_run_may_be_made_longer(tmp_path: Path) -> None:
    short = train(tmp_path / "run", options=HALF)
    longer = train(tmp_path / "run", resume=True, options={"minutes": "0.8"})
    assert longer["curve"][-1]["decisions"] > short["curve"][-1]["decisions"] and longer["plan"]["minutes"] == 0.8
    with pytest.raises(RunError, match=r"^--minutes is 0\.6; the run has 0\.8 behind it$"):
        train(tmp_path / "run", resume=True, options={"minutes": "0.6"})
    by_decisions = train(tmp_path / "run", resume=True, options={"minutes": "0", "self_play": "1000"})
    assert by_decisions["curve"][-1]["decisions"] >= 1000
    with pytest.raises(RunError, match=r"^--minutes is 1\.0; the run has \d+\.\d behind it$"):
        train(tmp_path / "run", resume=True, options={"minutes": "1.0"})
    assert "minutes = 0.0\n" in (tmp_path / "run" / "plan.toml").read_text()


@pytest.mark.slow
def test_plans_are_compared_at_equal_time(tmp_path: Path) -> None:
    """The second plays twice as many games, so it comes to about twice the decisions in its half minute."""
    for name, envs in (("few", 8), ("many", 16)):
        (tmp_path / f"{name}.toml").write_text(f"envs = {envs}\n")
    given = [f"{name}={value}" for name, value in HALF.items() if name != "envs"]
    plans = f"config={tmp_path / 'few.toml'},{tmp_path / 'many.toml'}"
    few, many = sweep([plans, *given], tmp_path / "sweep", None, Progress(), Console(quiet=True))["runs"]
    assert [Path(run["options"]["config"]).stem for run in (few, many)] == ["few", "many"]
    assert 1.5 * few["decisions"] < many["decisions"] < 3 * few["decisions"]
