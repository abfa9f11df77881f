"""Ratings against a known answer: games drawn from the model itself."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hansa_agents import ratings
from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.ratings import SCALE, anchor_of, head_to_head, ratings_of, seat_shares
from hansa_agents.report import csv_of, notes, parts, print_match
from hansa_agents.results import Match
from hansa_env import Ruleset
from hansa_env.play.result import wilson_interval


def game(number: int, agents: tuple[str, ...], ranks: list[int]) -> GameResult:
    zeros = (0,) * len(agents)
    return GameResult(number, number, agents, agents, "markers", 1, zeros, zeros, np.zeros((len(agents), 7)), np.array(ranks))


def drawn(strengths: dict[str, float], games: int, players: int, seed: int) -> list[GameResult]:
    """Games whose orders of finish are drawn seat by seat in proportion to strengths."""
    rng = np.random.default_rng(seed)
    tables = list(itertools.permutations(strengths, players))
    results = []
    for number in range(games):
        agents = tables[number % len(tables)]
        left, ranks = list(range(players)), [0] * players
        for place in range(players):
            chances = np.array([strengths[agents[seat]] for seat in left])
            seat = left.pop(rng.choice(len(left), p=chances / chances.sum()))
            ranks[seat] = place
        results.append(game(number, agents, ranks))
    return results


STRENGTHS = {"random": 1.0, "a": 2.0, "b": 4.0, "c": 20.0}


@pytest.mark.parametrize("players", [2, 3])
def test_ratings_find_the_strengths_that_games_were_drawn_from(players):
    found = ratings_of(list(STRENGTHS), drawn(STRENGTHS, 6000, players, 1), resamples=10)
    assert found["random"].points == found["random"].low == found["random"].high == 0
    for agent, strength in STRENGTHS.items():
        assert found[agent].points == pytest.approx(SCALE * np.log(strength), abs=20)
    assert SCALE * np.log(10) == pytest.approx(400)


def test_neither_the_order_of_games_nor_that_of_agents_changes_anything():
    games = drawn(STRENGTHS, 60, 3, 1)
    found = ratings_of(list(STRENGTHS), games, resamples=20)
    again = ratings_of(list(STRENGTHS)[::-1], games[::-1], resamples=20)
    assert found == again and list(again) == list(STRENGTHS)[::-1]


def test_many_agents_take_no_more_memory_than_few_and_too_many_are_refused(monkeypatch):
    """A sample has a matrix of agents by agents."""
    rows = []

    def fit(model, weights, start):
        rows.append(len(weights))
        return np.zeros((len(weights), model.agents))

    monkeypatch.setattr(ratings._Model, "fit", fit)
    names = [f"{number}" for number in range(ratings.MOST_AGENTS + 1)]
    ratings_of(names[1:], [game(0, ("1", "2"), [0, 1])], resamples=200)
    assert sum(rows) == 201 and max(rows) * (len(names) - 1) ** 2 <= ratings.LARGEST
    with pytest.raises(MatchError, match="301 agents to rate; expected at most 300"):
        ratings_of(names, [])


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """95 % in theory; 93 % of 180 intervals of matches of 240 games did when it was measured."""
    held, widths, errors = [], [], []
    for seed in range(30):
        found = ratings_of(list(STRENGTHS), drawn(STRENGTHS, 240, 3, seed), resamples=100)
        for agent in "abc":
            rating, truth = found[agent], SCALE * np.log(STRENGTHS[agent])
            held.append(rating.low <= truth <= rating.high)
            widths.append(rating.high - rating.low)
            errors.append(rating.points - truth)
    assert np.mean(held) > 0.85
    assert np.mean(widths) < 6 * np.std(errors), "nor are they wider than need be"


def test_the_order_of_games_does_not_matter():
    results = drawn(STRENGTHS, 300, 3, 2)
    one, other = (ratings_of(list(STRENGTHS), games, resamples=2) for games in (results, results[::-1]))
    assert all(one[agent].points == pytest.approx(other[agent].points, abs=0.01) for agent in STRENGTHS)


def test_ties_and_one_sided_games():
    tied = [game(i, ("a", "b", "b"), [0, 0, 0]) for i in range(50)]
    assert all(rating.points == pytest.approx(0, abs=0.1) for rating in ratings_of(["a", "b"], tied, 10).values())
    lost = [game(i, ("a", "random"), [0, 1]) for i in range(50)]
    found = ratings_of(["a", "random"], lost, 10)
    assert 400 < found["a"].points < 2000 and found["random"].points == 0
    even = [game(i, ("a", "b"), [i % 2, 1 - i % 2]) for i in range(50)]
    assert ratings_of(["a", "b"], even, 50)["a"].low < 0 < ratings_of(["a", "b"], even, 50)["a"].high
    assert ratings_of(["a"], [game(0, ("a", "a"), [0, 1])], 10)["a"].points == 0
    assert ratings_of(["a", "b"], [], 10)["b"].points == 0


def test_head_to_head_and_seats():
    results = [game(0, ("a", "b", "b"), [0, 1, 2]), game(1, ("b", "a", "c"), [0, 1, 1]), game(2, ("c", "b", "a"), [2, 0, 1])]
    matrix = head_to_head(["a", "b", "c", "d"], results)
    assert matrix[0, 1] == 2 / 4 and matrix[1, 0] == 2 / 4
    assert matrix[0, 2] == 1.5 / 2 and matrix[2, 0] == 0.5 / 2
    assert np.isnan(np.diag(matrix)).all() and np.isnan(matrix[3]).all()
    assert seat_shares(results)[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3, 0])
    assert seat_shares(results, "a")[:, 0].tolist() == [1, 0, 0]
    assert np.isnan(seat_shares(results, "c")[1, 0])


def test_a_seat_that_always_won_may_yet_lose():
    """The interval of a seat is that of every other share."""
    results = [game(number, ("a", "b"), [0, 1]) for number in range(10)]
    for seat, wins in ((0, 10), (1, 0)):
        assert seat_shares(results)[seat].tolist() == [wins / 10, *wilson_interval(wins, 10)]
    assert 0 < seat_shares(results)[1, 2] < 0.3 and seat_shares(results)[1, 1] == 0
    printed = "\n".join(str(part.rows) for part in parts(Match.of(Ruleset(2), None, results)) if part.title == "Seats")
    assert "100.0% (72.2%–100.0%)" in printed and "0.0% (0.0%–27.8%)" in printed


def test_an_agent_may_be_called_all():
    """The table of seats has a line for all agents together."""
    results = [game(number, ("all", "b"), [0, 1]) for number in range(10)]
    (seats,) = [part for part in parts(Match.of(Ruleset(2), None, results)) if part.title == "Seats"]
    assert [name for name, _ in seats.rows] == ["all", "all", "b"] and seats.rows[0] != seats.rows[1]


def test_the_zero_is_the_agent_that_decides_at_random_whatever_it_is_called() -> None:
    lost = [replace(game(n, ("a", "r"), [0, 1]), specs=("greedy", "random")) for n in range(20)]
    assert ratings_of(["a", "r"], lost, 10)["r"].points == 0 and anchor_of(lost) == "r"
    named = [replace(one, agents=("a", "random"), specs=("random", "greedy")) for one in lost]
    assert ratings_of(["a", "random"], named, 10)["a"].points == 0 and anchor_of(named) == "a"
    assert anchor_of([replace(one, specs=("greedy", "greedy")) for one in lost]) is None
    both = [replace(one, specs=("random", "random")) for one in lost]
    assert anchor_of(both) == anchor_of([replace(one, agents=one.agents[::-1]) for one in both]) == "a", "in any order"
    assert "0 is r." in " ".join(notes(Match.of(Ruleset(2), None, lost)))


def test_an_agent_whose_games_all_came_out_alike_has_no_interval() -> None:
    match = Match.of(Ruleset(2), None, [game(n, ("a", "b"), [0, 1]) for n in range(20)])
    assert [cells[4] for _, cells in parts(match)[0].rows] == ["?", "?"]
    assert "?: all its games came out alike" in notes(match)[1]
    a = match.as_dict()["agents"][0]["rating"]
    assert a["points"] > 100 and (a["low"], a["high"]) == (None, None) and ",,," in csv_of(match)
    even = Match.of(Ruleset(2), None, [game(n, ("a", "b"), [n % 2, 1 - n % 2]) for n in range(20)])
    assert "?" not in str(parts(even)[0]) and "?" not in notes(even)[1]


def test_few_deals_for_many_games_are_told_of() -> None:
    games = [replace(game(n, ("a", "b"), [n % 2, 1 - n % 2]), seed=n // 20) for n in range(60)]
    match = Match.of(Ruleset(2), None, games)
    assert match.rows[0].deals == 3
    assert "Few different deals, so that the intervals say little about other deals: a (3), b (3)." in notes(match)
    assert not any("Few" in line for line in notes(Match.of(Ruleset(2), None, games[:20])))


def test_names_of_agents_are_shown_as_they_are(capsys):
    """Not as pictures or markup."""
    names = "bots:Robot:3", "x[/b]"
    match = Match.of(Ruleset(2), None, [game(0, names, [0, 1]), game(1, names, [1, 0])])
    print_match(match)
    output = capsys.readouterr().out
    assert all(name in output for name in names)
