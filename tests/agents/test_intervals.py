"""Intervals where several games are played on one deal."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.game_result import GameResult
from hansa_agents.intervals import Deals, interval
from hansa_agents.ratings import ratings_of, seat_shares
from hansa_env.play.result import wilson_interval

ONES = np.ones(240)


def lucky_games(rng: np.random.Generator, deals: int, rotations: int, luck: float) -> np.ndarray:
    """Wins of games; what there is to win on a deal lies up to `luck` beside one half."""
    chance = 0.5 + luck * rng.uniform(-1, 1, deals)
    return (rng.random((deals, rotations)) < chance[:, None]).ravel().astype(float)


@pytest.mark.parametrize(("deals", "rotations"), [(12, 20), (60, 4), (240, 1)])
@pytest.mark.parametrize("luck", [0.0, 0.4])
def test_intervals_hold_the_truth_however_much_deals_differ(deals: int, rotations: int, luck: float) -> None:
    rng, inside = np.random.default_rng(7), 0
    for _ in range(400):
        played = Deals.of(np.repeat(range(deals), rotations).tolist(), [("a", "b")] * deals * rotations)
        low, high = interval(lucky_games(rng, deals, rotations, luck), ONES, played)
        inside += low <= 0.5 <= high
    assert inside / 400 >= 0.93


def test_deals_that_say_as_much_as_their_games_leave_the_interval_as_it_is() -> None:
    """And fewer than five deals say nothing of how far deals differ."""
    wins = np.tile([1.0, 0.0], 120)
    plain = interval(wins, ONES)
    assert interval(wins, ONES, Deals.of(np.repeat(range(60), 4).tolist(), [("a", "b")] * 240)) == plain
    sorted_wins = np.sort(wins)
    assert interval(sorted_wins, ONES, Deals.of(np.repeat(range(4), 60).tolist(), [("a", "b")] * 240)) == plain
    low, high = interval(sorted_wins, ONES, Deals.of(np.repeat(range(6), 40).tolist(), [("a", "b")] * 240))
    assert high - low > 4 * (plain[1] - plain[0])


def test_how_far_deals_differ_is_judged_by_three_that_were_drawn() -> None:
    """Two, none and one of two games are won: 1 about the mean, as of a sample, times three deals over six games."""
    deals = Deals.of([0, 0, 1, 1, 2, 2], [("a", "b")] * 6)
    assert deals.variance(np.array([1.0, 1, 0, 0, 0, 1])) == pytest.approx(0.5)


def test_the_share_of_a_seat_goes_by_the_deals_too() -> None:
    """On three of six deals seat 0 wins all 40 games. The deals' sums lie 20 off their mean: a variance of 480, and 480 · 6/240
    over 1/4 is 48; as six deals say it, by Student's t and not by the normal law, times (2.5706 / 1.9600)²."""
    games = [
        GameResult(
            number, number // 40, ("a", "b"), ("a", "b"), "markers", 1, (0, 0), (0, 0), np.zeros((2, 7)),
            np.array([0, 1] if number < 120 else [1, 0]),
        )
        for number in range(240)
    ]  # fmt: skip
    effect = 48 * (2.570582 / 1.959964) ** 2
    for seat, agent in ((0, None), (0, "a"), (1, None)):
        share, *found = seat_shares(games, agent)[seat]
        assert share == 0.5 and found == pytest.approx(wilson_interval(120 / effect, 240 / effect), abs=1e-6)


def test_deals_are_compared_with_those_on_which_the_same_met() -> None:
    """An agent wins every game among weak ones and none among strong ones: that is no luck of the deals."""
    weak, strong = [("a", "weak")] * 120, [("strong", "a")] * 120
    wins = np.repeat([1.0, 0.0], 120)
    seeds = np.repeat(range(60), 4).tolist()
    assert interval(wins, ONES, Deals.of(seeds, weak + strong)) == interval(wins, ONES)
    alike = Deals.of(seeds, weak * 2)
    assert alike.freedom == 59 and np.ptp(interval(wins, ONES, alike)) > 1.9 * np.ptp(interval(wins, ONES))
    once = Deals.of([0, 0, 1, 1, 2, 2], [("a", "b"), ("b", "a"), ("a", "c"), ("a", "c"), ("a", "b"), ("a", "b")])
    assert [deals.tolist() for deals in once.kinds] == [[0, 2]] and once.count == 3, "the second is alone of its kind"
    rng = np.random.default_rng(0)
    draws = np.array([once.drawn(rng) for _ in range(50)])
    assert set(draws[:, 1]) == {1} and set(draws[:, 0]) == {0, 1, 2} and set(draws[:, 0] + draws[:, 2]) == {2}


def test_ratings_of_games_on_few_deals_are_less_certain() -> None:
    """On each deal one of two equal agents wins all ten games."""
    rng = np.random.default_rng(1)

    def played(deals: int) -> list[GameResult]:
        first = np.repeat(rng.random(deals) < 0.5, 240 // deals)
        games = []
        for number, (deal, wins) in enumerate(zip(np.repeat(range(deals), 240 // deals).tolist(), first)):
            ranks = np.array([0, 1] if wins else [1, 0])
            games.append(
                GameResult(number, deal, ("a", "b"), ("a", "b"), "markers", 1, (0, 0), (0, 0), np.zeros((2, 7)), ranks)
            )
        return games

    def width(games: list[GameResult]) -> float:
        rating = ratings_of(["a", "b"], games)["a"]
        return rating.high - rating.low

    assert width(played(24)) > 2.2 * width(played(240))
    held = 0
    for _ in range(40):
        rating = ratings_of(["a", "b"], played(24), resamples=60)["a"]
        held += rating.low <= 0 <= rating.high
    assert held >= 34
