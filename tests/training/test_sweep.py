"""Several runs by one command: which there are, that none is made twice, and what the table says of them."""

from __future__ import annotations

import errno
import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hansa_env.commands.cli import app as hansa
from hansa_env.commands.progress import Progress
from hansa_training.begin import train
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import PlanError, RunError
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import toml_of
from hansa_training.run_folder import CHECKPOINTS, RESULT, RunFolder
from hansa_training.standing import disk_error
from hansa_training.sweep import MOST, lines_of, sweep, variations
from tests.training.tiny import FIGURES, SHORT, TINY, figures

GIVEN = [f"{name}={value}" for name, value in TINY.items()]


def test_every_combination_is_a_run_and_the_last_option_varies_fastest() -> None:
    runs = variations(["players=4", "ent-coef=0.01,0.02", "seed=3..5"])
    assert [run.name for run in runs] == [f"ent_coef={rate},seed={seed}" for rate in ("0.01", "0.02") for seed in (3, 4, 5)]
    assert runs[4].options == {"players": "4", "ent_coef": "0.02", "seed": "4"}
    assert runs[4].varied == {"ent_coef": "0.02", "seed": "4"}
    assert [run.name for run in variations(["players=4"])] == ["run"]
    assert [run.name for run in variations(["opponents=ppo:a/b,greedy"])] == ["opponents=ppo-a-b", "opponents=greedy"]


def test_plans_by_name_or_file_vary_like_options() -> None:
    runs = variations(["config=quick,mine/own.toml", "seed=3..4"])
    assert [run.name for run in runs[1:3]] == ["config=quick,seed=4", "config=mine-own.toml,seed=3"]
    assert [run.file for run in runs] == [Path("quick")] * 2 + [Path("mine/own.toml")] * 2
    assert runs[2].varied == {"config": "mine/own.toml", "seed": "3"} and runs[2].options == {"seed": "3"}
    (alone,) = variations(["config=quick"])
    assert (alone.name, alone.file, alone.varied, alone.options) == ("run", Path("quick"), {}, {})


def test_plans_are_named_once(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"^--config is quick beside config=\.\.\.; expected one of them$"):
        sweep(["config=quick,three"], tmp_path / "sweep", Path("quick"), Progress(), Console(quiet=True))
    with pytest.raises(PlanError, match=r"^nowhere: cannot be read"):
        sweep(["config=quick,nowhere"], tmp_path / "sweep", None, Progress(), Console(quiet=True))
    assert not (tmp_path / "sweep").exists()


def test_a_value_with_commas_stands_in_double_quotes() -> None:
    rollout = "rollout:screen_sims=1,final_sims=1"
    runs = variations([f'opponents="{rollout}", greedy', "rivals=", "seed=0..1"])
    assert [run.options["opponents"] for run in runs] == [rollout, rollout, "greedy", "greedy"]
    assert [run.options["opponents"] for run in variations([f'opponents="{rollout} greedy"'])] == [f"{rollout} greedy"]
    assert {run.options["rivals"] for run in runs} == {""}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["ent_coef"], "'ent_coef': expected NAME=VALUE"),
        (["=3"], "'=3': expected NAME=VALUE"),
        (["seed=1", "seed=2"], "'seed=2': expected NAME=VALUE, each name once"),
        (["seed=1,1"], "a value of seed is given twice"),
        (["opponents=runs/a,runs-a"], "would share a folder, in whose name / and : are -"),
        (["seed=5..4"], "5..4 is no range"),
        (['opponents="tree:sims=9,seconds=1'], "cannot be split"),
        ([f"seed=0..{MOST}"], "is no range; expected FIRST..LAST with at most 1,000 numbers"),
        (["seed=0..99", "envs=1..99"], "these are 9,900 runs; expected at most 1,000"),
    ],
)
def test_what_cannot_be_swept_is_refused(given: list[str], said: str) -> None:
    with pytest.raises(PlanError) as error:
        variations(given)
    assert said in str(error.value)


def test_a_wrong_option_is_told_before_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"^--ent-coef = -1\.0; expected a number, at least 0"):
        sweep([*GIVEN, "ent_coef=0.01,-1"], tmp_path / "sweep", None, Progress(), Console(quiet=True))
    assert not (tmp_path / "sweep").exists()


