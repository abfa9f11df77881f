"""The arena's bookkeeping, and the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents import Agent, make_agent
from hansa_agents.arena import MatchError, line_ups, play_game, play_match
from hansa_agents.results import interval
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app


def test_line_ups_seat_every_agent_equally_often():
    for names in (["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]):
        for players in range(len(names), 6):
            tables = line_ups(names, players)
            assert len(set(tables)) == len(tables)
            for seat in range(players):
                seated = [table[seat] for table in tables]
                assert len({seated.count(name) for name in names}) == 1


def test_line_ups_of_exact_and_short_lists():
    assert line_ups(["a", "b", "b"], 3) == [("a", "b", "b"), ("b", "b", "a"), ("b", "a", "b")]
    assert line_ups(["a", "a"], 2) == [("a", "a")]
    assert set(line_ups(["r", "g"], 3)) == {tuple(x) for x in ("rgr", "grr", "rrg", "grg", "rgg", "ggr")}
    for wrong in ([], ["a"] * 4):
        with pytest.raises(MatchError, match="agents for 3 players"):
            line_ups(wrong, 3)


def test_intervals_go_by_games():
    ones = np.ones(200, int)
    low, high = interval(np.array([1.0] * 50 + [0.0] * 50), ones[:100])
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert interval(np.zeros(10), ones[:10])[0] == 0.0 and interval(np.ones(10), ones[:10])[1] == 1.0
    assert 0.98 < interval(np.ones(200), ones)[0] < 1.0
    wins, seats = np.array([0.5, 0.0, 1.0, 1.5] * 50), np.array([1, 1, 2, 2] * 50)
    low, high = interval(wins, seats)
    assert low < 0.5 < high < low + 0.12


class Watcher(Agent):
    """Plays like random, and notes which rows it was given."""

    def __init__(self, ruleset, name, sees):
        self.name, self.sees = name, sees
        self.random = make_agent("random", ruleset)
        self.decisions = 0

    def act(self, inputs, masks, seats):
        self.decisions += len(inputs)
        assert len(inputs) == len(masks) == len(seats) and masks.any(axis=1).all()
        if self.sees == "observations":
            assert inputs.dtype == np.int8 and inputs.ndim == 2
            return masks.argmax(axis=1)
        return self.random.act(inputs, masks, seats)


def test_a_match_counts_games_seats_and_decisions():
    ruleset = Ruleset(3)
    agents = [Watcher(ruleset, "one", "games"), Watcher(ruleset, "two", "observations")]
    match = play_match(agents, ruleset, 10, max_turns=4)
    assert match.games == 12 and len(match.line_ups) == 6  # rounded up to equal numbers
    assert match.truncated == 12
    assert [row.seats for row in match.rows] == [18, 18]
    assert sum(row.share * row.seats for row in match.rows) == pytest.approx(12)
    assert sum(row.mean_rank * row.seats for row in match.rows) == pytest.approx(12 * 6)
    assert match.decisions == sum(agent.decisions for agent in agents) - 2  # each decided once to warm up
    assert match.chance == 1 / 3


def test_two_agents_of_one_class_stay_apart():
    """Without names of their own, or with the same: each plays, in rows of its own; one object twice is one agent."""
    ruleset = Ruleset(3)
    greedy, random = make_agent("greedy", ruleset), make_agent("random", ruleset)

    class Playing(Agent):
        def __init__(self, plays):
            self.plays, self.decisions = plays, 0

        def act(self, inputs, masks, seats):
            self.decisions += len(inputs)
            return self.plays.act(inputs, masks, seats)

    strong, weak = Playing(greedy), Playing(random)
    match = play_match([strong, weak], ruleset, 24, seed=2, max_turns=40)
    assert match.agents == ("Playing", "Playing (2)") == tuple(row.agent for row in match.rows)
    assert match.rows[0].share > 0.5 > match.rows[1].share, "the first is the greedy one"
    assert strong.decisions > 100 and weak.decisions > 100
    assert {name for result in match.results for name in result.agents} == set(match.agents)
    game = play_game([strong, weak, strong], ruleset, max_turns=2)
    assert game.agents == ["Playing", "Playing (2)", "Playing"]
    assert len(play_match([strong, strong], ruleset, 2, max_turns=1).rows) == 1


def test_an_agent_that_sees_everything_is_marked():
    oracle = make_agent("random", Ruleset(3))
    oracle.oracle, oracle.name = True, "seer"
    match = play_match([oracle, "random"], Ruleset(3), 6, max_turns=1)
    assert match.agents == ("seer (oracle)", "random")


def test_matches_repeat_and_do_not_depend_on_batches(monkeypatch):
    def play():
        return play_match(["greedy", "random"], Ruleset(3), 30, seed=9, max_turns=20)

    first, again = play(), play()
    monkeypatch.setattr("hansa_agents.arena.ROWS", 7)
    assert first.rows == again.rows == play().rows


def test_a_match_needs_games():
    with pytest.raises(MatchError, match="games is 0"):
        play_match(["random"], Ruleset(3), 0)


def run(*words):
    words = [str(word) for word in words]
    if words[0] in ("arena", "record") and "--players" not in words:
        words += ["--players", "3"]
    return CliRunner().invoke(app, words)


def test_cli_arena_prints_a_row_per_agent():
    result = run("arena", "random", "greedy", "--games", 12, "--max-turns", 10, "--no-progress")
    assert result.exit_code == 0
    assert all(text in result.output for text in ("random", "greedy", "33.3%", "12 games", "decisions/s"))
    result = run("arena", "--hero", "greedy", "--field", "random", "-n", 3, "--max-turns", 5, "--no-progress")
    assert result.exit_code == 0 and "3 games" in result.output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["arena", "nobody"], "unknown agent 'nobody'"),
        (["arena", "greedy:x"], "takes no argument"),
        (["arena", "greedy", "--players", 6], "players is 6"),
        (["arena", "greedy", "--edition", "third"], "unknown edition 'third'"),
        (["arena", "greedy", "--board", "moon"], "unknown board 'moon'"),
        (["arena", "greedy", "--two-players", "pawn"], "two_players is 'pawn' with 3 players"),
        (["arena", *["greedy"] * 4], "4 agents for 3 players"),
        (["arena", "greedy", "--games", 0], "games is 0"),
        (["arena", "greedy", "--max-turns", -1], "max_turns is -1"),
        (["arena"], "--hero and --field"),
        (["arena", "greedy", "--hero", "greedy", "--field", "random"], "--hero and --field"),
        (["arena", "--hero", "greedy"], "--hero and --field"),
        (["info", "--players", 1], "players is 1"),
        (["record", "greedy", "random"], "2 agents for 3 seats"),
        (["record", "random", "--max-turns", 1, "--out", "/no/such/folder/game.json"], "No such file"),
        (["replay", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_cli_refuses_in_one_line(words, reason):
    result = run(*words)
    assert result.exit_code == 2
    assert reason in result.output and "Traceback" not in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_cli_info():
    result = run("info", "--players", 4)
    assert result.exit_code == 0 and "164 actions" in result.output and "107 posts" in result.output
    result = run("rulesets")
    assert result.exit_code == 0 and "base-4-5" in result.output


def test_cli_record_and_replay(tmp_path):
    file = tmp_path / "game.json"
    result = run("record", "greedy", "--players", 2, "--seed", 3, "--out", file)
    assert result.exit_code == 0 and "won by seat" in result.output
    assert "abilities" in result.output and "…" not in result.output
    data = json.loads(file.read_text())
    assert Game.from_record(data).record() == data
    result = run("replay", file)
    assert result.exit_code == 0 and "replays as it is written" in result.output


@pytest.mark.parametrize("damage", ["cut", "format", "decision", "result", "empty", "list", "binary"])
def test_cli_refuses_broken_records(tmp_path, damage):
    file = tmp_path / "game.json"
    assert run("record", "greedy", "--seed", 3, "--out", file).exit_code == 0
    text = file.read_text()
    data = json.loads(text)
    if damage == "format":
        data["format"] = "chess/1"
    elif damage == "decision":
        data["decisions"][5][1] = "claim atlantis/avalon"
    elif damage == "result":
        data["result"]["winners"] = [0, 1, 2]
    whole = json.dumps([data] if damage == "list" else data)
    file.write_bytes({"cut": text[:1000].encode(), "empty": b"", "binary": b"\xff\xfe\x00"}.get(damage, whole.encode()))
    result = run("replay", file)
    assert result.exit_code == 2 and str(file) in result.output
    assert "Traceback" not in result.output
