"""A run from start to finish: what it leaves, going on, extending, a full disk, Ctrl-C."""

import errno
import io
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.commands.cli import app as hansa
from hansa_training.app import app
from hansa_training.begin import show_finished, train
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import PlanError, RunError
from hansa_training.run_folder import RunFolder
from tests.training.tiny import TINY, arguments, figures

ROOT = Path(__file__).parent.parent.parent
PROGRESS = ("warm start: ", "self-play: ", "final games: ")
#: A plan whose learning rate does not follow from its length.
CONSTANT = TINY | {"decay": "0"}


@pytest.fixture(scope="module")
def constant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of CONSTANT that is done; not to be changed."""
    folder = tmp_path_factory.mktemp("constant") / "ppo"
    train(folder, options=CONSTANT)
    return folder


def test_a_run_leaves_model_curve_picture_and_table(finished: Path) -> None:
    result = json.loads((finished / "result.json").read_text())
    meetings = [(line["opponent"], line["actions"]) for line in result["final"]]
    assert meetings == [("random", "likeliest"), ("greedy", "likeliest"), ("greedy", "sampled")]
    for line in result["final"]:
        assert line["games"] >= 3 and 0 <= line["low"] <= line["share"] <= line["high"] <= 1
    points = [json.loads(line) for line in (finished / "curve.jsonl").read_text().splitlines()]
    decisions = [point["decisions"] for point in points]
    assert decisions[0] == 0 and decisions == sorted(set(decisions)) and len(points) >= 4 and result["curve"] == points
    assert 192 <= decisions[-1] < 192 + 32, "it ends with the rollout that reaches the number asked for"
    assert (finished / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((finished / "tensorboard").glob("events*"))
    assert len(Checkpoints(finished / "checkpoints").numbers()) == 3


def test_on_a_terminal_a_run_comes_to_its_end_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are bars for its parts, and for what is measured between them; the table tells the minutes of all parts."""
    for options, hours in ((TINY, 1.0), ({"self_play": "256"}, 0.0)):
        written = io.StringIO()
        clock = itertools.count()  # every look at it is so many hours later
        monkeypatch.setattr("hansa_training.job.time", SimpleNamespace(monotonic=lambda: next(clock) * 3600 * hours))  # noqa: B023
        terminal = Console(file=written, force_terminal=True, width=200)
        result = train(tmp_path / "run", resume=options is not TINY, options=options, console=terminal)
        assert all(part in written.getvalue() for part in ("self-play", "final games", "100%"))
        minutes = re.search(r"players, ([\d.]+) minutes", written.getvalue())
        assert minutes and float(minutes[1]) >= 60
        memory = re.search(r"minutes, ([\d.]+) GB of memory at most", " ".join(written.getvalue().split()))
        assert memory and 0.2 < float(memory[1]) < 3, "of the whole process, in which other tests ran before"
    assert result["curve"][-1]["decisions"] >= 256


def test_folder_checkpoint_and_file_play_the_same_without_trust(finished: Path) -> None:
    batch = HansaBatch(8, Ruleset(3), max_turns=3)
    inputs, masks = batch.observe(), batch.action_mask
    newest = Checkpoints(finished / "checkpoints").newest().path
    played = [
        make_agent(f"ppo:{path}", Ruleset(3)).act(inputs, masks, batch.seat)
        for path in (finished, newest, finished / "model.safetensors")
    ]
    assert masks[np.arange(8), played[0]].all() and (played[0] == played[1]).all() and (played[0] == played[2]).all()


