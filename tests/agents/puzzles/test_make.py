"""Making puzzles: the same seed gives the same file, what is done is not done again, and what goes in."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from hansa_agents.puzzles import agreement, make
from hansa_agents.puzzles.agreement import agreed, judges_of
from hansa_agents.puzzles.make import Made, quotas
from hansa_agents.puzzles.puzzle_file import FIGHT, KINDS, Puzzle, published, read_puzzles
from hansa_env import Game, Ruleset
from hansa_env.play.agents import Estimate


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games, and searches that are not deep and agree easily."""
    monkeypatch.setattr(make, "GAMES", 3)
    monkeypatch.setattr(make, "MOST_TIMES", 1)
    monkeypatch.setattr(agreement, "SEARCHES", (("tree:sims=20", 1), ("tree:sims=24", 2)))
    monkeypatch.setattr(agreement, "BETTER", 0.0)


def run(out: Path, *words: str) -> int:
    app = typer.Typer()
    app.command()(make.make)
    return CliRunner().invoke(app, ["--out", str(out), *words]).exit_code


@pytest.mark.slow
def test_the_same_seed_gives_the_same_file(quick: None, tmp_path: Path) -> None:
    words = ["--setting", "two", "--setting", "three-bigbox", "--count", "12"]
    assert run(tmp_path / "one.gz", "--seed", "5", *words) == run(tmp_path / "two.gz", "--seed", "5", *words) == 0
    assert run(tmp_path / "other.gz", "--seed", "6", *words) == 0
    one, two, other = ((tmp_path / f"{name}.gz").read_bytes() for name in ("one", "two", "other"))
    assert one == two != other
    head, found = read_puzzles(tmp_path / "one.gz")
    assert head.seed == 5 and len(found) >= 4 and {one.line.setting for one in found} == {"two", "three-bigbox"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.gz", "other.gz", "two.gz"]


def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line.decode() for line in gzip.decompress(published().read_bytes()).splitlines()[1:]]
    asked: list[str] = []

    def stopping(stop: str | None) -> Callable:
        def found(setting: str, count: int, *_: object) -> list[str]:
            asked.append(setting)
            if setting == stop:
                raise KeyboardInterrupt
            return [line for line in lines if json.loads(line)["setting"] == setting][:count]

        return found

    words = ["--setting", "two", "--setting", "five", "--count", "5"]
    monkeypatch.setattr(make, "puzzles_of", stopping("five"))
    assert run(tmp_path / "some.gz", *words) != 0 and not (tmp_path / "some.gz").exists()
    monkeypatch.setattr(make, "puzzles_of", stopping(None))
    assert run(tmp_path / "some.gz", *words) == 0
    assert asked == ["two", "five", "five"]
    assert [one.line.setting for one in read_puzzles(tmp_path / "some.gz")[1]] == ["two"] * 3 + ["five"] * 2


def test_a_setting_named_twice_is_made_once_and_one_that_there_is_not_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    lines = [line.decode() for line in gzip.decompress(published().read_bytes()).splitlines()[1:]]

    def found(setting: str, count: int, *_: object) -> list[str]:
        asked.append(setting)
        return [line for line in lines if json.loads(line)["setting"] == setting][:count]

    monkeypatch.setattr(make, "puzzles_of", found)
    assert run(tmp_path / "six.gz", "--setting", "two", "--setting", "six") == 2
    assert asked == [] and list(tmp_path.iterdir()) == []
    assert run(tmp_path / "two.gz", "--setting", "two", "--setting", "two", "--count", "4") == 0
    assert asked == ["two"] and len(read_puzzles(tmp_path / "two.gz")[1]) == 4


def test_kinds_are_even() -> None:
    assert quotas(12) == dict.fromkeys(KINDS, 4)
    assert [sum(quotas(count).values()) for count in range(7)] == list(range(7))


def test_hard_ones_go_first_and_easy_ones_are_half_at_most_until_they_fill() -> None:
    easy, hard = ([Made(f"{word} {i}", word == "hard") for i in range(6)] for word in ("easy", "hard"))
    taken = make._taken
    assert taken([*easy, *hard[:1]], 4, False) == [hard[0], *easy[:2]]
    assert taken([*easy, *hard[:1]], 4, True) == [hard[0], *easy[:3]]
    assert taken([*easy, *hard], 4, False) == taken([*easy, *hard], 4, True) == hard[:4]


def test_searches_agree_on_the_published_answers(puzzles: list[Puzzle]) -> None:
    """With what they drew when the file was made: then every position had the noise of seed 0."""
    two = [one for one in puzzles if one.line.kind == FIGHT and one.line.setting == "two"][:2]
    assert len(two) == 2
    for one in two:
        game = one.game.copy()
        game["noise"] = Game(one.ruleset, seed=0).state["noise"]
        found = agreed(judges_of(one.ruleset), one.ruleset, game)
        assert found is not None
        assert {Game.from_state(one.ruleset, one.game[0]).describe(found[0])} == one.answers


@pytest.mark.parametrize(("shares", "values", "answer"), [
    ([(0.2, 0.8), (0.3, 0.7)], (0.4, 0.5), 1),
    ([(0.2, 0.8), (0.7, 0.3)], (0.4, 0.5), None),  # another is chosen
    ([(0.2, 0.8), (0.45, 0.55)], (0.4, 0.5), None),  # the same, not clearly
    ([(0.2, 0.8), (0.3, 0.7)], (0.495, 0.5), None),  # the other is as good
    ([(0.01, 0.99), (0.02, 0.98)], (0.6, 0.5), 1),  # it looks better where it was hardly visited
])  # fmt: skip
def test_searches_agree_where_each_is_clear(
    shares: list[tuple[float, float]], values: tuple[float, float], answer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [Estimate(np.array([one]), None, np.array([values])) for one in shares]
    monkeypatch.setattr(agreement, "estimate_games", lambda agent, ruleset, game: given[agent])
    game = Game(Ruleset(2))
    judges: list = [agreement.Judge(f"search {place}", place, place) for place in range(2)]
    found = agreed(judges, game.ruleset, game.games)
    assert (None if found is None else found[0]) == answer
    assert found is None or [one.share for one in found[1]] == [max(one) for one in shares]
