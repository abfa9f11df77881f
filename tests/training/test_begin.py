"""What a run begins with: weights of another run, and word of opponents that are slow."""

import shutil
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from rich.console import Console
from safetensors.numpy import load
from typer.testing import CliRunner

from hansa_agents.match_workers import DECISIONS
from hansa_agents.networks import FOLDER
from hansa_agents.networks.carry import carried
from hansa_env import HansaBatch, Ruleset
from hansa_env.commands.cli import app as hansa
from hansa_env.commands.progress import Progress
from hansa_env.start import INTERRUPTED
from hansa_training.begin import check_plan, new_plan, planned, train
from hansa_training.errors import PlanError, RunError
from hansa_training.learner import Learner
from hansa_training.measure import CURVE_SEED, FINAL_SEED
from hansa_training.model_file import model_bytes
from hansa_training.networks import new_policy
from hansa_training.opponent_cost import warnings_of
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import toml_of
from hansa_training.run_folder import RESULT, RunFolder
from hansa_training.sizes import NETWORKS
from hansa_training.sweep import sweep
from hansa_training.unmet import lines_of_the_unmet
from tests.training.tiny import SHORT, TINY, figures


def test_a_run_may_begin_with_the_weights_of_another(finished: Path, tmp_path: Path) -> None:
    begun = TINY | {"start": str(finished), "self_play": "0"}
    del begun["warm_start"]
    same = train(tmp_path / "same", options=begun)
    assert (tmp_path / "same" / "model.safetensors").read_bytes() == (finished / "model.safetensors").read_bytes()
    on = train(tmp_path / "on", options=begun | {"self_play": "96", "start": f"ppo:{finished}/model.safetensors"})
    assert on["plan"]["warm_start"] == 0
    assert on["curve"][0]["greedy"] == same["curve"][0]["greedy"]
    (tmp_path / "moved").mkdir()
    (finished / "model.safetensors").rename(tmp_path / "moved" / "model.safetensors")
    try:  # what a run began with need not be there when it goes on
        train(tmp_path / "on", resume=True, options={"self_play": "192"})
    finally:
        (tmp_path / "moved" / "model.safetensors").rename(finished / "model.safetensors")


def test_what_a_run_cannot_begin_with_is_refused_before_a_folder_is_made(finished: Path, tmp_path: Path) -> None:
    begun = {name: value for name, value in TINY.items() if name != "warm_start"}
    wrong = {
        "none.safetensors": {"start": str(tmp_path / "none.safetensors")},
        "expected at least .* as wide or narrower": {"start": str(finished), "network": "board-small"},
        "only board networks become wider": {"start": str(finished), "network": "attention"},
        "expected one of them": {"start": str(finished), "warm_start": "64"},
    }
    for said, options in wrong.items():
        with pytest.raises(PlanError, match=said):
            train(tmp_path / "run", options=begun | options)
        assert not (tmp_path / "run").exists()


UNMET = {"rivals": "random", "from_frozen": "0"}


