"""The command `hansa solve`: what it cannot solve or measure is said before it begins."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from hansa_agents.solved import measures
from hansa_env.commands.cli import app
from hansa_env.play.errors import AgentFault


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "error: nope: unknown agent 'nope'; there are greedy"),
        (["--max-turns", "2000000000"], "error: --max-turns is 2000000000; expected a whole number from 1 to 10000000"),
        (["nope", "tests.agents.faulty:Unreadable"], "error: nope: unknown agent 'nope'; there are greedy"),
        (["-p", "4"], "error: --players is 4, but the miniatures there are, by players, are miniature-2, miniature-2-pile, "),
    ],
)
def test_what_cannot_be_solved_or_measured_is_refused(words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["solve", *words])
    assert done.exit_code == 2 and done.stdout == "" and done.stderr.startswith(said)


@pytest.mark.slow
def test_of_several_agents_those_that_can_play_are_measured() -> None:
    done = CliRunner().invoke(app, ["solve", "random", "nope", "--board", "miniature-2-small", "--max-turns", "3"])
    assert done.exit_code == 2 and "not measured, nope: unknown agent" in done.stdout
    assert any(line.split()[:1] == ["random"] for line in done.stdout.splitlines())


@pytest.mark.slow
def test_an_agent_that_fails_does_not_take_the_others_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = measures.measure

    def fails(solution: measures.Solution, agent: object, *more: object) -> measures.Measure:
        if type(agent).__name__ != "RandomAgent":
            raise AgentFault(0, "greedy", None, "is lost")
        return measure(solution, agent, *more)

    monkeypatch.setattr(measures, "measure", fails)
    done = CliRunner().invoke(app, ["solve", "greedy", "random", "--board", "miniature-2-small", "--max-turns", "3"])
    assert done.exit_code == 2 and "greedy" in done.stderr and "is lost" in done.stderr
    assert any(line.split()[:1] == ["random"] for line in done.stdout.splitlines())


@pytest.mark.slow
def test_ctrl_c_shows_who_has_been_measured_and_says_who_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = measures.measure

    def stops(solution: measures.Solution, agent: object, *more: object) -> measures.Measure:
        if type(agent).__name__ != "RandomAgent":
            raise KeyboardInterrupt
        return measure(solution, agent, *more)

    monkeypatch.setattr(measures, "measure", stops)
    agents = ["random", "greedy", "scripted:link"]
    done = CliRunner().invoke(app, ["solve", *agents, "--board", "miniature-2-small", "--max-turns", "3"])
    assert done.exit_code == 130 and "greedy" not in done.stdout
    assert any(line.split()[:1] == ["random"] for line in done.stdout.splitlines())
    assert "stopped; not measured: greedy scripted:link; to measure these, repeat the command with them alone" in done.stderr
