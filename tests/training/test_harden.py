"""Rounds of best responses and learning against them: who meets whom, what is kept, and that nothing is done twice."""

import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hansa_env import Ruleset
from hansa_env.commands.cli import app as hansa
from hansa_env.commands.progress import Progress
from hansa_training.errors import PlanError, RunError
from hansa_training.harden import Rounds, harden
from tests.training.tiny import TINY

THREE = Ruleset(3)
SMALL = Rounds(rounds=2, decisions=96, games=30, kept=1)
LEARNER = {name: TINY[name] for name in ("envs", "rollout", "batch_size", "value_rollouts", "max_turns", "threads")}
PLAN = {name: value for name, value in TINY.items() if name != "warm_start"}
PLAN |= {"seed": "40", "rivals": "ppo:0.2", "self_play": "64"}


def made(agent: str, folder: Path, rounds: Rounds = SMALL, plan: dict[str, str] = PLAN) -> dict:
    return harden(agent, THREE, folder, rounds, None, plan, LEARNER, Progress(), Console(quiet=True))


def plan_of(folder: Path) -> dict:
    return json.loads((folder / "result.json").read_text())["plan"]


@pytest.mark.slow
def test_each_round_begins_where_the_one_before_ended_and_meets_what_was_found(finished: Path, tmp_path: Path) -> None:
    agent, folder = f"ppo:{finished}", tmp_path / "rounds"
    summary = made(agent, folder)
    assert summary == json.loads((folder / "harden.json").read_text())
    first, second, last = summary["rounds"]
    assert first["agent"] == agent and second["agent"] == first["learned"] and last["agent"] == second["learned"]
    assert "learned" not in last, "after the last round only a response is looked for"
    for number, one in enumerate((first, second), 1):
        plan = plan_of(folder / f"round-{number}" / "learned")
        assert plan["start"] == one["agent"].removeprefix("ppo:") and plan["seed"] == 40 + number
        assert plan["rivals"].split() == ["ppo:0.2", one["response"]["spec"]], "one response is kept, the newest"
        assert plan["eval_opponents"].split()[-1] == one["response"]["spec"]
        assert {one["against"][way]["games"] for way in ("final", "among it")} == {3}
    assert plan_of(folder / "round-3" / "response" / "learned-0")["opponents"] == last["agent"]
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.safetensors")}
    more = made(agent, folder, SMALL._replace(rounds=3))
    assert more["rounds"][:2] == summary["rounds"][:2] and len(more["rounds"]) == 4 and "learned" in more["rounds"][2]
    assert all(path.stat().st_mtime_ns == time for path, time in before.items()), "what was done is not done again"


def test_what_cannot_be_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"greedy has no weights to learn on with; expected ppo, ppo:FILE or ppo:RUN"):
        made("greedy", tmp_path / "rounds")
    with pytest.raises(PlanError, match=r"--batch-size = 'many'; expected a whole number"):
        made("ppo", tmp_path / "rounds", plan=PLAN | {"batch_size": "many"})
    assert not (tmp_path / "rounds").exists()


def test_the_command_names_what_is_wrong(tmp_path: Path) -> None:
    words = ["harden", "ppo", "--players", "3", "--folder", str(tmp_path / "rounds")]
    for more, said in ((["self_play"], "'self_play': expected NAME=VALUE"), (["selfplay=9"], "unknown option selfplay")):
        wrong = CliRunner().invoke(hansa, [*words, *more])
        assert wrong.exit_code == 2 and said in wrong.stderr, wrong.output
    assert not (tmp_path / "rounds").exists()


@pytest.mark.slow
def test_the_command_prints_a_line_for_each_round(finished: Path, tmp_path: Path) -> None:
    plan = [f"{name}={value}" for name, value in PLAN.items()]
    words = ["--players", "3", "--rounds", "1", "--decisions", "64", "--games", "20", "--threads", "1"]
    done = CliRunner().invoke(hansa, ["harden", f"ppo:{finished}", *plan, *words, "--folder", str(tmp_path / "rounds")])
    assert done.exit_code == 0, done.output
    assert "Best responses, and what learning against them brought" in done.stdout and "chance 33" in done.stdout
    assert done.stdout.rstrip().endswith("harden.json")
