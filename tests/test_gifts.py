"""Files that ask for code: they may name agents, and nothing of these is run before whoever reads the file names them."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hansa_agents.arena import Keep, play_match
from hansa_agents.ladder import Ladder
from hansa_env import AgentError, Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.play.specs import as_typed, check_specs_of_file, runs_code

PAIR = Ruleset(2)
#: What files try: a module, a module behind a name that looks like another thing, an archive that trusts itself.
CODE = ("gift:Bot", "gift:Bot:greedy", "ppo:gift.zip:trust", "ppo:gift.zip:sample:trust", "greedy=gift:Bot")
DATA = ("greedy", "scripted:link", "ppo", "ppo:runs/ppo", "ppo:model.safetensors:sample", "search:model=runs/ppo", "nobody")


@pytest.fixture
def gift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module that leaves a file when it is imported; the path of that file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HANSA_TRUST", raising=False)
    monkeypatch.delitem(sys.modules, "gift", raising=False)
    mark = tmp_path / "ran"
    Path("gift.py").write_text(
        f"from pathlib import Path\n\nfrom hansa_env import Agent\n\nPath({str(mark)!r}).touch()\n\n\n"
        "class Bot(Agent):\n    def act(self, inputs, masks, seats):\n        return masks.argmax(axis=1)\n"
    )
    return mark


def hansa(*words: object, said: str = "") -> tuple[int, str]:
    run = CliRunner().invoke(app, [str(word) for word in words], input=said)
    return run.exit_code, run.output


@pytest.mark.parametrize("spec", CODE)
def test_what_runs_code_has_to_be_named(spec: str) -> None:
    assert runs_code(spec)
    with pytest.raises(AgentError) as refused:
        check_specs_of_file(["greedy", spec], "F", ["gift:Other", spec + "x"], "--agent X")
    assert f"F: agent {spec!r} runs code" in str(refused.value) and str(refused.value).endswith("name it: --agent X")
    check_specs_of_file(["greedy", spec], "F", [spec], "")


def test_what_is_installed_or_data_need_not_be_named() -> None:
    check_specs_of_file(DATA, "F", (), "")


def test_an_error_says_nothing_to_type_that_nobody_would_type() -> None:
    """What a file says may be long, or move the cursor of a terminal."""
    assert as_typed("ppo:a b.zip:trust", "greedy") == "'ppo:a b.zip:trust' greedy"
    assert as_typed("gift:\x1b[2J", "gift:\n", "gift:" + "x" * 200, "greedy") == "... ... ... greedy"


@pytest.mark.parametrize("worth", ["x" * 100_000, "gift\n:worth", "\x1b[2J"])
def test_a_function_that_nobody_would_type_is_refused_in_a_short_line(worth: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training.errors import PlanError
    from hansa_training.plan_file import make_plan

    file = tmp_path / "plan.toml"
    for line in (f"worth = {json.dumps(worth)}\n", f"opponents = {json.dumps('gift:Bot ' + worth)}\n"):
        file.write_text(line)
        with pytest.raises(PlanError) as refused:
            make_plan(file=file)
        assert str(refused.value).isprintable() and len(str(refused.value)) < 600


@pytest.mark.parametrize("spec", CODE)
def test_a_record_does_not_choose_code(spec: str, gift: Path) -> None:
    game = Game(PAIR, 1)
    game.agents = ["person", spec]
    Path("game.json").write_text(json.dumps(game.record()))
    code, said = hansa("play", "--resume", "game.json")
    assert code == 2 and not gift.exists() and len(said.strip().splitlines()) == 1
    assert f"game.json: agent {spec!r} runs code" in said
    assert f"name it: hansa play --resume game.json person {spec}" in said


def test_a_record_goes_on_with_code_that_is_named_again(gift: Path) -> None:
    game = Game(PAIR, 1)
    game.agents = ["person", "gift:Bot"]
    Path("game.json").write_text(json.dumps(game.record()))
    code, said = hansa("play", "--resume", "game.json", "person", "gift:Bot", said="1\nquit\n")
    assert code == 0 and gift.exists(), said
    assert "go on with: hansa play --resume game.json person gift:Bot" in said


@pytest.mark.parametrize("trust", [False, True])
def test_an_archive_that_only_a_file_names_is_opened_where_the_environment_trusts_them_all(
    trust: bool, gift: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records that name archives without `:trust`, and nobody who names them again."""
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from tests.training.archives import archive_with_code

    if trust:
        monkeypatch.setenv("HANSA_TRUST", "1")
    for name in ("one", "other"):
        archive_with_code(Path(f"{name}.zip"), Path(f"ran {name}"))
        game = Game(PAIR, 1)
        game.agents = ["person", f"ppo:{name}.zip"]
        Path("game.json").write_text(json.dumps(game.record()))
        code, said = hansa("play", "--resume", "game.json")
        assert code == 2 and len(said.strip().splitlines()) == 1, "an archive of nothing but code is no model in any case"
        assert Path(f"ran {name}").exists() == trust
        assert ("runs code that is in it" in said) != trust


