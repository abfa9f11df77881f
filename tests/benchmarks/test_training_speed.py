"""Where a learner's time goes: the parts are there, and what they are parts of."""

import pytest
import typer
from typer.testing import CliRunner

from hansa_benchmarks.training_speed import cpu_microseconds, main, measure
from hansa_training.plan import Plan


def test_the_parts_of_a_decision_are_measured_beside_the_network_alone() -> None:
    plan = Plan(players=3, start="0.2", value_rollouts=0, envs=32, rollout=16, shards=2, threads=1, batch_size=128, n_epochs=2)
    found = measure(plan, rollouts=2)
    assert all(found[name] > 0 for name in found)
    assert found["clock"] * found["decisions"] == pytest.approx(1e6)
    assert found["engine"] + found["opponents"] + found["inference"] + found["learning"] < found["clock"] * 1.05


def test_the_first_call_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, calls = [0.0], []

    def work() -> None:
        spent[0] += 2e-6 if calls else 1.0
        calls.append(1)

    monkeypatch.setattr("hansa_benchmarks.training_speed.time.process_time", lambda: spent[0])
    assert cpu_microseconds(work, 3) == pytest.approx(2.0)
    assert len(calls) == 4


def run(*words: str):
    app = typer.Typer()
    app.command()(main)
    return CliRunner().invoke(app, [*words])


def test_more_and_more_games_have_a_line_each() -> None:
    found = run("--threads", "1", "--rollouts", "1", "--envs", "8 16", "--options", "rollout=8 batch_size=32")
    assert found.exit_code == 0, found.output
    lines = found.output.splitlines()
    assert [line.split()[0] for line in lines if "games:" in line] == ["8", "16"]
    assert "3 players, cpu, 2 shards, 1 threads" in found.output and found.output.count("decisions/s") == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--options", "rollout"], "rollout"),
        (["--envs", "8 many"], "envs"),
        (["--envs", "1"], "at least one game for each of 2 shards"),
    ],
)
def test_what_is_no_option_is_said_in_one_line(words: list[str], said: str) -> None:
    found = run(*words)
    assert found.exit_code == 2 and said in found.output and len(found.output.splitlines()) == 1, found.output