def test_a_folder_that_no_spec_can_name_is_refused_and_a_run_that_is_in_one_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Else nobody could play against what a night has trained."""
    folder = tmp_path / "12:30"
    with pytest.raises(PlanError, match=r"^--folder is '.*12:30', which has ':', and no agent's spec can name a model in it"):
        train(folder, options=SHORT)
    assert not folder.exists()
    RunFolder.begin(folder, toml_of(make_plan(options=SHORT | {"warm_start": "0", "self_play": "0"}))).close()
    train(folder, resume=True)
    assert "no agent's spec can name a model in it (ppo:FOLDER); rename the folder" in capsys.readouterr().err


def test_rivals_that_would_never_be_met_are_refused(tmp_path: Path) -> None:
    """Where there are opponents, and frozen copies and rivals have no share of the games."""
    said, folder = (
        r"^from_frozen is 0, so the rivals would never be met; expected a share .* such as 0\.5, or --rivals ''$",
        "run",
    )
    with pytest.raises(PlanError, match=said):
        train(tmp_path / folder, options=TINY | UNMET)
    assert not (tmp_path / folder).exists()
    RunFolder.begin(tmp_path / folder, toml_of(make_plan(options=TINY | UNMET | {"rivals": ""}))).close()
    with pytest.raises(PlanError, match=said):
        train(tmp_path / folder, resume=True, options={"rivals": "random"})


def test_ctrl_c_before_there_is_a_folder_names_no_run_to_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hansa_training.begin.train", stopped)
    words = ["train", "--folder", str(tmp_path / "run")]
    said = CliRunner().invoke(hansa, words)
    assert said.exit_code == INTERRUPTED and said.output == "stopped: nothing was begun; give the same command again\n"
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "1")  # the folder may be on another machine, and the run there
    said = CliRunner().invoke(hansa, words)
    assert said.exit_code == INTERRUPTED and said.output == "stopped\n"
    monkeypatch.delenv("TORCHELASTIC_RUN_ID")
    RunFolder.begin(tmp_path / "run", toml_of(make_plan(options=TINY))).close()
    assert "kept: no checkpoint yet; go on with: hansa train --resume" in CliRunner().invoke(hansa, words).output


def test_a_share_of_frozen_copies_and_rivals_needs_some(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    nobody = SHORT | {"from_frozen": "0.5", "snapshots": "0"}
    said = "snapshots is 0 and there are no rivals, so from_frozen has no effect"
    with pytest.raises(PlanError, match=rf"^{said}; expected frozen copies \(--snapshots 6\), rivals, or --from-frozen 0$"):
        train(tmp_path / "run", options=nobody)
    assert not (tmp_path / "run").exists()
    check_plan(make_plan(options=nobody | {"rivals": "random"}))
    old = toml_of(make_plan(options=nobody | {"warm_start": "0", "self_play": "0"}))
    RunFolder.begin(tmp_path / "run", old).close()
    train(tmp_path / "run", resume=True)
    assert f"{said}\n" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "lines"), [
    ({}, []), ({"at_once": "4"}, ["from_frozen is 0, so at_once has no effect"]), ({"at_once": "4", "from_frozen": "0.5"}, []),
    ({"at_once": "2", "opponents": "", "rivals": "random"}, []),
])  # fmt: skip
def test_frozen_copies_at_a_time_that_are_never_met_are_told(options: dict[str, str], lines: list[str]) -> None:
    """Plans by name have some, of which a command may change `from_frozen` alone."""
    plan = make_plan(options=options)
    check_plan(plan)
    assert lines_of_the_unmet(plan) == lines


NOBODY = {"opponents": "", "from_frozen": "0"}


@pytest.mark.parametrize(("options", "line"), [
    (NOBODY | {"all_learners": "1", "two_learners": "0"}, None),
    (NOBODY | {"rivals": "random"}, None),
    (NOBODY, "there are no opponents, rivals and frozen copies, so it has all seats in more games than all_learners says"),
    (NOBODY | {"from_frozen": "0.5", "snapshot_every": "5"},
     "there are no opponents and rivals: it plays itself until frozen copies join, at rollout 10"),
    ({"self_play": "400", "envs": "40", "rollout": "8"}, "the policy learns nothing in self-play: self_play is 400, and in the "
     "first rollouts (value_rollouts = 6), which have about 1,120 decisions, only the value head learns"),
    ({"self_play": "1121", "envs": "40", "rollout": "8"}, None), ({"self_play": "0"}, None),
    ({"self_play": "400", "envs": "40", "rollout": "8", "minutes": "1"}, None),
])  # fmt: skip
def test_a_learner_alone_and_a_policy_that_never_learns_are_told(options: dict[str, str], line: str | None) -> None:
    plan = make_plan(options=options)
    told = lines_of_the_unmet(plan)
    assert [one[: len(line or "")] for one in told] == ([line] if line else [])
    with pytest.raises(PlanError, match=r"expected one of them, or --all-learners 1$") if options == NOBODY else nullcontext():
        check_plan(plan)


def test_without_opponents_rivals_are_met() -> None:
    """In any of the rulesets."""
    of_four = {"rulesets": "3 4", "opponents": f"ppo:{FOLDER / '4-players.safetensors'}"}
    for options, met in (({"opponents": ""}, True), ({"rulesets": "3 4"}, False), (of_four, True)):
        assert make_plan(options=TINY | UNMET | options).meets_rivals == met


def test_a_run_of_before_whose_rivals_are_never_met_goes_on_with_a_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    RunFolder.begin(tmp_path / "run", toml_of(make_plan(options=SHORT | UNMET | {"warm_start": "0"}))).close()
    assert train(tmp_path / "run", resume=True)["plan"]["rivals"] == "random"
    assert "from_frozen is 0, so the rivals would never be met\n" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "gone", "now"), [
    ("rivals", "ppo:gone.safetensors", ""), ("opponents", "gone:Bot", "greedy"),
    ("eval_opponents", "gone:Bot greedy", "greedy"), ("teacher", "ppo:gone.safetensors", "greedy"),
])  # fmt: skip
def test_an_agent_that_is_gone_can_be_replaced_when_a_run_goes_on(name: str, gone: str, now: str, tmp_path: Path) -> None:
    """Its file is gone, or it would run code that nobody names."""
    text = toml_of(make_plan(options=SHORT | {name: "random"})).replace(f'{name} = "random"', f'{name} = "{gone}"')
    RunFolder.begin(tmp_path / "run", text).close()
    with pytest.raises(PlanError, match=f"{name}.*gone"):
        planned(tmp_path / "run", True, None, {"threads": "1"})
    assert getattr(planned(tmp_path / "run", True, None, {name: now}), name) == now
    file = tmp_path / "now.toml"
    file.write_text(f'{name} = "{now}"\n')
    assert getattr(planned(tmp_path / "run", True, file, None), name) == now


def test_a_sweep_goes_on_with_a_run_whose_agents_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = toml_of(make_plan(options=SHORT | {"rivals": "random"})).replace('rivals = "random"', 'rivals = "ppo:gone"')
    RunFolder.begin(tmp_path / "run", text).close()
    taken_up = []
    monkeypatch.setattr("hansa_training.begin.train", lambda *asked: taken_up.append(asked[3]["rivals"]))
    asked = [f"{name}={value}" for name, value in SHORT.items()]
    (failed,) = sweep(asked, tmp_path, None, Progress(), Console(quiet=True))["failed"]
    assert "cannot be read" in failed["reason"] and taken_up == [""], "there is no result of what was not done"


def test_another_run_than_that_of_the_folder_is_told_whatever_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also under torchrun, where the same command may be there to go on with the run."""
    text = toml_of(make_plan(options=SHORT | {"rivals": "random"})).replace('rivals = "random"', 'rivals = "ppo:gone"')
    RunFolder.begin(tmp_path / "run", text).close()
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    with pytest.raises(RunError, match="holds a run of another plan"):
        train(tmp_path / "run", options=SHORT)