@pytest.mark.slow
def test_a_run_on_another_board_stops_goes_on_and_plays(tmp_path) -> None:
    east = TINY | {"board": "east", "decay": "0"}  # so that nothing depends on how long it is to be
    train(tmp_path / "whole", options=east)
    train(tmp_path / "run", options=east | {"self_play": "96"})
    train(tmp_path / "run", resume=True, options={"self_play": "192"})
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()
    ruleset = Ruleset(3, board="east")
    batch = HansaBatch(8, ruleset, max_turns=3)
    for spec in (f"ppo:{tmp_path / 'run'}", f"search:model={tmp_path / 'run'},sims=4,top_k=2"):
        agent = make_agent(spec, ruleset)
        seen = batch.games if agent.sees == "games" else batch.observe()
        assert batch.action_mask[np.arange(8), agent.act(seen, batch.action_mask, batch.seat)].all()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_run_on_a_gpu_stops_goes_on_and_its_model_plays_without_one(tmp_path) -> None:
    there = TINY | {"device": "auto", "threads": "2"}
    train(tmp_path / "run", options=there | {"self_play": "96"})
    result = train(tmp_path / "run", resume=True, options={"self_play": "192"})
    assert result["plan"]["device"] == "auto" and result["curve"][-1]["decisions"] >= 192
    batch = HansaBatch(8, Ruleset(3), max_turns=3)
    agent = make_agent(f"ppo:{tmp_path / 'run'}", Ruleset(3))
    assert agent.policy.device.type == "cpu"
    train(tmp_path / "run", resume=True, options={"self_play": "224", "device": "cpu"})
    assert batch.action_mask[np.arange(8), agent.act(batch.observe(), batch.action_mask, batch.seat)].all()


def test_a_finished_run_has_nothing_left_to_train(finished: Path, tmp_path) -> None:
    shutil.copytree(finished, tmp_path / "run")
    before, numbers = figures(tmp_path / "run"), Checkpoints(tmp_path / "run" / "checkpoints").numbers()
    train(tmp_path / "run", resume=True)
    assert figures(tmp_path / "run") == before and Checkpoints(tmp_path / "run" / "checkpoints").numbers() == numbers


def test_the_command_shows_the_result_of_a_finished_run_without_playing(finished: Path, tmp_path: Path) -> None:
    """Unless another length is asked for, or something of its end is lost."""
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    done = CliRunner().invoke(app, ["--folder", str(run), "--resume"])
    assert done.exit_code == 0 and done.stderr == "", done.output
    assert done.stdout.startswith(f"{run}: the run is finished; this is its result, and a larger --self-play goes on with it; "
                                  "another run begins in another folder (--folder)\n")  # fmt: skip
    assert "PPO by self-play, 3 players" in done.stdout and f"hansa arena ppo:{run}/model.safetensors" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before
    assert not show_finished(run, options={"self_play": "256"})
    for name in ("model.safetensors", "curve.jsonl"):
        kept = (run / name).read_bytes()
        (run / name).write_bytes(kept[:-30])
        assert not show_finished(run)
        (run / name).write_bytes(kept)
    assert show_finished(run)
    wrong = CliRunner().invoke(app, ["--folder", str(run), "--resume", "--workers", "2"])
    assert wrong.exit_code == 2 and "--workers is 2 without --ray" in wrong.stderr


@pytest.mark.slow
def test_a_finished_run_is_extended_as_if_it_had_been_longer_from_the_start(constant: Path, tmp_path) -> None:
    """One whose learning rate does not follow from its length."""
    long, extended = tmp_path / "long", tmp_path / "extended"
    train(long, options=CONSTANT | {"self_play": "320"})
    shutil.copytree(constant, extended)
    result = train(extended, resume=True, options={"self_play": "320"})
    assert figures(extended)["model.safetensors"] == figures(long)["model.safetensors"]
    lines = [(folder / "curve.jsonl").read_text().splitlines() for folder in (long, extended)]
    assert [lines[0][i] for i in (0, 1, -1)] == [lines[1][i] for i in (0, 1, -1)] and result["curve"][-1]["decisions"] >= 320
    assert "self_play = 320\n" in (extended / "plan.toml").read_text()
    with pytest.raises(RunError, match=r"--self-play is 64; the run has 3\d\d behind it"):
        train(extended, resume=True, options={"self_play": "64"})
    assert "self_play = 320\n" in (extended / "plan.toml").read_text()


def test_another_plan_is_not_mixed_in(finished: Path) -> None:
    before = figures(finished)
    said = r"plan\.toml: --players = 3, but 4 was asked for; expected the same, since only --self-play, "
    with pytest.raises(PlanError, match=said):
        train(finished, resume=True, options={"players": "4"})
    with pytest.raises(RunError, match="holds a run already"):
        train(finished, options=TINY)
    assert figures(finished) == before


