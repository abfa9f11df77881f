"""Rounds of best responses and learning against them: who meets whom, what is kept, and that nothing is done twice."""

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hansa_agents.networks import FOLDER
from hansa_env.commands.cli import app as hansa
from hansa_env.commands.progress import Progress
from hansa_training import harden as module
from hansa_training.errors import ModelError, PlanError, RunError
from hansa_training.exploit_target import Target
from hansa_training.harden import Rounds, harden
from tests.training.tiny import TINY

SMALL = Rounds(rounds=2, decisions=96, games=30, kept=1)
LEARNER = {name: TINY[name] for name in ("envs", "rollout", "batch_size", "value_rollouts", "max_turns", "threads")}
PLAN = {name: value for name, value in TINY.items() if name not in ("warm_start", "from_frozen")}
PLAN |= {"seed": "40", "rivals": "ppo:0.2", "self_play": "64"}


def made(agent: str, folder: Path, rounds: Rounds = SMALL, plan: dict[str, str] = PLAN, file: Path | None = None) -> dict:
    return harden(agent, folder, rounds, file, plan, LEARNER, Progress(), Console(quiet=True))


def line(share: float, games: int = 30) -> dict[str, float]:
    return {"share": share, "low": share - 0.1, "high": share + 0.1, "games": games}


@pytest.fixture
def no_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent wins nearly all games among copies of its response: that one is no better a player."""
    monkeypatch.setattr(Target, "share_of", lambda *_: line(0.9))


def plan_of(folder: Path) -> dict:
    return json.loads((folder / "result.json").read_text())["plan"]


@pytest.mark.slow
def test_each_round_begins_where_the_one_before_ended_and_meets_what_was_found(
    finished: Path, tmp_path: Path, no_better: None, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        assert plan["from_frozen"] > 0.3, "else it would never meet them"
        assert {one["against"][way]["games"] for way in ("final", "among it")} == {3}
    assert plan_of(folder / "round-3" / "response" / "learned-0")["opponents"] == last["agent"]

    def no_games(*_: Any) -> None:
        raise AssertionError("what was found is not looked for again")

    with monkeypatch.context() as patch:
        patch.setattr(module, "exploit", no_games)
        assert made(agent, folder) == summary
    with pytest.raises(RunError, match=r"asked\.json: games was 30, now 40; name another folder"):
        made(agent, folder, SMALL._replace(games=40))
    with pytest.raises(RunError, match=r"gamma was 1\.0, now 0\.9"):
        made(agent, folder, plan=PLAN | {"gamma": "0.9"})
    with monkeypatch.context() as patch:  # what may change in a run may do so here, and an earlier version had fewer options
        patch.setattr(module, "exploit", no_games)
        asked = json.loads((folder / "asked.json").read_text())
        (folder / "asked.json").write_text(json.dumps({name: one for name, one in asked.items() if name != "average"}))
        assert made(agent, folder, plan=PLAN | {"checkpoint_every": "2"}) == summary
    more = made(agent, folder, SMALL._replace(rounds=3))
    assert more["rounds"][:2] == summary["rounds"][:2] and len(more["rounds"]) == 4
    assert more["rounds"][2]["response"] == last["response"] and "learned" in more["rounds"][2]


@pytest.mark.slow
def test_rounds_that_were_interrupted_go_on_where_they_were(
    finished: Path, tmp_path: Path, no_better: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "result_of", stopped)
        with pytest.raises(KeyboardInterrupt):
            made(f"ppo:{finished}", tmp_path / "rounds", SMALL._replace(kept=2))
    [found] = json.loads((tmp_path / "rounds" / "harden.json").read_text())["rounds"]
    monkeypatch.chdir(tmp_path)  # a model in the folder is found from wherever the command is given
    summary = made(f"ppo:{finished}", Path("rounds"), SMALL._replace(kept=2))
    assert summary["rounds"][0]["response"] == found["response"]
    specs = [one["response"]["spec"] for one in summary["rounds"]]
    assert plan_of(tmp_path / "rounds" / "round-2" / "learned")["rivals"].split() == ["ppo:0.2", specs[1], specs[0]]


@pytest.mark.parametrize(("players", "found", "around", "better"), [
    (2, 0.9, 0.1, True), (2, 0.55, 0.45, False), (3, 0.6, 0.2, True), (3, 0.6, 0.3, False), (3, 0.4, 0.1, False),
])  # fmt: skip
def test_the_agent_learns_on_from_a_response_that_is_the_better_player(
    players: int, found: float, around: float, better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone among copies of the agent, and as the majority around it; from then on it meets the network that it was."""
    folder, learned = tmp_path / "rounds", []

    def response(agent: str, ruleset: object, place: Path, *_: object) -> dict:
        return {"best": line(found) | {"spec": f"ppo:{place}/model.safetensors"}}

    def trained(place: Path, file: None, options: dict[str, str], console: object) -> dict:
        learned.append(options)
        return {"final": [], "among it": []}

    monkeypatch.setattr(module, "exploit", response)
    monkeypatch.setattr(Target, "share_of", lambda *_: line(around))
    monkeypatch.setattr(module, "result_of", trained)
    summary = made("ppo", folder, SMALL._replace(rounds=1), PLAN | {"players": str(players)})
    [one, _], [options] = summary["rounds"], learned
    spec = one["response"]["spec"]
    assert one["start"] == (spec if better else "ppo") and options["start"] == one["start"].removeprefix("ppo:")
    assert options["rivals"].split() == ["ppo:0.2", spec, *(["ppo"] if better else [])]


