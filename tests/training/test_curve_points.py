"""What a run is measured by: points of its curve, the result and the picture, and measuring that is stopped."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from hansa_env import make_agent
from hansa_env.commands.progress import Progress
from hansa_training.begin import train
from hansa_training.checkpoints import Checkpoints
from hansa_training.curve import picture, read_curve
from hansa_training.errors import RunError
from hansa_training.learner import Learner
from hansa_training.measure import curve_point, final_games
from hansa_training.plan_file import make_plan
from tests.training.tiny import TINY, figures


class Counted(Progress):
    """Keeps of how many games it was told, and how many there were."""

    def __init__(self) -> None:
        self.asked, self.done = [], []

    def begin(self, what: str, total: int, done: int = 0) -> None:
        self.asked.append(total)
        self.done.append(done)

    def at(self, done: int, note: str | None = None) -> None:
        self.done[-1] = done

    @contextmanager
    def aside(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        self.begin(what, total)
        yield lambda: self.at(self.done[-1] + 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_progress_tells_of_as_many_games_as_are_played(players: int) -> None:
    """Which are more than those asked for, since everybody has each seat equally often."""
    games = {"curve_games": "7", "final_games": "5", "max_turns": "1", "eval_opponents": "scripted:link greedy"}
    plan, progress = make_plan(options={"players": str(players)} | games), Counted()
    learner = SimpleNamespace(agent=lambda ruleset, temperature=0: make_agent("random", ruleset))
    curve_point(learner, plan, progress)
    final_games(learner, plan, progress)
    assert progress.done == progress.asked and len(progress.asked) == 2


def test_a_rollout_from_which_nothing_was_learned_leaves_a_gap_in_the_picture(finished: Path) -> None:
    """As where no seat came to its next decision: such a point has no figures of learning."""
    result = json.loads((finished / "result.json").read_text())
    points = result["curve"]
    del points[-1]["figures"]["train/entropy"], points[-1]["figures"]["train/explained_variance"]
    assert picture(points, make_plan(result["plan"])).startswith(b"\x89PNG")


def test_the_curve_of_a_run_that_met_a_mixture_of_many_models_is_read_back(finished: Path, tmp_path: Path) -> None:
    mixture = f"mixture:{'+'.join(['ppo:runs/some/where/far/away/milestones/00001000000.safetensors'] * 100)}"
    text = (finished / "curve.jsonl").read_text()
    (tmp_path / "curve.jsonl").write_text(
        text.replace('"greedy', f'"{mixture}').replace("ahead of greedy", f"ahead of {mixture}")
    )
    assert mixture in read_curve(tmp_path / "curve.jsonl")[-1]


def test_a_run_without_a_point_has_a_picture() -> None:
    assert picture([], make_plan(options=TINY)).startswith(b"\x89PNG")


@pytest.mark.slow
def test_plots_of_a_caller_keep_their_backend() -> None:
    code = "import matplotlib; matplotlib.use('svg'); import hansa_training.begin; print(matplotlib.get_backend())"
    told = subprocess.check_output([sys.executable, "-c", code], text=True, env=os.environ | {"MPLBACKEND": "svg"})
    assert told.strip() == "svg"


def test_a_finished_run_is_measured_against_others(finished: Path, tmp_path: Path) -> None:
    """Its last point gets them too, and what was measured before stays."""
    shutil.copytree(finished, tmp_path / "run")
    before = json.loads((finished / "result.json").read_text())["curve"]
    result = train(tmp_path / "run", resume=True, options={"eval_opponents": "scripted:link"})
    assert {line["opponent"] for line in result["final"]} == {"scripted:link"}
    assert result == json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["curve"][:-1] == before[:-1] and before[-1].items() <= result["curve"][-1].items()
    assert 0 <= result["curve"][-1]["scripted:link"] <= 1
    again = train(tmp_path / "run", resume=True)
    assert again == result and len(Checkpoints(tmp_path / "run" / "checkpoints").numbers()) == 3


def test_the_picture_leaves_out_whom_no_point_was_measured_against(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, drawn = json.loads((finished / "result.json").read_text()), []

    def figure(*arguments: object, **settings: object) -> Figure:
        drawn.append(Figure(*arguments, **settings))
        return drawn[-1]

    monkeypatch.setattr("matplotlib.figure.Figure", figure)
    for others in ("scripted:link", "random scripted:link"):
        plan = make_plan(result["plan"] | {"eval_opponents": others})
        assert picture(result["curve"], plan).startswith(b"\x89PNG")
        names = [line.get_label() for line in drawn[-1].axes[0].lines]
        assert names == ["one among 2 random"] * ("random" in others) + ["chance, 3 players"]


def test_the_result_is_kept_before_the_picture_is_drawn(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()

    def undrawn(*_: object) -> bytes:
        raise RunError("no picture")

    monkeypatch.setattr("hansa_training.job.picture", undrawn)
    with pytest.raises(RunError, match="no picture"):
        train(tmp_path / "run", resume=True)
    assert figures(tmp_path / "run") == figures(finished)


@pytest.mark.slow
def test_a_run_that_is_stopped_while_it_is_measured_has_kept_what_it_learned(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a point on the way and at the last one; it ends with the figures of a run that was never stopped."""
    for decisions in (96, 192):

        def stopped(learner: Learner, *others: object, at: int = decisions) -> dict:
            if learner.decisions >= at:
                raise KeyboardInterrupt
            return curve_point(learner, *others)

        monkeypatch.setattr("hansa_training.job.curve_point", stopped)
        resume = (tmp_path / "run").exists()
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "run", resume=resume, options={} if resume else TINY)
        kept = Checkpoints(tmp_path / "run" / "checkpoints").newest().note
        assert kept["self-play"] >= decisions
    monkeypatch.undo()
    train(tmp_path / "run", resume=True)
    assert figures(tmp_path / "run") == figures(finished)