@pytest.mark.slow
def test_checkpoints_more_or_less_often_change_no_figure(finished: Path, tmp_path) -> None:
    result = train(tmp_path / "run", options=TINY | {"checkpoint_every": "100"})
    assert figures(tmp_path / "run")["model.safetensors"] == figures(finished)["model.safetensors"]
    assert result["curve"] == json.loads((finished / "result.json").read_text())["curve"]


def test_a_torn_line_of_the_curve_is_dropped_and_measured_points_are_not_lost(finished: Path, tmp_path, capsys) -> None:
    shutil.copytree(finished, tmp_path / "run")
    curve = tmp_path / "run" / "curve.jsonl"
    curve.write_bytes(curve.read_bytes()[:-30])
    capsys.readouterr()
    train(tmp_path / "run", resume=True)
    assert "curve.jsonl: the last line is torn and was dropped" in capsys.readouterr().err
    assert figures(tmp_path / "run") == figures(finished)


def test_a_torn_checkpoint_costs_the_way_back_to_the_one_before(finished: Path, tmp_path, capsys) -> None:
    shutil.copytree(finished, tmp_path / "run")
    ring = Checkpoints(tmp_path / "run" / "checkpoints")
    torn = ring.newest().path / "state.safetensors"
    torn.write_bytes(torn.read_bytes()[:5000])
    capsys.readouterr()
    train(tmp_path / "run", resume=True)
    assert re.search(r"torn: state\.safetensors is not what was written .*; passed over\n", capsys.readouterr().err)
    assert figures(tmp_path / "run") == figures(finished)


def test_another_version_of_what_figures_depend_on_is_told(finished: Path, tmp_path, capsys, monkeypatch) -> None:
    shutil.copytree(finished, tmp_path / "run")
    train(tmp_path / "run", resume=True)
    assert "figures may differ" not in capsys.readouterr().err
    monkeypatch.setattr("hansa_training.resume.VERSIONS", {"torch": "9.9", "numpy": "9.9"})
    train(tmp_path / "run", resume=True)
    told = capsys.readouterr().err
    assert re.search(r"this is \{'torch': '9.9', 'numpy': '9.9', 'computing': '\w+ on cpu'\}: figures may differ", told), told


@pytest.mark.parametrize("call", [*(pytest.param(call, marks=pytest.mark.slow) for call in (1, 7, 25, 51)), 3])
def test_a_full_disk_ends_in_one_line_and_the_run_goes_on_when_there_is_room(
    call: int, finished: Path, tmp_path, monkeypatch
) -> None:
    folder, calls, written = tmp_path / "run", 0, os.fsync

    def fill_up(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls >= call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fill_up)
        result = CliRunner().invoke(app, ["--folder", str(folder), *arguments(TINY)])
    problem = "".join(line for line in result.stderr.splitlines(keepends=True) if not line.startswith(PROGRESS))
    assert result.exit_code == 2 and problem.count("\n") == 1, result.stderr
    assert problem.startswith(f"error: {folder}: the disk is full ({folder}/") and ".partial" not in problem
    assert "): No space left on device; what was saved before is whole" in problem
    begun = (folder / "plan.toml").exists()
    assert begun == (call > 3)
    remedy = f"go on: hansa train --resume --folder {folder}" if begun else "begin again"
    assert problem.endswith(f"make room and {remedy}\n")
    train(folder, begun, options=None if begun else TINY)
    assert figures(folder) == figures(finished)


def test_a_folder_that_is_a_file_is_refused_in_one_line(tmp_path) -> None:
    (tmp_path / "run").write_text("")
    result = CliRunner().invoke(app, ["--folder", str(tmp_path / "run")])
    assert result.exit_code == 2 and result.stderr.count("\n") == 1 and "is no folder; name" in result.stderr, result.stderr