def test_under_torchrun_the_same_command_goes_on(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it counts as restarts leaves out that a machine was lost."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    (folder / RESULT).unlink()
    with pytest.raises(RunError, match="holds a run already"):
        train(folder, options=TINY)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    for restarts in ("0", "1"):  # it starts ranks again that were refused, too
        monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", restarts)
        with pytest.raises(RunError, match="holds a run already"):
            train(folder, options=TINY | {"seed": "1"})
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "0")
    train(folder, options=TINY)
    assert figures(folder) == figures(finished)


def test_a_run_may_begin_with_the_weights_of_another_game(finished: Path, tmp_path: Path) -> None:
    begun = {name: value for name, value in TINY.items() if name != "warm_start"} | {"self_play": "0"}
    train(tmp_path / "run", options=begun | {"start": str(finished), "players": "4", "board": "east"})
    east = Ruleset(4, board="east")
    given, found = (load((folder / "model.safetensors").read_bytes()) for folder in (finished, tmp_path / "run"))
    expected = carried(given, Ruleset(3), east)
    assert found.keys() == expected.keys() and all((found[name] == expected[name]).all() for name in found)


def test_what_a_slow_opponent_costs_is_said_before_the_run_begins() -> None:
    ticks = iter(range(100))
    plan = make_plan(options=TINY | {"opponents": "greedy random", "rivals": "greedy"})
    lines = list(warnings_of(plan, False, clock=lambda: next(ticks)))
    assert [line.split(" takes ")[0] for line in lines] == ["greedy", "random"]
    assert "250 ms a decision" in lines[0] and "makes 4 of its decisions a second" in lines[0]
    assert not list(warnings_of(plan, False, clock=lambda: 0.0))


def test_so_is_what_a_slow_teacher_and_slow_measuring_cost() -> None:
    ticks = iter(range(100))
    slow = {"opponents": "greedy", "teacher": "random", "warm_start": "72000", "eval_opponents": "greedy population"}
    of_greedy, of_teacher, of_measured = warnings_of(make_plan(options=TINY | slow), True, clock=lambda: next(ticks))
    assert of_greedy.startswith("greedy takes") and of_greedy.endswith("the learner hardly more")
    assert of_teacher == "random takes 250 ms a decision: 72,000 labels of the warm start take it 5.0 core-hours"
    assert of_measured.startswith("population takes") and "curve_games" in of_measured


def test_so_is_what_a_slow_teacher_costs_that_only_plays_the_games_apart() -> None:
    """Before the first rollout, also without a warm start."""
    ticks = iter(range(100))
    for imitates, said in ((False, ""), (True, "72,000 labels of the warm start and ")):
        slow = {"opponents": "greedy", "teacher": "random", "warm_start": "72000", "eval_opponents": "greedy", "envs": "64"}
        _, line = warnings_of(make_plan(options=TINY | slow), imitates, True, clock=lambda: next(ticks))
        apart = 64 * DECISIONS // 2
        assert line.startswith(f"random takes 250 ms a decision: {said}{apart:,} decisions that play the games apart"), line