def test_a_run_that_cannot_begin_here_is_told_before_the_first_run(tmp_path: Path) -> None:
    """Its options are right, but there is no such model to start from."""
    given = [f"{name}={value}" for name, value in (TINY | {"warm_start": "0"}).items()]
    with pytest.raises((PlanError, RunError), match="nowhere"):
        sweep([*given, f"start=ppo,{tmp_path / 'nowhere'}"], tmp_path / "sweep", None, Progress(), Console(quiet=True))
    assert not (tmp_path / "sweep").exists()


def test_no_folder_has_a_colon_but_where_it_is_there_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec such as ppo:FOLDER could not name it; earlier versions made some."""
    begun = []

    def stopped(folder: Path, *arguments: object) -> None:
        begun.append(folder.name)
        raise KeyboardInterrupt

    monkeypatch.setattr("hansa_training.begin.train", stopped)
    given = [*GIVEN, "opponents=scripted:link,greedy"]
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            sweep(given, tmp_path, None, Progress(), Console(quiet=True))
        options = TINY | {"opponents": "scripted:link"}
        RunFolder.begin(tmp_path / "opponents=scripted:link", toml_of(make_plan(options=options))).close()
    assert begun == ["opponents=scripted-link", "opponents=scripted:link"]


@pytest.mark.parametrize("varied", [[], ["seed=0..1"]])
def test_a_colon_in_the_folder_is_refused_before_the_first_run(varied: list[str], tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"^--folder is '.*/a:b', which has ':', .*; name another folder$"):
        sweep([*GIVEN, *varied], tmp_path / "a:b", None, Progress(), Console(quiet=True))
    assert not (tmp_path / "a:b").exists()


def test_runs_that_were_begun_in_a_folder_with_a_colon_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def stopped(folder: Path, *arguments: object) -> None:
        begun.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr("hansa_training.begin.train", stopped)
    RunFolder.begin(tmp_path / "a:b" / "run", toml_of(make_plan(options=TINY))).close()
    with pytest.raises(KeyboardInterrupt):
        sweep(GIVEN, tmp_path / "a:b", None, Progress(), Console(quiet=True))
    assert begun == [tmp_path / "a:b" / "run"]


@pytest.mark.slow
def test_runs_are_those_of_train_and_a_sweep_that_was_stopped_goes_on(tmp_path: Path, monkeypatch) -> None:
    begun = []

    def stopped(folder: Path, *arguments) -> dict:
        begun.append(folder.name)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return train(folder, *arguments)

    monkeypatch.setattr("hansa_training.begin.train", stopped)
    given, folder = [*GIVEN, "seed=0..1"], tmp_path / "sweep"
    with pytest.raises(KeyboardInterrupt):
        sweep(given, folder, None, Progress(), Console(quiet=True))
    summary = sweep(given, folder, None, Progress(), Console(quiet=True))
    assert begun == ["seed=0", "seed=1", "seed=1"], "what is done is not done again"
    train(tmp_path / "alone", options=TINY | {"seed": "1"})
    assert figures(folder / "seed=1") == figures(tmp_path / "alone") and set(FIGURES) < {
        p.name for p in (folder / "seed=1").iterdir()
    }
    assert json.loads((folder / "sweep.json").read_text()) == summary
    assert [run["options"] for run in summary["runs"]] == [{"seed": "0"}, {"seed": "1"}]
    notes = [Checkpoints(folder / name / CHECKPOINTS).newest().note for name in ("seed=0", "seed=1")]
    assert [run["seconds"] for run in summary["runs"]] == [note["seconds"] for note in notes]
    met = {(line["way"], line["opponent"], line["actions"], line["seeds"]) for line in summary["lines"]}
    assert met == {(way, name, "likeliest", 2) for way in ("final", "among it") for name in ("random", "greedy")} | {
        ("final", "greedy", "sampled", 2)
    }
    with pytest.raises(RunError, match=r"holds a run of another plan \(.* was .*, now .*\); name another folder"):
        sweep([*given, "gamma=0.9"], folder, None, Progress(), Console(quiet=True))


def test_a_run_that_fails_stops_no_other_and_is_tried_again_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, broken = [], {"seed=0"}

    def train_or_fail(folder: Path, *arguments: Any) -> dict:
        begun.append(folder.name)
        if folder.name in broken:
            raise RunError("the loss is no number after rollout 3")
        return train(folder, *arguments)

    monkeypatch.setattr("hansa_training.begin.train", train_or_fail)
    monkeypatch.setattr("hansa_training.job.picture", lambda *_: b"")
    options = TINY | {"warm_start": "0", "self_play": "0"}
    words = ["sweep", *(f"{name}={value}" for name, value in options.items()), "--folder", str(tmp_path)]
    said = CliRunner().invoke(hansa, [*words, "seed=0..1"], env={"COLUMNS": "160"})
    assert said.exit_code == 2 and "seed=0 failed: RunError: the loss is no number after rollout 3" in said.stderr
    assert "1 runs, and 1 that failed" in said.stdout
    summary = json.loads((tmp_path / "sweep.json").read_text())
    reason = "RunError: the loss is no number after rollout 3"
    assert summary["failed"] == [{"name": "seed=0", "options": {"seed": "0"}, "reason": reason}]
    assert [run["name"] for run in summary["runs"]] == ["seed=1"]
    broken.clear()
    again = CliRunner().invoke(hansa, [*words, "seed=0..2"], env={"COLUMNS": "160"})
    assert again.exit_code == 0 and begun == ["seed=0", "seed=1", "seed=2", "seed=0"]
    summary = json.loads((tmp_path / "sweep.json").read_text())
    assert not summary["failed"] and [run["name"] for run in summary["runs"]] == ["seed=0", "seed=1", "seed=2"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES])
def test_a_full_disk_stops_a_sweep(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else the system says of one run's folder stops no other."""
    begun, full = [], number != errno.EACCES

    def fails(folder: Path, *_: Any) -> None:
        begun.append(folder.name)
        error = OSError(number, os.strerror(number))
        raise disk_error(error, folder) from error

    monkeypatch.setattr("hansa_training.begin.train", fails)
    with pytest.raises(RunError, match="the disk is full") if full else nullcontext():
        sweep([*GIVEN, "seed=0..1"], tmp_path, None, Progress(), Console(quiet=True))
    assert begun == (["seed=0"] if full else ["seed=0", "seed=1"])


