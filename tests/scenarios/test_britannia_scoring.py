"""Scenarios 37 to 39: the ranking in Wales and Scotland (R10.16 to R10.18)."""

import pytest

from tests.rules.scenario import rule

from .positions import position

CONTROL, REGIONS = 4, 6  # columns of the scores


def regions(game):
    return [row[REGIONS] for row in game.scores()]


TWO_LEVEL = {"conway": "0t 0t", "pembroke": "1t 1t", "montgomery": "1t"}


@rule("R10.16")
@pytest.mark.parametrize(
    ("more", "points"),
    [
        ({"chester": "0t", "cardiff": "2t"}, [5, 5, 2]),
        ({"chester": "2t 0t"}, [5, 5, 2]),  # seat 2 controls nothing, but has an office
        ({"chester": "0t"}, [5, 5, 0]),
    ],
)
def test_37_two_level_at_the_top(make_game, more, points) -> None:
    game = make_game(*position("britannia-2-3", offices=TWO_LEVEL | more))
    assert regions(game) == points


@rule("R10.16", "D26")
@pytest.mark.parametrize(
    ("offices", "points"),
    [
        ({"conway": "0t", "pembroke": "1t", "montgomery": "2t"}, [4, 4, 4, 0]),
        ({"conway": "0t 0t", "pembroke": "1t", "montgomery": "2t"}, [7, 3, 3, 0]),
        ({"conway": "0t 0t", "chester": "0t", "pembroke": "1t 1t", "montgomery": "2t", "cardiff": "3t"}, [7, 4, 1, 1]),
        ({"conway": "0t", "pembroke": "1t", "montgomery": "2t", "cardiff": "3t"}, [3, 3, 3, 3]),
    ],
)
def test_38_other_ties_in_wales(make_game, offices, points) -> None:
    game = make_game(*position("britannia-4-5", players=4, offices=offices))
    assert regions(game) == points


def test_38_extra_offices_count(make_game) -> None:
    offices = {"conway": "0t", "pembroke": "1t"}
    game = make_game(*position("britannia-2-3", offices=offices, extras={"conway": "0t"}))
    assert regions(game) == [7, 4, 0]


@rule("R10.17", "R10.18")
def test_39_the_isle_of_man_counts_for_both(make_game) -> None:
    game = make_game(*position("britannia-4-5", players=4, offices={"isle-of-man": "0m"}))
    assert regions(game) == [14, 0, 0, 0]
    assert game.scores()[0][CONTROL] == 2
    assert [len(row) for row in game.scores()] == [9] * 4


@rule("R10.17")
def test_39_every_city_of_scotland_counts(make_game) -> None:
    scotland = ("glasgow", "edinburgh", "dunbar", "falkirk")
    for city in scotland:
        game = make_game(*position("britannia-4-5", players=4, offices={city: "1t"}))
        assert regions(game) == [0, 7, 0, 0], city
    game = make_game(*position("britannia-4-5", players=4, offices=dict.fromkeys(scotland[:2], "1t") | {"falkirk": "2t"}))
    assert regions(game) == [0, 7, 4, 0]
