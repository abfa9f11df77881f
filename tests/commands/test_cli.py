"""What somebody new tries first: versions, a bot of one's own in the arena, a game as its board."""

import io
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from threading import Event

import pytest
import typer
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset, start
from hansa_env.commands import cli, picture, records, view
from hansa_env.commands import dataset as dataset_command
from hansa_env.commands.cli import app
from hansa_env.commands.replay import replay
from hansa_env.table import command as table_command
from hansa_env.table.command import table
from hansa_env.version import __version__


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_version() -> None:
    assert run("--version").output.strip() == f"hansa-env {__version__}"
    done = subprocess.run([sys.executable, "-m", "hansa_env", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, f"hansa-env {__version__}")


def imported_by(*words: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = f"""
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv = {["hansa", *words]}
from hansa_env.commands.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return set(done.stderr.split())


def test_a_command_imports_no_other() -> None:
    there = imported_by("info")
    assert "hansa_env.commands.rulesets" in there
    others = {"hansa_env.commands.play", "hansa_agents.arena_command", "hansa_training.app", "hansa_env.table.command", "torch"}
    assert not others & there


class Screen(io.StringIO):
    """Takes what is written; says when something was."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal, self.told = terminal, Event()

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.told.set()
        return super().write(text)


def test_who_watches_is_told_that_a_command_loads_and_a_log_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "PATIENCE", 0)
    for terminal in (True, False):
        screen = Screen(terminal)

        class Point:
            name = "slow"

            def load(self, screen: Screen = screen):
                assert not screen.terminal or screen.told.wait(60)
                return lambda: None

        monkeypatch.setattr(sys, "stderr", screen)
        cli._load(Point())
        assert screen.getvalue() == "hansa slow: loading ...\n" * terminal


def replay_it(file: Path) -> None:
    replay(file, brief=True)


def open_a_table(file: Path) -> None:
    with pytest.raises(typer.Exit):  # it cannot be kept in a record
        table(port=0, games=file, browser=False)


@pytest.mark.parametrize(("command", "place", "slow", "line"), [
    (replay_it, records, "parse_json", "reading game.json ..."),
    (lambda file: picture.picture(file), picture, "read_json", "reading game.json ..."),
    (lambda file: view.view([file]), view, "games_of", "reading 1 file ..."),
    (lambda file: dataset_command.dataset([file]), dataset_command, "records_at", "hansa dataset: loading ..."),
    (open_a_table, table_command, "warmup", "hansa table: loading the rules, agents and openings ..."),
])  # fmt: skip
def test_who_watches_is_told_what_a_command_waits_for(command, place, slow, line, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start, "PATIENCE", 0)
    Path("game.json").write_text(json.dumps(play_game(["random"], Ruleset(2), seed=1, max_turns=1).record()))
    do = getattr(place, slow)
    for terminal in (True, False):
        screen = Screen(terminal)

        def do_slowly(*given, screen=screen):
            assert not screen.terminal or screen.told.wait(60)
            return do(*given)

        with monkeypatch.context() as patch:
            patch.setattr(place, slow, do_slowly)
            patch.setattr(sys, "stderr", screen)
            command(Path("game.json"))
        Path("dataset.npz").unlink(missing_ok=True)
        assert (f"{line}\n" in screen.getvalue()) == terminal


def test_the_list_of_commands_waits_for_nothing_that_they_do() -> None:
    """They are all imported for it, and torch takes seconds."""
    there = imported_by("--help")
    assert {"hansa_agents.arena_command", "hansa_training.app", "hansa_env.table.command"} <= there
    heavy = {"torch", "stable_baselines3", "matplotlib", "tensorboard", "ray", "starlette", "uvicorn"}
    assert not heavy & there


def test_a_paragraph_of_the_help_is_broken_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert "beginnings of some of their words; `help` lists the other commands." in run("play", "--help").output


def test_a_command_that_is_misspelt_is_named() -> None:
    result = run("tabel")
    assert result.exit_code == 2 and "Did you mean 'table'?" in result.output


def test_who_calls_a_command_by_its_old_name_is_told_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "entries", lambda group: [])
    assert "command 'bench' is called 'speed' now" in run("bench", "compare").output


def test_a_command_whose_package_is_missing_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "hansa_env.table.serving", raising=False)
    result = run("table")
    assert result.exit_code == 2 and "pip install 'hansa-env[table]'" in result.output


def test_types_are_shipped() -> None:
    assert resources.files("hansa_env").joinpath("py.typed").is_file()


def test_every_command_that_has_players_takes_p_for_them() -> None:
    group = typer.main.get_group(app)
    context = group.make_context("hansa", ["info"])
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    having = {name: one.opts for name, command in commands.items() for one in command.params if "--players" in one.opts}
    assert {"play", "arena", "train", "puzzles"} <= set(having) and all("-p" in opts for opts in having.values()), having


def test_a_bot_of_ones_own_meets_greedy(tmp_path, monkeypatch) -> None:
    (tmp_path / "firstbot.py").write_text(
        "from hansa_env import Agent\n\n\n"
        "class FirstBot(Agent):\n"
        "    def act(self, inputs, masks, seats):\n"
        "        return masks.argmax(axis=1)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    result = run("arena", "firstbot:FirstBot", "greedy", "--players", 3, "--games", 6, "--max-turns", 3, "--no-progress")
    assert result.exit_code == 0, result.output
    assert "firstbot:FirstBot" in result.output and "greedy" in result.output
    result = run("arena", "firstbot:SecondBot", "--players", 3)
    assert result.exit_code == 2 and "module 'firstbot' has no 'SecondBot'" in result.output


def test_a_game_is_printed_as_its_board() -> None:
    game = Game(Ruleset(3), seed=1)
    game.play("place trader stade/hamburg")
    assert "place trader stade/hamburg" in str(game) and "0t . ." in str(game)
    assert repr(game) == "<Game 3 players, fourth edition, board base-2-3: 1 decisions, seat 0 is asked 'act'>"


def test_a_game_that_was_cut_off_keeps_its_scores(tmp_path) -> None:
    game = play_game(["greedy"], Ruleset(3), seed=3, max_turns=4)
    record = game.record()
    assert record["result"] == {"reason": None, "scores": game.scores(), "winners": game.winners()}
    file = tmp_path / "cut.json"
    file.write_text(json.dumps(record))
    result = run("replay", file)
    assert result.exit_code == 0, result.output
    record["result"]["winners"] = [seat for seat in range(3) if seat not in game.winners()]
    file.write_text(json.dumps(record))
    assert run("replay", file).exit_code == 2


def test_defaults_are_those_of_python() -> None:
    assert str(Ruleset()) in run("info").output