def test_a_run_that_another_process_holds_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def train_the_first(folder: Path, *arguments: Any) -> dict:
        begun.append(folder.name)
        if folder.name == "seed=0":
            return train(folder, *arguments)
        raise RunError("the loss is no number after rollout 3")

    monkeypatch.setattr("hansa_training.begin.train", train_the_first)
    with RunFolder.begin(tmp_path / "seed=0", toml_of(make_plan(options=TINY | {"seed": "0"}))):
        summary = sweep([*GIVEN, "seed=0..1"], tmp_path, None, Progress(), Console(quiet=True))
    assert begun == ["seed=0", "seed=1"]
    assert [one["name"] for one in summary["failed"]] == begun and "is in use by process" in summary["failed"][0]["reason"]


def test_a_sweep_that_goes_on_names_the_agents_again_that_run_code(tmp_path: Path) -> None:
    options = TINY | {"opponents": "hansa_agents.random_agent:RandomAgent", "self_play": "32", "evaluate_every": "9"}
    RunFolder.begin(tmp_path / "run", toml_of(make_plan(options=options))).close()
    given = [f"{name}={value}" for name, value in options.items()]
    assert len(sweep(given, tmp_path, None, Progress(), Console(quiet=True))["runs"]) == 1


def test_a_run_of_another_plan_is_told_before_the_first_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that was stopped, and where it is the file of the plan that says something else now."""
    begun, file = [], tmp_path / "plan.toml"
    monkeypatch.setattr("hansa_training.begin.train", lambda *asked: begun.append(asked))
    file.write_text("gamma = 0.9\n")
    RunFolder.begin(tmp_path / "seed=1", toml_of(make_plan(file=file, options=TINY | {"seed": "1"}))).close()
    file.write_text("gamma = 0.8\n")
    with pytest.raises(RunError, match=r"seed=1 holds a run of another plan \(gamma was 0\.9, now 0\.8\); name another folder"):
        sweep([*GIVEN, "seed=0..1"], tmp_path, file, Progress(), Console(quiet=True))
    assert not begun


def test_what_may_change_in_a_run_is_as_the_file_says_now(tmp_path: Path) -> None:
    options, file = {name: text for name, text in SHORT.items() if name != "final_games"}, tmp_path / "plan.toml"
    file.write_text("final_games = 4\n")
    RunFolder.begin(tmp_path / "run", toml_of(make_plan(file=file, options=options))).close()
    file.write_text("final_games = 3\n")
    given = [f"{name}={value}" for name, value in options.items()]
    (run,) = sweep(given, tmp_path, file, Progress(), Console(quiet=True))["runs"]
    assert {line["games"] for line in run["final"]} == {3}
    assert run["seconds"] == Checkpoints(tmp_path / "run" / CHECKPOINTS).newest().note["seconds"], "also of one that went on"


def test_results_of_earlier_versions_lack_options_that_are_as_usual(tmp_path: Path) -> None:
    options = TINY | {"self_play": "32", "evaluate_every": "9"}
    given, file = [f"{name}={value}" for name, value in options.items()], tmp_path / "run" / RESULT
    made = sweep(given, tmp_path, None, Progress(), Console(quiet=True))
    result = json.loads(file.read_text())
    assert result["plan"].pop("minutes") == 0 and result["plan"].pop("turn_cost") == 0
    file.write_text(json.dumps(result))
    assert sweep(given, tmp_path, None, Progress(), Console(quiet=True)) == made
    for idle in ("threads=2", "checkpoint_every=7", "keep_every=5", "watch=wandb"):  # no figure depends on them
        changed = [one for one in given if not one.startswith(idle.partition("=")[0])]
        assert sweep([*changed, idle], tmp_path, None, Progress(), Console(quiet=True))["runs"] == made["runs"]
    for asked in ("minutes=1", "turn_cost=0.1"):
        with pytest.raises(RunError, match=r"holds a run of another plan \(.* was .*, now .*\); name another folder"):
            sweep([*given, asked], tmp_path, None, Progress(), Console(quiet=True))


def one(seed: int, share: float, among: float, ent_coef: str = "0.01") -> dict:
    line = {"opponent": "greedy", "actions": "likeliest", "low": 0.1, "high": 0.2, "games": 300}
    return {"name": "", "options": {"ent_coef": ent_coef, "seed": str(seed)}, "seconds": 60.0 * seed, "decisions": 7,
            "final": [line | {"share": share}], "among it": [line | {"share": among}]}  # fmt: skip


def test_of_several_seeds_there_are_mean_worst_and_the_interval_of_students_t() -> None:
    from scipy.stats import ttest_1samp  # which takes as long to import as all else here

    shares = [0.9, 0.8, 0.95]
    runs = [one(seed, share, 1 - share) for seed, share in enumerate(shares, 1)] + [one(1, 0.5, 0.4, "0.02")]
    final, around, alone, _ = lines_of(runs)
    assert (final["way"], final["options"], final["seeds"], final["worst"]) == ("final", {"ent_coef": "0.01"}, 3, 0.8)
    expected = ttest_1samp(shares, 0).confidence_interval(0.95)
    assert final["mean"] == pytest.approx(sum(shares) / 3) and final["low"] == pytest.approx(expected.low)
    assert final["high"] == 1.0 < expected.high and (final["seconds"], final["decisions"]) == (120, 7)
    assert around["way"] == "among it" and around["worst"] == pytest.approx(0.2), "the most that another takes among it"
    assert (alone["low"], alone["high"], alone["seeds"]) == (0.1, 0.2, 1), "of one seed the interval of its games"


@pytest.mark.slow
def test_the_command_prints_a_table(tmp_path: Path) -> None:
    said = CliRunner().invoke(hansa, ["sweep", *GIVEN, "ent_coef=0.01,0.02", "--folder", str(tmp_path)], env={"COLUMNS": "160"})
    assert said.exit_code == 0 and "one among greedy" in said.stdout and "one greedy among it" in said.stdout
    assert "minutes a run" in said.stdout and said.stdout.count("\n  0.02 ") == 4
    wrong = CliRunner().invoke(hansa, ["sweep", "nonsense=1", "--folder", str(tmp_path)])
    assert wrong.exit_code == 2 and "error: unknown option --nonsense = '1'; expected one of --players," in wrong.stderr
