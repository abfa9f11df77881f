"""Plans from files and options, and what is said about wrong ones."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hansa_agents.networks import FOLDER as CARDS
from hansa_env.commands.cli import app as hansa
from hansa_training.app import app
from hansa_training.configs import FOLDER, config_names
from hansa_training.errors import PlanError
from hansa_training.networks.computing import Computing, computing_of
from hansa_training.plan import Plan
from hansa_training.plan_file import check_kept, kept_plan, make_plan, with_usual
from hansa_training.plan_texts import option, toml_of
from hansa_training.ship import card

SHIPPED = config_names()


def test_options_go_before_the_file_and_the_file_before_defaults(tmp_path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('players = 4\nseed = 7\nedition = "second"\n')
    plan = make_plan(file=file, options={"seed": "8", "learning_rate": "1e-5"})
    assert (plan.players, plan.seed, plan.edition, plan.learning_rate) == (4, 8, "second", 1e-5)
    assert plan.envs == Plan().envs


def test_a_plan_is_read_back_from_its_own_file(tmp_path) -> None:
    file = tmp_path / "plan.toml"
    plan = make_plan(
        options={
            "players": "2",
            "two_players": "pawn",
            "learning_rate": "1e-7",
            "gamma": "1",
            "start": 'runs/é\U0001f600 "a"\\b\x7f',
        }
    )
    file.write_text(toml_of(plan), "utf-8")
    assert make_plan(file=file) == plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plyers = 3", "unknown option plyers = 3; did you mean players?"),
        ("players = 9", "players = 9; expected a whole number, at least 2 and at most 5"),
        ("players = 3.0", "players = 3.0; expected a whole number, at least 2"),
        ('players = "3"', "players = '3'; expected a whole number"),
        ("seed = true", "seed = True; expected a whole number, at least 0 and below 4,294,967,296"),
        ("learning_rate = 0", "learning_rate = 0; expected a number, above 0 and at most 1"),
        ("start = 7", "start = 7; expected a text"),
        ("rungs = 'greedy'", "option 'rungs' is called 'eval_opponents' now"),
        ("gamma = nan", "gamma = nan; expected a number, above 0"),
        ('missions = "maybe"', "missions = 'maybe'; expected one of true, false"),
        ("favours = 3", "favours = 3; expected one of true, false, any-board"),
        ("pile = 3", "pile = 3; expected promos, or names of markers with commas between them"),
        ("opponents = 3", "opponents = 3; expected agents by spec, with spaces between them"),
        ('edition = "third"', "edition = 'third'; expected one of first, second, fourth, bigbox"),
        ('two_players = "pawn"', "two_players is 'pawn' with 3 players; expected None"),
        ("[plan]\nplayers = 3", "unknown option plan = {'players': 3}"),
        ("envs = 0", "envs = 0; expected a whole number, at least 1 and at most 65,536"),
        ("envs = 65_537", "envs = 65537; expected a whole number, at least 1 and at most 65,536"),
        ("envs = 1\n", "envs is 1; expected at least one game for each of 2 shards"),
        ("all_learners = 0.7\ntwo_learners = 0.7", "all_learners, two_learners and mixed are 0.7, 0.7, 0.0; expected at most"),
        ('opponents = "greedy nobody"', "opponents: unknown agent 'nobody'"),
        (  # which has a network for three players alone
            'rulesets = "2 3"\neval_opponents = "ppo:agents/networks/3-players.safetensors"',
            "eval_opponents is 'ppo:agents/networks/3-players.safetensors'; expected one that plays 2 players",
        ),
        ('eval_opponents = "greedy random greedy"', "eval_opponents is 'greedy random greedy'; expected each once"),
        ('watch = "wandb mlflow wandb"', "watch is 'wandb mlflow wandb'; expected each once"),
        (
            'rulesets = "2 3"\nsnapshots = 501\nfrom_frozen = 0.5',
            "snapshots is 501 for each of 2 rulesets; expected at most 1,000",
        ),
        ("players = ", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_and_no_folder_is_made(text: str, said: str, tmp_path) -> None:
    file, folder = tmp_path / "plan.toml", tmp_path / "run"
    file.write_text(text)
    result = CliRunner().invoke(app, ["--config", str(file), "--folder", str(folder)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {file}: {said}") and result.stderr.count("\n") == 1, result.stderr
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "three"], "--players = 'three'; expected a whole number, at least 2 and at most 5"),
        (["--batch-size", "1"], "--batch-size = 1; expected a whole number, at least 2"),
        (["--ent-coef", "-0.1"], "--ent-coef = -0.1; expected a number, at least 0"),
        (["--board", "moon"], "--board = 'moon'; expected one of base-2-3, base-4-5, britannia-2-3, britannia-4-5, east"),
        (
            ["--players", "2", "--board", "base-4-5", "--two-players", "pawn"],
            "plan: two_players is 'pawn', which needs a board with provinces",
        ),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read (No such file or directory)"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line_and_no_folder_is_made(words: list[str], said: str, tmp_path) -> None:
    result = CliRunner().invoke(app, ["--folder", str(tmp_path / "run"), *words])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {said}") and result.stderr.count("\n") == 1, result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("old", "new"), [("--entropy", "--ent-coef"), ("--cut-off", "--turn-limit-cost")])
def test_an_old_option_is_refused_with_the_new_name(old: str, new: str) -> None:
    for command, words in ((app, []), (hansa, ["train"])):
        result = CliRunner().invoke(command, [*words, old, "0.1"], terminal_width=200)
        assert result.exit_code == 2 and f"option {old!r} is called {new!r} now" in result.stderr


def test_a_run_whose_plan_has_an_option_by_its_old_name_goes_on(tmp_path: Path) -> None:
    file, plan = tmp_path / "plan.toml", Plan(turn_limit_cost=0.5)
    file.write_text(toml_of(plan).replace("turn_limit_cost", "cut_off"))
    assert make_plan(file=file) == kept_plan(file, options={"self_play": "7000000"}) == plan
    noted = {name.replace("turn_limit_cost", "cut_off"): value for name, value in plan.model_dump().items()}
    assert with_usual(noted) == plan.model_dump()
    check_kept(file, plan, noted)
    with pytest.raises(PlanError, match=r"turn_limit_cost = 0\.1, but the run was made with 0\.5"):
        check_kept(file, Plan(turn_limit_cost=0.1), noted)
    file.write_text("cut_off = 0.5\nturn_limit_cost = 0.5\n")
    with pytest.raises(PlanError, match="option 'cut_off' is called 'turn_limit_cost' now"):
        make_plan(file=file)


def test_every_option_is_on_the_command_line() -> None:
    shown = CliRunner().invoke(app, ["--help"], terminal_width=200).stdout
    assert [name for name in Plan.model_fields if f"{option(name)} " not in shown] == []


def test_numbers_that_are_out_of_reach_for_pytorch_are_refused_here() -> None:
    with pytest.raises(PlanError, match="--seed = 4294967296; expected a whole number, at least 0 and below 4,294,967,296"):
        make_plan(options={"seed": str(2**32)})


@pytest.mark.parametrize("name", SHIPPED)
def test_the_plans_that_come_with_it_are_sound_and_found_by_name(name: str) -> None:
    assert make_plan(file=Path(name)) == make_plan(file=FOLDER / f"{name}.toml") != Plan()


def test_a_file_goes_before_a_plan_of_its_name_and_what_is_neither_is_told_the_names(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert make_plan(file=Path("three")).players == 3
    Path("three").write_text("players = 5\n")
    assert make_plan(file=Path("three")).players == 5
    names = (
        "board, five, five-company, five-lineages, five-steps, four, four-company, four-hero, four-league, four-lineages, "
        "four-steps, four-strangers, heroes, lineage, quick, shared, three, three-fresh, three-hard, three-large, three-last, "
        "three-league, three-lineages, three-long, three-steps, three-strangers, two, two-ends, two-moves, two-waits"
    )
    said = rf"^thre: .* \(No .*\), nor is a plan called so; did you mean three\? There are {names}$"
    with pytest.raises(PlanError, match=said):
        make_plan(file=Path("thre"))


def test_the_card_of_each_shipped_agent_names_a_plan_that_there_is() -> None:
    cards = sorted(Path(str(CARDS)).glob("*.md"))
    named = [re.search(r"hansa (?:train|harden) [^`]*?--config (\S+) ", card.read_text("utf-8"))[1] for card in cards]
    assert named and set(named) <= set(SHIPPED)


@pytest.mark.parametrize(
    ("options", "config", "title"),
    [
        ({"players": 4}, "four", "4 players"),
        ({"players": 3, "edition": "bigbox"}, "board --players 3 --edition bigbox", "bigbox"),
        ({"players": 3, "board": "east", "start": "ppo"}, "board --players 3 --board east --start ppo", "east"),
    ],
)
def test_a_card_says_by_which_plan_and_for_which_game(options, config, title) -> None:
    result = {"plan": Plan(**options).model_dump(), "final": [], "curve": [{"decisions": 7}]}
    text = card(result, [b""], ["hash"], "a minute")
    assert f"`hansa train --config {config} --folder RUN`" in text
    assert title in next(line for line in text.splitlines() if line.startswith("# A trained agent for"))


def test_a_gpu_is_asked_for_by_name_or_taken_where_there_is_one(tmp_path, monkeypatch) -> None:
    assert Plan().device == "cpu"
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert computing_of("float32", "auto") == Computing()
    assert make_plan(options={"device": "cuda"}).device == "cuda", "a plan can be read where there is none"
    result = CliRunner().invoke(app, ["--device", "cuda", "--folder", str(tmp_path / "run")])
    assert result.exit_code == 2 and "--device is 'cuda', but PyTorch finds no GPU here; expected cpu, or auto" in result.stderr
    assert not (tmp_path / "run").exists()
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.current_device", lambda: 1)
    assert str(computing_of("float32", "auto").device) == str(computing_of("float32", "cuda").device) == "cuda:1"
