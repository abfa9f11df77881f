"""Openings: what the command counts is what the games say, the same from the same seed, and what was played is not lost."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from hansa_agents.openings import play, published
from hansa_agents.openings.command import openings as command
from hansa_agents.openings.graph import first_decisions, leading_back, longest_ways, positions_of
from hansa_agents.openings.play import NOTHING, Begun, play_beginnings
from hansa_env import Game, Ruleset, make_agent
from hansa_env.formats.openings import Openings, Position, read_openings
from hansa_env.play.errors import AgentFault

RULES = Ruleset(2, "second")
DEPTH, LEAST = 10, 3


def begun(games: int = 40, seed: int = 1) -> Begun:
    agents = [make_agent(spec, RULES, 0) for spec in ("greedy", "scripted:link")]
    return play_beginnings(RULES, agents, games, seed, DEPTH, lambda done: None)[0]


@pytest.fixture(scope="module")
def some() -> Begun:
    return begun()


def counted(some: Begun) -> dict[str, dict[str, list]]:
    """The same told by games played one by one: by public position, its decisions with the games and wins of who took them."""
    found: dict[str, dict[str, list]] = defaultdict(dict)
    for row, seed in enumerate(some.seeds.tolist()):
        game = Game(RULES, seed)
        for action in some.actions[row].tolist():
            if action == NOTHING:
                break
            where, seat, text = json.dumps(game.position()), game.seat, game.describe(action)
            one = found[where].setdefault(text, [0, 0.0])
            one[0] += 1
            one[1] += float(some.wins[row, seat])
            game.play(text)
    return found


def test_positions_count_the_games_that_came_there_by_any_way(some: Begun) -> None:
    beginnings, positions = positions_of(RULES, some, LEAST)
    expected = {where: taken for where, taken in counted(some).items() if sum(n for n, _ in taken.values()) >= LEAST}
    assert len(positions) == len(expected) > 10
    met: dict[int, str] = {}

    def visit(number: int, game: Game) -> None:
        where = json.dumps(game.position())
        assert met.setdefault(number, where) == where, "one number is one position"
        one = positions[number]
        assert {taken.text: [taken.games, pytest.approx(taken.wins, abs=0.02)] for taken in one.taken} == expected[where]
        for taken in one.taken:
            if taken.next is not None:
                assert taken.next > number
                ahead = game.copy()
                ahead.play(taken.text)
                visit(taken.next, ahead)

    for beginning in beginnings:
        visit(beginning.position, Game(RULES, setup=beginning.setup))
    assert set(met.values()) <= set(expected) and len(met) > 10


def test_the_same_seed_gives_the_same_games_and_another_others(some: Begun) -> None:
    again, other = begun(), begun(seed=2)
    for field in Begun._fields:
        assert np.array_equal(getattr(some, field), getattr(again, field)), field
    assert not np.array_equal(some.seeds, other.seeds)


def test_what_was_played_before_it_was_stopped_is_kept(monkeypatch: pytest.MonkeyPatch, some: Begun) -> None:
    monkeypatch.setattr(play, "PART", 8)
    agents = [make_agent("greedy", RULES, 0)]

    def stop(done: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    stopped, failed = play_beginnings(RULES, agents, 40, 1, DEPTH, stop)
    assert len(stopped.seeds) == 16 and failed is None, "whole parts alone"
    with pytest.raises(KeyboardInterrupt):
        play_beginnings(RULES, agents, 40, 1, DEPTH, lambda done: stop(99))


def test_positions_that_nobody_comes_to_are_said(some: Begun) -> None:
    with pytest.raises(ValueError, match="no position was reached in 41 of 40 games"):
        positions_of(RULES, some, 41)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random"] * 21, "21 agents; a file of openings tells of 1 to 20: name fewer"),
        ([f"mixture:{'+'.join(['random'] * 28)}"], "has 203 characters; a file of openings tells of at most 200"),
        (["greedy", "random", "greedy"], "agent 'greedy' is named twice; expected each once"),
        (["random", "--least", "31"], "--least is 31, but 30 games will be played; expected at most as many as --games"),
    ],
)
def test_what_no_file_can_tell_is_refused_before_a_game_is_played(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "play_beginnings", lambda *_: pytest.fail("games are played"))
    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, [*words, "-p", "2", "--games", "30", "--out", str(tmp_path / "one.gz")])
    assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1, done.output


@pytest.mark.parametrize(
    ("error", "code", "why", "said"),
    [
        (KeyboardInterrupt(), 130, "stopped", "stopped; to play all games remove "),
        (AgentFault(1, "greedy", None, "is lost"), 2, "an agent failed", "error: "),
    ],
)
def test_a_command_that_ends_early_writes_the_parts_that_are_whole_and_says_so(
    error: BaseException, code: int, why: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object) -> tuple[Begun, AgentFault | None]:
        *others, on_played = given

        def stop(done: int) -> None:
            on_played(done)
            if done > 20:
                raise error

        return play_beginnings(*others, stop)

    monkeypatch.setattr(play, "PART", 8)
    monkeypatch.setattr(play, "play_beginnings", stopped)
    app = typer.Typer()
    app.command()(command)
    words = ["greedy", "-p", "2", "--games", "40", "--depth", "8", "--least", "3", "--out", str(tmp_path / "one.gz")]
    done = CliRunner().invoke(app, words)
    assert f"from 16 games of 40, then {why}" in done.stdout and "40 of 40" not in done.stderr, done.output
    assert done.exit_code == code and done.stderr.splitlines()[-1].startswith(said)
    assert read_openings(tmp_path / "one.gz").head.games == 16


@pytest.mark.parametrize(("least", "most", "taken"), [(40, 200_000, None), (1, 40, None), (3, 200_000, 3)])
def test_what_was_played_is_written_by_the_nearest_least_that_fits(
    least: int, most: int, taken: int | None, some: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hansa_agents.openings.graph.MOST_POSITIONS", most)
    monkeypatch.setattr(play, "play_beginnings", lambda *_: (some, None))
    app = typer.Typer()
    app.command()(command)
    words = ["greedy", "-p", "2", "--edition", "second", "--games", "40", "--depth", str(DEPTH), "--least", str(least)]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "one.gz")])
    assert done.exit_code == 0, done.output
    found = read_openings(tmp_path / "one.gz")
    assert 1 <= found.head.positions <= most
    if taken is None:
        assert f"note: written by --least {found.head.least} instead of {least}: " in done.stderr
        nearer = found.head.least + (1 if found.head.least < least else -1)
        with pytest.raises(ValueError, match=r"no position was reached|a file holds"):
            positions_of(RULES, some, nearer)
    else:
        assert found.head.least == taken and "note" not in done.stderr


def test_more_ways_to_begin_than_a_file_holds_are_said(some: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_agents.openings.graph.MOST_BEGINNINGS", 1)
    with pytest.raises(ValueError, match=r"\d ways to begin; a file holds 1: expected a larger --least"):
        positions_of(RULES, some, LEAST)


def test_the_command_writes_a_file_that_is_read(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(command)
    files = [tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"]
    for file in files:
        words = ["greedy", "scripted:link", "-p", "2", "--edition", "second", "--games", "30", "--depth", "8", "--least", "3"]
        done = CliRunner().invoke(app, [*words, "--seed", "4", "--out", str(file)])
        assert done.exit_code == 0, done.output
        assert "positions from 30 games" in done.stdout and "games a second" in done.stdout
    assert files[0].read_bytes() == files[1].read_bytes()
    found = read_openings(files[0])
    assert isinstance(found, Openings) and found.head.agents == ["greedy", "scripted:link"] and found.ruleset == RULES
    begins = [found.walk(number, []) for number in range(len(found.head.beginnings))]
    assert all(isinstance(one, Position) and one.games >= 3 for one in begins)


def test_a_position_comes_before_those_it_leads_to_by_whatever_way_it_was_reached() -> None:
    """2 is reached from 0 at once, or by 1 and 3; only games that came at once went on to 4."""
    before, after = np.array([0, 0, 1, 2, 3]), np.array([1, 2, 3, 4, 2])
    assert longest_ways(before, after, 6).tolist() == [0, 1, 3, 2, 4, 0]
    assert longest_ways(np.array([0, 1]), np.array([1, 0]), 2) is None


def test_only_what_leads_back_is_found() -> None:
    """From 2 by 0 and 3 back to 2; 3 also leads to itself, and 1, which both lead to, to nothing before it."""
    before, after = np.array([0, 0, 2, 2, 3, 3, 3]), np.array([1, 3, 0, 1, 1, 2, 3])
    assert leading_back(before, after, np.array([2, 0, 1, 3, 4])).tolist() == [False] * 5 + [True] * 2
    assert leading_back(before, after, np.array([3, 0, 1, 2, 4])).tolist() == [False, True] + [False] * 4 + [True]


def test_games_that_come_back_to_a_position_count_there_once_and_are_written(tmp_path: Path) -> None:
    games = 60
    some, _ = play_beginnings(RULES, [make_agent("random", RULES, 0)], games, 1, 40, lambda done: None)
    ways = [some.keys[row, :-1][some.actions[row] != NOTHING].tolist() for row in range(games)]
    assert any(len(set(way)) < len(way) for way in ways), "no game came back to a position"
    came = Counter(key for way in ways for key in set(way))
    for least in (1, 2, 3):
        _, positions = positions_of(RULES, some, least)
        assert sorted(one.games for one in positions) == sorted(count for count in came.values() if count >= least)
        assert all(taken.next is None or taken.next > at for at, one in enumerate(positions) for taken in one.taken)
    app = typer.Typer()
    app.command()(command)
    words = ["random", "-p", "2", "--edition", "second", "--games", "60", "--depth", "40", "--least", "2"]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "some.gz")])
    assert done.exit_code == 0, done.output
    assert read_openings(tmp_path / "some.gz").head.games == 60


def test_a_game_that_passed_at_first_and_then_began_counts_as_one_that_passed() -> None:
    keys = np.array([[5, 7, 5, 8], [5, 8, 9, 0]], np.uint64)
    actions = np.array([[1, 1, 2], [2, 3, NOTHING]], np.int16)
    begun = Begun(np.zeros(2, np.uint64), keys, actions, np.zeros((2, 3), np.int8), np.zeros((2, 2), np.float32))
    assert [found.tolist() for found in first_decisions(begun)] == [[0, 0, 1, 1], [0, 1, 0, 1]]


def test_the_files_that_come_with_the_project_hold_what_the_documents_say() -> None:
    assert [file.name for file in published()] == [f"{players}-players.jsonl.gz" for players in (2, 3, 4, 5)]
    for file in published():
        openings = read_openings(file)
        assert openings.head.games == 100_000 and openings.head.agents == ["ppo::sample"], file
        assert openings.ruleset == Ruleset(int(file.name[0]))
