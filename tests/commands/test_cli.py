"""What somebody new tries first: versions, a bot of one's own in the arena, a game as its board."""

import json
import subprocess
import sys
from importlib import resources

from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.version import __version__


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_version() -> None:
    assert run("--version").output.strip() == f"hansa-env {__version__}"
    done = subprocess.run([sys.executable, "-m", "hansa_env", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, f"hansa-env {__version__}")


def test_no_command_waits_for_what_only_others_need() -> None:
    """All commands are known to each, and torch takes seconds to import."""
    heavy = "{'torch', 'stable_baselines3', 'matplotlib', 'tensorboard', 'ray'}"
    code = f"import sys, hansa_env.commands.cli; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_types_are_shipped() -> None:
    assert resources.files("hansa_env").joinpath("py.typed").is_file()


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
