"""`hansa compile`: what it compiles, and what it says when it cannot."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import hansa_agents
import hansa_env
from hansa_agents import compiling
from hansa_agents.search.lookahead import look_ahead_games
from hansa_agents.search.puct import think
from hansa_agents.search.rollout import improve_games
from hansa_agents.streams import fill_streams
from hansa_env.commands.cli import app
from hansa_env.engine.compile import packages_of
from hansa_env.installed import entries
from hansa_env.play.registry import GROUP

#: Agents with nothing compiled of their own, or with the code of others.
OTHERS = {"random", "scripted", "population", "mixture", "ppo", "search", "onnx"}


def test_every_agent_with_compiled_code_is_in_one_of_the_parts() -> None:
    named = [one.spec.partition(":")[0] for part in compiling.PARTS for one in part]
    assert len(named) == len(set(named))
    assert set(named) - {compiling.RULES} == {point.name for point in entries(GROUP)} - OTHERS


@pytest.mark.parametrize("kernel", [think, improve_games, look_ahead_games, fill_streams])
def test_an_edit_of_the_arena_or_of_a_command_compiles_no_agent_anew(kernel) -> None:
    """Compiled code is kept under a hash of the folders that its functions are in."""
    assert not {Path(hansa_agents.__file__).parent, Path(hansa_env.__file__).parent} & set(packages_of(kernel.py_func))


def test_each_part_tells_what_is_done(monkeypatch) -> None:
    monkeypatch.setattr(compiling, "PARTS", ((compiling.Compiled("random", 1),) * 2, ()))
    assert list(compiling.compile_part(0)) == ["random", "random"]


def test_what_is_compiled_is_told_before_the_next_is(monkeypatch) -> None:
    """Of those that compile without a game; the others are told when they have seen one."""
    asked: list[tuple[str, int]] = []

    class Fake:
        def __init__(self, name: str) -> None:
            self.name = name

        def act(self, games, masks, seats) -> None:
            asked.append((self.name, len(games)))

    one, with_a_game, two = (
        compiling.Compiled("one", 1),
        compiling.Compiled("game", 1, with_a_game=True),
        compiling.Compiled("two", 1),
    )
    monkeypatch.setattr(compiling, "PARTS", ((one, with_a_game, two),))
    monkeypatch.setattr(compiling, "make_agent", lambda name, ruleset: Fake(name))
    told = compiling.compile_part(0)
    assert next(told) == "one" and asked == [("one", 0)]
    assert next(told) == "two" and asked[-1] == ("two", 0)
    assert next(told) == "game" and asked[-1] == ("game", 2)
    assert not list(told)


def test_progress_is_of_the_time_that_each_takes() -> None:
    of_parts = [sum(one.seconds for one in part) for part in compiling.PARTS]
    assert max(of_parts) < 2 * min(of_parts), "the two processes take about as long"


def test_a_process_that_fails_is_named_with_what_it_said() -> None:
    with pytest.raises(compiling.CompileError, match=r"(?s)-m hansa_agents.compiling 7 ended with 1: .*IndexError"):
        compiling._in_process(7, print)


def test_the_command_says_where_the_code_is_kept(monkeypatch) -> None:
    monkeypatch.setattr(compiling, "compile_all", lambda on_done: [on_done(name) for name in compiling.SECONDS])
    found = CliRunner().invoke(app, ["compile"])
    assert found.exit_code == 0 and "compiled, kept in " in found.output and "numba-" in found.output
    seconds = sum(compiling.SECONDS.values())
    assert f"compiled, in seconds of a core: {seconds} of {seconds} (100%)" in found.stderr


def test_the_command_ends_in_one_line_where_something_cannot_be_compiled(monkeypatch) -> None:
    def fail(on_done) -> None:
        raise compiling.CompileError("no luck")

    monkeypatch.setattr(compiling, "compile_all", fail)
    found = CliRunner().invoke(app, ["compile"])
    assert found.exit_code == 2 and "error: no luck" in found.output and "Traceback" not in found.output