def test_in_a_pipe_there_are_lines_and_ctrl_c_says_how_to_go_on(tmp_path) -> None:
    folder = tmp_path / "run"
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-m", "hansa_training", "--folder", str(folder), *arguments(TINY | {"self_play": "10_000_000"})],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        lines = [process.stdout.readline() for _ in range(3)]
        assert lines[0] == "warm start: 0 of 64 (0%)\n"
        assert lines[1].startswith("warm start: 64 of 64 (100%) in 0:0") and "copies" in lines[1]
        assert lines[2] == "self-play: 0 of 10,000,000 (0%)\n"
        with pytest.raises(RunError, match=f"is in use by process {process.pid} on .*training.*self-play"):
            RunFolder.resume(folder)
        process.send_signal(signal.SIGINT)
        last = process.stdout.read().splitlines()[-1]
        assert process.wait() == 130
        assert re.fullmatch(
            r"stopped, kept: 64 decisions of warm start, [\d,]+ of self-play; "
            rf"go on with: hansa train --resume --folder {folder}", last,
        )  # fmt: skip
    finally:
        process.kill()


def test_an_agent_that_fails_ends_the_run_in_one_line(tmp_path) -> None:
    options = TINY | {"opponents": "tests.agents.faulty:Lines", "warm_start": "0"}
    done = CliRunner().invoke(app, ["--folder", str(tmp_path / "run"), *arguments(options)])
    assert done.exit_code == 2, done.output
    assert re.search(
        r"^error: agent '.*faulty:Lines' raised ValueError: lost my way \(faulty\.py, line \d+\)$", done.output, re.MULTILINE
    )


def test_what_is_proposed_at_the_end_fits_the_ruleset(tmp_path) -> None:
    folder = tmp_path / "run"
    options = arguments(TINY | {"warm_start": "0", "self_play": "32", "curve_games": "1", "final_games": "1"})
    done = CliRunner().invoke(app, ["--folder", str(folder), *options, "--missions"])
    command = re.search(r"hansa (arena ppo:\S+ greedy greedy .*--missions)", done.output)
    assert command, done.output
    played = CliRunner().invoke(hansa, [*command[1].split(), "--games", "3", "--max-turns", "2"])
    assert played.exit_code == 0, played.output


@pytest.mark.slow
def test_opponents_may_change_when_a_run_goes_on(tmp_path: Path) -> None:
    train(tmp_path / "run", options=TINY | {"self_play": "96"})
    changed = {
        "self_play": "192",
        "opponents": "scripted:link",
        "rivals": "random",
        "eval_opponents": "random scripted:blocker",
    }
    result = train(tmp_path / "run", resume=True, options=changed)
    assert [line["opponent"] for line in result["final"]] == ["random", "scripted:blocker", "scripted:blocker"]
    first, last = result["curve"][0], result["curve"][-1]
    assert "greedy" in first and "greedy" not in last and "scripted:blocker among it" in last
    assert {name for name in last["figures"] if name.startswith("league/")} <= {
        "league/ahead of scripted:link", "league/ahead of random", *(f"league/ahead of rollout {n}" for n in range(100))
    }  # fmt: skip


def test_models_on_the_way_are_kept_and_play(constant: Path, tmp_path: Path) -> None:
    """However a run is stopped and goes on, it leaves the same milestones, and the last is not yet the end."""
    train(tmp_path / "parts", options=CONSTANT | {"self_play": "96"})
    train(tmp_path / "parts", resume=True, options={"self_play": "192"})
    kept = {path.name: path.read_bytes() for path in sorted((constant / "milestones").iterdir())}
    assert list(kept) == ["00000000064.safetensors", "00000000128.safetensors", "00000000192.safetensors"]
    assert kept == {path.name: path.read_bytes() for path in (tmp_path / "parts" / "milestones").iterdir()}
    assert len(set(kept.values())) == 3
    early, batch = make_agent(f"ppo:{constant}/milestones/00000000064.safetensors", Ruleset(3)), HansaBatch(4, Ruleset(3))
    assert batch.action_mask[np.arange(4), early.act(batch.observe(), batch.action_mask, batch.seat)].all()