@pytest.mark.parametrize(("kept", "met"), [(1, "1"), (6, "1 ppo")])
def test_a_network_that_the_agent_was_stays_among_its_rivals(
    kept: int, met: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all rounds after that in which it learned on from a response, as far as so many are kept."""
    folder, learned = (tmp_path / "rounds").resolve(), []
    is_better = iter((True, True, False))

    def response(agent: str, ruleset: object, place: Path, *_: object) -> dict:
        return {"best": line(0.9) | {"spec": f"ppo:{place}/model.safetensors"}}

    def trained(place: Path, file: None, options: dict[str, str], console: object) -> dict:
        learned.append(options["rivals"].split())
        return {"final": [], "among it": []}

    monkeypatch.setattr(module, "exploit", response)
    monkeypatch.setattr(Target, "share_of", lambda *_: line(0.1))
    monkeypatch.setattr(module, "result_of", trained)
    monkeypatch.setattr(module, "_is_better", lambda *_: next(is_better))
    made("ppo", folder, SMALL._replace(rounds=3, kept=kept))
    was = [one.replace("1", f"ppo:{folder}/round-1/learned/model.safetensors") for one in met.split()]
    assert [rivals[-len(was) :] for rivals in learned[1:]] == [was, was] and learned[0][-1] == "ppo"
    assert learned[2][1] == f"ppo:{folder}/round-3/response/model.safetensors"


def test_all_games_have_the_turn_limit_of_the_plan_and_learners_its_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those against the response are played by the plan, too, and stand in the same line."""
    asked: list[dict[str, str]] = []
    limits: list[int | None] = []

    def learned(place: Path, file: None, options: dict[str, str], console: object) -> dict:
        asked.append(options)
        place.mkdir(parents=True)
        shutil.copy(FOLDER / "3-players.safetensors", place / "model.safetensors")
        return {"curve": [{"decisions": 4}], "final": [], "among it": []}

    def match(field: list[str], *_: object, max_turns: int | None = None, **__: object) -> SimpleNamespace:
        limits.append(max_turns)
        return SimpleNamespace(games=30, rows=[SimpleNamespace(share=0.5, low=0.4, high=0.6)])

    monkeypatch.setattr(module, "result_of", learned)
    monkeypatch.setattr("hansa_training.exploit_target.result_of", learned)
    monkeypatch.setattr("hansa_training.exploit_target.play_match", match)
    learner = {name: value for name, value in LEARNER.items() if name not in ("max_turns", "envs", "rollout")}
    plan = PLAN | {"max_turns": "7", "device": "auto", "precision": "float32", "envs": "6", "rollout": "3"}
    harden("ppo", tmp_path / "rounds", SMALL._replace(rounds=1), None, plan, learner, Progress(), Console(quiet=True))
    names = ("max_turns", "device", "precision", "envs", "rollout")
    assert {tuple(options[name] for name in names) for options in asked} == {("7", "auto", "float32", "6", "3")}
    assert len(asked) == 3 and len(limits) == 6 and set(limits) == {7}


@pytest.mark.parametrize(("agent", "options", "error", "said"), [
    ("greedy", {}, RunError, "greedy is no network to start from; expected ppo, ppo:FILE or ppo:RUN"),
    ("ppo::sample", {}, RunError, "ppo::sample is no network to start from"),
    ("ppo", {"batch_size": "many"}, PlanError, "--batch-size = 'many'; expected a whole number"),
    ("ppo", {"start": "ppo"}, PlanError, "start is 'ppo'; expected none"),
    ("ppo", {"rulesets": "3 4", "shards": "2"}, PlanError, "rulesets is '3 4'; expected a plan of one game"),
    ("ppo", {"network": "attention"}, PlanError, "--start"),
    ("ppo", {"rivals": "", "from_frozen": "0"}, PlanError, "from_frozen is 0, so the rivals would never be met"),
    ("ppo", {"worth": "nowhere:worth"}, PlanError, "worth"),
    (f"ppo:{FOLDER / '4-players.safetensors'}", {"players": "3"}, ModelError, "trained for {'players': 4"),
])  # fmt: skip
def test_what_cannot_be_is_refused_before_anything_is_made(
    agent: str, options: dict[str, str], error: type[Exception], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=r"(?s).*") as refused:
        made(agent, tmp_path / "rounds", plan=PLAN | options)
    assert said in str(refused.value) and not (tmp_path / "rounds").exists()


def test_a_start_in_the_plan_is_refused_as_well(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('start = "ppo:0.2"\n')
    with pytest.raises(PlanError, match=r"start is 'ppo:0\.2'; expected none: the agent's runs start from ppo"):
        made("ppo", tmp_path / "rounds", file=file)
    assert not (tmp_path / "rounds").exists()


@pytest.mark.parametrize("name", ["a b", "a+b", "a:b"])
def test_a_folder_that_no_spec_can_name_is_refused(name: str, tmp_path: Path) -> None:
    said = (
        rf"^--folder is '.*', which has '\{name[1]}', and no agent's spec .*; specs of its models stand in plans and mixtures"
    )
    with pytest.raises(PlanError, match=said):
        made("ppo", tmp_path / name)
    assert not (tmp_path / name).exists()


def test_the_game_is_that_of_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file too; the number of players is said once."""
    asked = []
    monkeypatch.setattr(module, "exploit", lambda agent, ruleset, *_: asked.append(ruleset) or {"best": {}})
    file = tmp_path / "plan.toml"
    file.write_text("players = 4\nmissions = true\n")
    with pytest.raises(KeyError):  # nothing was found
        made("ppo", tmp_path / "rounds", file=file)
    assert (asked[0].players, asked[0].missions) == (4, True)


@pytest.mark.parametrize("text", [
    "", "[]", "{}", '{"rounds": 1}', '{"rounds": [1]}', '{"rounds": [{}]}', '{"rounds": [{"agent": 1, "response": {}}]}',
    '{"rounds": [{"agent": "ppo", "response": {"spec": "ppo", "share": "1", "low": 0, "high": 1, "games": 1}}]}',
    '{"rounds": [{"agent": "ppo", "against": 1, "response": {"spec": "ppo"}}]}', "[" * 5000,
])  # fmt: skip
def test_a_broken_file_of_rounds_is_refused_in_a_line(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rounds").mkdir()
    (tmp_path / "rounds" / "harden.json").write_text(text)
    with pytest.raises(RunError, match=r"^\S*/harden\.json: [^\n]{1,400}$"):
        made("ppo", tmp_path / "rounds")


def test_the_command_names_what_is_wrong(tmp_path: Path) -> None:
    words = ["harden", "ppo", "--folder", str(tmp_path / "rounds")]
    for more, said in (
        (["self_play"], "'self_play': expected NAME=VALUE"),
        (["selfplay=9"], "unknown option --selfplay = '9'; did you mean --self-play?"),
    ):
        wrong = CliRunner().invoke(hansa, [*words, *more])
        assert wrong.exit_code == 2 and said in wrong.stderr, wrong.output
    assert not (tmp_path / "rounds").exists()


@pytest.mark.slow
def test_responses_can_be_to_a_mixture_of_the_newest_networks(finished: Path, tmp_path: Path, no_better: None) -> None:
    agent, folder, two = f"ppo:{finished}", tmp_path / "rounds", SMALL._replace(mixture=2)
    first, second, last = made(agent, folder, two)["rounds"]
    assert first["agent"] == agent and second["agent"] == f"mixture:{first['learned']}+{agent}"
    assert last["agent"] == f"mixture:{second['learned']}+{first['learned']}"
    starts = [plan_of(folder / f"round-{number}" / "learned")["start"] for number in (1, 2)]
    assert [f"ppo:{start}" for start in starts] == [agent, first["learned"]], "the newest network learns on"
    response = plan_of(folder / "round-3" / "response" / "learned-0")
    assert response["opponents"] == last["agent"] and f"ppo:{response['start']}" == second["learned"]
    assert made(agent, folder, two)["rounds"] == [first, second, last]
    lines = json.loads((folder / "harden.json").read_text())
    lines["rounds"][1]["agent"] = "mixture:evil:Bot+ppo"
    (folder / "harden.json").write_text(json.dumps(lines))
    with pytest.raises(RunError, match=r"names 'evil:Bot'; expected models in that folder"):
        made(agent, folder, two)


@pytest.mark.slow
def test_the_command_prints_a_line_for_each_round(finished: Path, tmp_path: Path) -> None:
    plan = [f"{name}={value}" for name, value in PLAN.items()]
    words = ["--rounds", "1", "--decisions", "64", "--games", "20", "--threads", "1", "--folder", str(tmp_path / "rounds")]
    done = CliRunner().invoke(hansa, ["harden", f"ppo:{finished}", *plan, *words])
    assert done.exit_code == 0, done.output
    lines = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines() if "–" in line]
    rounds = json.loads((tmp_path / "rounds" / "harden.json").read_text())["rounds"]
    assert [line[0] for line in lines[-2:]] == ["1", "2"] and (len(lines[-2]), len(lines[-1])) == (7, 4)
    assert lines[-2][1] == f"{rounds[0]['response']['share']:.1%}" and lines[-2][3].endswith("%")
    assert done.stdout.rstrip().endswith("harden.json")