def ladder_of(names: list[str], specs: list[str]) -> None:
    """The file `ladder.jsonl` of games by two agents, who are then called otherwise."""
    play_match(["random", "greedy"], PAIR, 2, max_turns=2, keep=Keep(results="ladder.jsonl"))
    lines = [json.loads(line) for line in Path("ladder.jsonl").read_text().splitlines()]
    other = {"random": (names[0], specs[0]), "greedy": (names[1], specs[1])}
    for line in lines:
        line["agents"], line["specs"] = zip(*[other[name] for name in line["agents"]])
        del line["models"]  # those of the others
    Path("ladder.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


LADDER = ("ladder", "new=random", "--file", "ladder.jsonl", "--ci-width", "5000", "--max-games", "2")


@pytest.mark.parametrize(("name", "spec"), [("it", "gift:Bot"), ("gift:Bot", "gift:Bot:x"), ("greedy", "ppo:gift.zip:trust")])
def test_a_ladder_does_not_choose_code(name: str, spec: str, gift: Path) -> None:
    ladder_of(["random", name], ["random", spec])
    again = ("ladder", name, *LADDER[2:])
    for words in (LADDER, (*again, "--more"), (*again, "--restart")):
        code, said = hansa(*words)
        assert not gift.exists() and code == 2 and said.count("error:") == 1, said
        assert f"agent {spec!r} runs code" in said and f"name it: --agent {spec}; or leave it out: --exclude {name}" in said


@pytest.mark.parametrize("name", ["a=gift:Bot", "gift:Bot", "gift:Bot=x"])
def test_the_name_of_an_agent_on_a_ladder_is_not_taken_for_code(name: str, gift: Path) -> None:
    ladder_of(["random", name], ["random", "greedy"])
    code, said = hansa(*LADDER)
    assert not gift.exists() and code == 2 and "its name is no NAME of NAME=SPEC" in said, said
    assert hansa(*LADDER, "--exclude", name)[0] == 0


def test_a_ladder_with_code_that_is_named_again(gift: Path) -> None:
    ladder_of(["random", "it"], ["random", "gift:Bot"])
    code, said = hansa(*LADDER, "--agent", "gift:Bot")
    assert code == 0 and gift.exists(), said
    mine = Ladder(PAIR)
    mine.play(["it=gift:Bot", "random"], 2, seed=1)
    assert mine.place("new=random", 5000, 2) == 4, "whoever let it play here has named it"


TINY = ("--self-play", "32", "--warm-start", "0")


@pytest.mark.parametrize(("name", "spec"), [
    *((name, spec) for name in ("opponents", "eval_opponents") for spec in CODE), ("rivals", CODE[0]), ("teacher", CODE[0]),
])  # fmt: skip
def test_a_plan_does_not_choose_code(name: str, spec: str, gift: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    Path("run").mkdir()
    Path("run/plan.toml").write_text(f'{name} = "greedy {spec}"\n')
    for words in (("--resume", "--folder", "run"), ("--config", "run/plan.toml", "--folder", "other")):
        code, said = hansa("train", *words)
        assert not gift.exists() and code == 2 and len(said.strip().splitlines()) == 1, said
        assert (
            f"plan.toml: {name}: agent {spec!r} runs code" in said
            and f"name it: --{name.replace('_', '-')} 'greedy {spec}'" in said
        )
    assert not Path("other").exists()


@pytest.mark.parametrize("worth", ["gift", "gift:worth", "greedy:worth", "run.greedy", "run.greedy:worth"])
def test_a_plan_does_not_choose_the_function_that_says_what_games_are_worth(worth: str, gift: Path) -> None:
    """Functions have no names by which they are installed: what looks like an agent's is a module all the same."""
    pytest.importorskip("torch", reason="needs the extra 'train'")
    Path("run").mkdir()
    for other in ("greedy.py", "run/greedy.py"):
        Path(other).write_text(Path("gift.py").read_text())
    Path("run/plan.toml").write_text(f'worth = "{worth}"\n')
    for words in (("--resume", "--folder", "run"), ("--config", "run/plan.toml", "--folder", "other")):
        code, said = hansa("train", *words)
        assert not gift.exists() and code == 2 and len(said.strip().splitlines()) == 1, said
        assert f"plan.toml: worth: function {worth!r} runs code" in said and f"name it: --worth {worth}" in said
    assert not Path("other").exists()


def test_the_result_of_a_run_does_not_choose_code(gift: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training.ship import main

    Path("run").mkdir()
    Path("run/model.safetensors").touch()
    plan = {"opponents": "greedy gift:Bot"}
    line = {"opponent": "greedy", "actions": "likeliest", "games": 3, "share": 0.5, "low": 0.4, "high": 0.6, "mean_score": 30.0,
            "mean_rank": 0.5, "scores": {"total": 30.0}, "ends": {"cities": 1.0}, "turns": 20.0}  # fmt: skip
    result = {"plan": plan, "curve": [{"decisions": 7, "figures": {}}], "final": [line], "among it": []}
    Path("run/result.json").write_text(json.dumps(result))
    with pytest.raises(typer.Exit):
        main(Path("run"))
    assert re.search(r"result.json: opponents: agent 'gift:Bot' runs code .* name it: --agent", capsys.readouterr().err)
    assert not gift.exists()


@pytest.mark.parametrize("spec", [*CODE, "greedy", "ppo:elsewhere.safetensors"])
@pytest.mark.parametrize("place", ["agent", "start", "learned", "response"])
def test_rounds_of_best_responses_do_not_choose_code(
    place: str, spec: str, gift: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of `hansa harden`: it goes on with models that lie there, and with nothing else."""
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training import harden

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(harden, "exploit", stopped)
    words = ("harden", "ppo", "players=3", "--folder", "rounds", "--rounds", 2)
    assert hansa(*words)[0] == 130
    figures = {"share": 0.5, "low": 0.4, "high": 0.6, "games": 30}
    model = f"ppo:{Path('rounds').resolve()}/round-1/model"
    one = {
        "agent": "ppo",
        "response": {"spec": model} | figures,
        "among the response": figures,
        "start": "ppo",
        "learned": model,
    }
    Path("rounds/harden.json").write_text(json.dumps({"rounds": [one]}))
    assert hansa(*words)[0] == 130, "so far it is as it was written"
    (one["response"] if place == "response" else one)["spec" if place == "response" else place] = spec
    Path("rounds/harden.json").write_text(json.dumps({"rounds": [one]}))
    code, output = hansa(*words)
    assert code == 2 and f"names {spec!r}; expected models in that folder" in " ".join(output.split()) and not gift.exists()


def test_a_run_goes_on_with_code_that_is_named_again(gift: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training.plan_file import make_plan, named_in
    from hansa_training.standing import how_to_go_on
    from tests.training.tiny import TINY, arguments

    tiny = TINY | {"opponents": "gift:Bot greedy", "eval_opponents": "random"}
    tiny |= {"players": "2", "self_play": "32", "evaluate_every": "9"}
    code, said = hansa("train", "--folder", "run", *arguments(tiny))
    assert code == 0, said
    gift.unlink()
    sys.modules.pop("gift")
    assert hansa("train", "--resume", "--folder", "run")[0] == 2 and not gift.exists()
    code, said = hansa("train", "--resume", "--folder", "run", "--opponents", "gift:Bot greedy", "--self-play", "64")
    assert code == 0 and gift.exists(), said
    assert how_to_go_on(Path("run")) == "hansa train --resume --folder run --opponents 'gift:Bot greedy'"
    options = {"opponents": "gift:Bot greedy"}
    assert make_plan(file=Path("run/plan.toml"), named=named_in(options)).met == ["gift:Bot", "greedy"]


def test_a_checkpoint_does_not_choose_code(gift: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training.league import Company, League
    from hansa_training.networks import new_player
    from hansa_training.sizes import MLP

    league = League(PAIR, ["greedy"], [], 1, Company(0.0, 0.0, 0.0, 0.0, 1), lambda: new_player(PAIR, MLP))
    state = league.state()
    league.set_state(state)
    state["opponents"]["0"]["name"] = "gift:Bot"
    league.set_state(state)
    assert [one.name for one in league.opponents.values()] == ["greedy"] and not gift.exists()


def test_a_file_of_games_at_the_table_does_not_choose_code(gift: Path) -> None:
    pytest.importorskip("starlette", reason="needs the extra 'table'")
    from tests.table.serving import GREEDY, HERE, Server

    file = gift.with_name("games.sqlite")
    server = Server(file)
    try:
        game = server.deal(GREEDY, HERE, seed=1)
        server.stop()
        with sqlite3.connect(file) as sql:
            seats = json.dumps([GREEDY | {"agent": "gift:Bot"}, HERE])
            sql.execute("UPDATE games SET seats = ? WHERE id = ?", (seats, game))
        sql.close()
        server.start(0)
        with server.sit(game) as sitting:
            status = sitting.until(lambda message: message["type"] == "status" and message.get("problem"))
        assert "agent 'gift:Bot' runs code" in status["problem"] and "hansa table --agent gift:Bot" in status["problem"]
        assert not gift.exists()
    finally:
        server.stop()