def test_it_is_said_before_the_warm_start_and_of_the_teacher_only_while_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("hansa_training.opponent_cost.SLOW", 0.0)
    options = SHORT | {"opponents": "", "teacher": "scripted:link", "eval_opponents": "random"}
    train(tmp_path / "run", options=options)
    said = capsys.readouterr().err
    assert said.index("scripted:link takes ") < said.index("warm start: 0 of 64")
    train(tmp_path / "run", resume=True, options={"self_play": "96"})
    said = capsys.readouterr().err
    assert "random takes " in said and "scripted:link takes " not in said


def test_of_several_rulesets_an_opponent_is_timed_on_one_that_it_plays() -> None:
    ticks, four = iter(range(100)), f"ppo:{FOLDER / '4-players.safetensors'}"
    plan = make_plan(options=TINY | {"rulesets": "2 4", "opponents": f"greedy {four}"})
    lines = list(warnings_of(plan, False, clock=lambda: next(ticks)))
    assert [line.split(" takes ")[0] for line in lines] == ["greedy", four, "random"]


def test_weights_that_were_given_are_changed_more_carefully_than_those_of_a_warm_start(finished: Path) -> None:
    """At the usual rate the shipped agent fell from 68 to 32 % among two of its rivals within a short run."""
    rates = {}
    for start in ("", str(finished)):
        plan = make_plan(options={name: value for name, value in TINY.items() if name != "warm_start"} | {
            "start": start, **({} if start else {"warm_start": "0"})})  # fmt: skip
        with closing(Learner(plan)) as learner:
            learner.start()
            while learner.rollouts <= plan.value_rollouts:
                learner.play()
            rates[start] = learner.figures["train/learning_rate"] / plan.learning_rate
    fresh, given = rates.values()
    assert 0.01 < given < 0.04 < 0.06 < fresh < 0.2


def test_an_opponent_that_is_slow_with_few_games_only_is_not_called_slow() -> None:
    """Each answer takes 0.05 s, whether it is about 4 games or about 64."""
    plan, now = make_plan(options=TINY | {"opponents": "greedy", "rivals": ""}), [0.0]

    def clock() -> float:
        now[0] += 0.05
        return now[0]

    assert not list(warnings_of(plan, False, clock))


def test_a_learner_does_not_play_the_deals_that_it_is_measured_on() -> None:
    """Not one of its shards does."""
    plan = TINY | {"shards": "8", "network": "board-small"}
    with closing(Learner(make_plan(options=plan))) as learner:
        played = {shard.batch.games["seed"][0] for shard in learner.ppo.shards.values()}
        played |= {lesson.batch.games["seed"][0] for lesson in learner.imitation.lessons.values()}
    measured = {HansaBatch(1, Ruleset(3), seed).games["seed"][0] for seed in (CURVE_SEED, FINAL_SEED)}
    assert len(played) == 16 and not played & measured


def test_a_run_has_the_network_of_the_weights_that_it_begins_with(tmp_path: Path) -> None:
    """Unless it names one; then it must be of that kind, and no narrower."""
    model, options = tmp_path / "model.safetensors", {"start": str(tmp_path / "model.safetensors")}
    small = NETWORKS["board-small"]
    model.write_bytes(model_bytes(new_policy(Ruleset(3), small, forked=False), Ruleset(3), small))
    assert planned(tmp_path / "run", False, None, options).network == "board-small"
    assert planned(tmp_path / "run", False, None, {"start": "ppo", "players": "2"}).network == "board"
    assert planned(tmp_path / "run", False, None, {"start": "ppo"}).network == "board-large"
    assert planned(tmp_path / "run", False, None, {"start": "ppo:0.2"}).network == "board"
    with pytest.raises(PlanError, match=r"--start: .* its network cannot begin this run \(only board networks become wider\)"):
        train(tmp_path / "run", options=options | {"network": "mlp"})
    with pytest.raises(PlanError, match=r"--start: ppo:9: there is 1 network for 3 players.*; expected 1"):
        train(tmp_path / "run", options={"start": "ppo:9"})
    assert not (tmp_path / "run").exists()
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "plan.toml").write_text('network = "board-small"\n')
    model.unlink()
    assert new_plan(None, options, begun=tmp_path / "begun").network == "board-small", "what it began with may be gone"
    with pytest.raises(PlanError, match=r"^--start: "):
        new_plan(None, options, begun=tmp_path / "elsewhere")
