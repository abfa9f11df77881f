"""The arena's bookkeeping."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from hansa_agents import Agent, make_agent
from hansa_agents.arena import Compute, Faults, Keep, MatchError, line_ups, play_game, play_match
from hansa_agents.entrants import entrants
from hansa_agents.line_ups import orders
from hansa_agents.match_workers import LEAST_ROWS
from hansa_agents.results import interval
from hansa_agents.schedule import Schedule
from hansa_env import Game, Ruleset


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
    with pytest.raises(MatchError, match="0 agents"):
        line_ups([], 3)


def test_more_agents_than_seats_meet_in_every_choice():
    tables = line_ups(["a", "b", "c", "d"], 3)
    assert len(tables) == 12 and {frozenset(table) for table in tables} == {frozenset(x) for x in ("abc", "abd", "acd", "bcd")}
    for seat in range(3):
        assert sorted(table[seat] for table in tables) == sorted("abcd" * 3)


@pytest.mark.parametrize("names", ["abcde", "abcda", "abc", "ab"])
def test_the_tables_of_one_agent_are_those_among_all_in_the_same_order(names: str) -> None:
    for one in names:
        assert line_ups(names, 3, one) == [table for table in line_ups(names, 3) if one in table]


def test_more_tables_than_can_be_played_are_refused_before_they_are_made() -> None:
    many = range(1001)
    with pytest.raises(MatchError, match=r"1001 agents come to 500,500 tables; expected at most 500,000: name fewer, or"):
        line_ups(many, 2)
    assert len(line_ups(many, 2, featuring=7)) == 2 * 1000
    with pytest.raises(MatchError, match=r"1001 agents come to 499,500 tables; .* 333,333: leave some of them out"):
        line_ups(many, 3, featuring=7)


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("more", [0, 1, 3])
def test_in_the_end_everybody_has_sat_at_every_distance_behind_everybody(players: int, more: int) -> None:
    names, deals = "abcdefgh"[: players + more], len(orders(players))
    tables = line_ups(names, players)
    schedule = Schedule.of(tables, deals * len(tables), seed=7)
    for deal in range(deals):
        games = [schedule.seats(game) for game in range(schedule.games) if schedule.deal(game) == deal]
        assert sorted(map(sorted, games)) == sorted(map(sorted, tables)), "on every deal all meet"
        for seat in range(players):
            assert len({[table[seat] for table in games].count(name) for name in names}) == 1
    for distance in range(1, players):
        behind = Counter()
        for table in map(schedule.seats, range(schedule.games)):
            behind.update((table[seat], table[(seat + distance) % players]) for seat in range(players))
        assert len(behind) == len(names) * (len(names) - 1) and len(set(behind.values())) == 1


def test_a_match_of_very_many_games_lists_those_alone_that_are_played_next() -> None:
    schedule = Schedule.of(line_ups("ab", 2), 2_000_000, seed=0)
    tracemalloc.start()
    try:
        pieces = iter(schedule.pieces({0, 2}, 3))
        assert [next(pieces), next(pieces)] == [[1, 3, 4], [5, 6, 7]]
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
    assert list(Schedule.of(line_ups("ab", 2), 6, seed=0).pieces({1}, 2)) == [[0, 2], [3, 4], [5]]


@pytest.mark.parametrize(("names", "players"), [("ababc", 4), ("aaabb", 3), ("abaab", 4), ("ab", 4), ("abc", 5), ("aab", 5)])
def test_also_with_names_that_come_twice_every_seat_is_held_equally_often_on_every_deal(names: str, players: int) -> None:
    tables = line_ups(names, players)
    schedule = Schedule.of(tables, 7 * len(tables), seed=1)
    for deal in range(7):
        games = [schedule.seats(game) for game in range(schedule.games) if schedule.deal(game) == deal]
        for name in set(names):
            assert len({sum(table[seat] == name for table in games) for seat in range(players)}) == 1


def test_from_table_to_table_another_sits_behind_each() -> None:
    """On one deal: in every second table of three they sit the other way round."""
    schedule = Schedule.of(line_ups("abcd", 3), 12, seed=0)
    tables = ["".join(schedule.seats(game)) for game in range(12)]
    assert tables == ["abc", "bca", "cab", "adb", "bad", "dba", "acd", "cda", "dac", "bdc", "cbd", "dcb"]


def test_one_deal_on_another_seed_is_played_in_another_order() -> None:
    """So that whoever plays deal by deal, as on the ladder, comes to all orders."""
    tables = line_ups("abcd", 4)
    found = {Schedule.of(tables, 4, seed).seats(0) for seed in range(6)}
    assert found == {("a", *others) for others in permutations("bcd")}


def test_intervals_go_by_games():
    ones = np.ones(200, int)
    low, high = interval(np.array([1.0] * 50 + [0.0] * 50), ones[:100])
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert interval(np.zeros(10), ones[:10])[0] == 0.0 and interval(np.ones(10), ones[:10])[1] == 1.0
    assert 0.98 < interval(np.ones(200), ones)[0] < 1.0
    wins, seats = np.array([0.5, 0.0, 1.0, 0.75] * 50), np.array([1, 1, 2, 2] * 50)
    low, high = interval(wins, seats)
    assert low < 2.25 / 6 < high < low + 0.12


@pytest.mark.parametrize(
    ("games", "sole", "shared"), [(300, 0.005, 0.003), (1080, 0.995, 0.003), (60, 0.95, 0.03), (200, 0.3, 0.1)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(games, sole, shared):
    """Also near 0 and 1, and where some wins are shared."""
    rng, truth, inside = np.random.default_rng(1), sole + shared / 2, 0
    for _ in range(1000):
        wins = rng.choice([1.0, 0.5, 0.0], games, p=[sole, shared, 1 - sole - shared])
        low, high = interval(wins, np.ones(games))
        inside += low <= truth <= high
    assert inside / 1000 >= 0.935


def test_no_interval_holds_more_than_there_is_to_win():
    """Two of three seats in every second game: at most the whole win, and no more certain where one is shared."""
    wins, seats = np.ones(300), np.array([1, 2] * 150)
    assert interval(wins, seats)[1] == pytest.approx(1 / 1.5)
    wins[0] = 0
    assert interval(wins, seats)[1] < 1 / 1.5
    lost, half = np.zeros(1080), np.zeros(1080)
    half[0] = 0.5
    assert interval(lost, np.ones(1080))[1] < interval(half, np.ones(1080))[1]


def test_who_always_or_never_wins_may_still_do_otherwise():
    """Also with several seats a table: six games say the same of who lost them all as of who won them all."""
    two = np.full(6, 2)
    low, high = interval(np.zeros(6), two)
    assert low == 0 and high == pytest.approx(interval(np.zeros(6), two // 2)[1] / 2) and high > 0.15
    assert interval(np.ones(6), two) == pytest.approx((0.5 - high, 0.5))
    assert interval(np.zeros(6), np.array([1, 2] * 3))[1] == pytest.approx(high * 2 / 1.5)


def test_games_that_are_all_shared_may_still_be_otherwise():
    """As sure as games of which as large a part is won: two halves say what one win in two games does."""
    halves = np.full(2, 0.5)
    assert interval(halves, np.ones(2)) == pytest.approx(interval(np.array([0.0, 1.0]), np.ones(2)))
    assert interval(halves, np.full(2, 2)) == pytest.approx([one / 2 for one in interval(halves, np.ones(2))])
    low, high = interval(np.array([0.25, 0.5] * 50), np.array([1, 2] * 50))
    assert 0.15 < low < 0.25 < high < 0.35, "one seat, or two, among four that always tie"
    row = play_match(["random", "greedy"], Ruleset(2), 2, max_turns=3).rows[0]
    assert row.share == 0.5 and row.low < 0.1 and row.high > 0.9


def test_who_holds_every_seat_wins_for_certain():
    row = play_match(["random"], Ruleset(3), 6, max_turns=4).rows[0]
    assert row.low == row.high == row.share == pytest.approx(1 / 3)


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


def test_a_match_counts_games_seats_and_decisions(monkeypatch):
    monkeypatch.setattr("hansa_agents.match_workers.QUICK", float("inf"))  # however busy the machine is
    ruleset = Ruleset(3)
    agents = [Watcher(ruleset, "one", "games"), Watcher(ruleset, "two", "observations")]
    match = play_match(agents, ruleset, 10, max_turns=4)
    assert match.games == 12 and len(match.line_ups) == 6  # rounded up to equal numbers
    assert match.truncated == 12
    assert [row.seats for row in match.rows] == [18, 18]
    assert sum(row.share * row.seats for row in match.rows) == pytest.approx(12)
    assert sum(row.mean_rank * row.seats for row in match.rows) == pytest.approx(12 * 6)
    taken = [agent.decisions - (2 + LEAST_ROWS) for agent in agents]  # each was timed before
    assert [row.decisions for row in match.rows] == taken and match.decisions == sum(taken)
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
    seer = make_agent("random", Ruleset(3))
    seer.sees_hidden, seer.name = True, "seer"
    match = play_match([seer, "random"], Ruleset(3), 6, max_turns=1)
    assert match.agents == ("seer (oracle)", "random")


def test_matches_repeat_and_do_not_depend_on_batches(monkeypatch):
    def play():
        return play_match(["greedy", "random"], Ruleset(3), 30, seed=9, max_turns=20)

    first, again = play(), play()
    monkeypatch.setattr("hansa_agents.match_workers.MOST_ROWS", 7)
    assert played(first) == played(again) == played(play())


def played(match):
    """What does not depend on the machine."""
    return [(r.number, r.seed, r.agents, r.reason, r.decisions, r.scores.tolist(), r.ranks.tolist()) for r in match.results]


def test_games_do_not_depend_on_how_many_are_played():
    few = play_match(["greedy", "random"], Ruleset(3), 12, seed=9, max_turns=20)
    many = play_match(["greedy", "random"], Ruleset(3), 30, seed=9, max_turns=20)
    assert played(few) == played(many)[:12]
    deals = {}
    for result in many.results:
        deals.setdefault(result.seed, []).append(result.agents)
    assert len(deals) == 5 and all(len(set(line_ups)) == 6 for line_ups in deals.values()), "each line-up on each deal"
    game = Game(Ruleset(3), seed=many.results[0].seed)
    assert game.setup == play_game(["random"], Ruleset(3), seed=many.results[0].seed).setup


def test_agents_of_one_class_or_spec_stay_apart():
    ruleset = Ruleset(3)
    agents = [Watcher(ruleset, "same", "games") for _ in range(3)]
    match = play_match(agents, ruleset, 3, max_turns=2)
    assert match.agents == ("same", "same (2)", "same (3)") and all(agent.decisions > 4 for agent in agents)
    match = play_match(["one=random", "two=random", "random"], ruleset, 3, max_turns=2)
    assert match.agents == ("one", "two", "random") and match.results[0].specs == ("random",) * 3
    with pytest.raises(MatchError, match="two agents are called 'greedy'"):
        play_match(["greedy", "greedy=random"], ruleset, 3)


def test_a_match_needs_games():
    with pytest.raises(MatchError, match="games is 0"):
        play_match(["random"], Ruleset(3), 0)


def test_with_the_highest_seed_the_agents_count_on_from_0() -> None:
    first, second = play_match(["random", "other=random"], Ruleset(2), 2, 2**64 - 1, max_turns=4).results
    assert first.seed == second.seed and [one.seed for one in entrants(["a", "b", "c"], 2**64 - 2)[0]] == [
        2**64 - 2,
        2**64 - 1,
        0,
    ]
    with pytest.raises(ValueError, match=rf"^seed is {2**64}; expected"):
        entrants(["random"], 2**64)


@pytest.mark.parametrize("seed", [np.int64(4), np.uint8(4), np.random.default_rng(0).integers(4, 5)], ids=repr)
def test_a_seed_of_numpy_is_the_same_seed(seed: np.integer) -> None:
    """Also to agents that draw numbers, who would else be blamed for it."""
    ruleset = Ruleset(3)
    given, usual = (play_match(["random", "greedy"], ruleset, 6, one, max_turns=4) for one in (seed, 4))
    for result, other in zip(given.results, usual.results, strict=True):
        assert (result.scores == other.scores).all() and result.seed == other.seed and type(result.seed) is int
    assert play_game(["random"], ruleset, seed, 4).record() == play_game(["random"], ruleset, 4, 4).record()


def test_a_single_agent_may_stand_alone() -> None:
    match = play_match("greedy", Ruleset(3), 3, max_turns=3)
    assert match.agents == ("greedy",) and match.games == 3
    assert play_game("greedy", Ruleset(3), 5, 3).agents == ["greedy"] * 3


@pytest.mark.parametrize(
    ("options", "text"),
    (
        ({"seed": None}, "seed is None; expected a whole number"),
        ({"seed": -1}, "seed is -1; expected"),
        ({"games": 2.5}, "games is 2.5; expected a whole number of at least 1"),
        ({"games": "3"}, "games is '3'; expected"),
        ({"ruleset": 3}, "ruleset is 3; expected a Ruleset"),
    ),
)
def test_what_is_wrong_with_an_argument_is_said_by_its_name(options: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        play_match(["random"], **{"ruleset": Ruleset(3), **options})


@pytest.mark.parametrize(
    ("options", "attributes", "text"),
    (
        (Faults, {"timeout": "x"}, "timeout is 'x'; expected seconds above 0"),
        (Compute, {"processes": "2"}, "processes is '2'; expected a whole number"),
        (Compute, {"processes": 0}, "processes is 0; expected a whole number of at least 1"),
        (Keep, {"actions": "yes"}, "actions is 'yes'; expected True, False or"),
        (Keep, {"actions": -4}, "actions is -4; expected"),
    ),
)
def test_an_option_says_what_is_wrong_before_a_match_begins(options: type, attributes: dict, text: str) -> None:
    with pytest.raises(MatchError, match=text):
        options(**attributes)


def test_a_match_prints_a_line_for_each_agent() -> None:
    match = play_match(["greedy", "random"], Ruleset(3), 12, max_turns=5)
    title, *lines = str(match).splitlines()
    assert title == "12 games of 3 players, fourth edition, board base-2-3" and [line.split()[0] for line in lines] == [
        "greedy", "random",
    ]  # fmt: skip
    assert f"{match.rows[0].share:.1%} of the win a seat" in lines[0] and len(repr(match)) < 100
