"""R7.2-R7.7 and R7.9: the final score and the winners."""

import pytest

from hansa_env import Ruleset
from tests.rules.scenario import THREE, board, play, rule

KINDS = ["upgrade", "+3", "+4", "exchange", "remove-three", "upgrade", "+3", "+4", "exchange", "extra-office",
         "extra-office", "upgrade", "exchange", "remove-three"]  # fmt: skip


@rule("R7.3")
@pytest.mark.parametrize(
    ("desk", "points"),
    [
        ({}, 0),
        ({"keys": 4}, 0),
        ({"actions": 5}, 4),
        ({"privilege": 3}, 4),
        ({"book": 3}, 4),
        ({"bank": 3}, 4),
        ({"actions": 4, "privilege": 2, "book": 2, "bank": 2}, 0),
        ({"actions": 5, "privilege": 3, "book": 3, "bank": 3, "keys": 4}, 16),
    ],
)
def test_fully_developed_abilities(desk, points):
    """4 each, keys none, nothing for a track that is nearly bare."""
    assert [row[1] for row in board(THREE, abilities={1: desk}).scores()] == [0, points, 0]


@rule("R7.4", "R6.1")
@pytest.mark.parametrize(
    ("taken", "points"),
    [(0, 0), (1, 1), (2, 3), (3, 3), (4, 6), (5, 6), (6, 10), (7, 10), (8, 15), (9, 15), (10, 21), (11, 21), (14, 21)],
)
def test_markers_taken(taken, points):
    """Used or not; the markers of others, those on routes and on the plate do not count."""
    held = KINDS[:taken]
    game = board(THREE, markers={2: held[::2]}, used={2: held[1::2]}, route_markers={}, plate={0: 1, 2: 1})
    assert [row[2] for row in game.scores()] == [0, 0, points]


@rule("R7.5")
def test_merchants_on_the_coellen_table():
    """The values of the spaces held, added."""
    game = board(THREE, spaces={7: 0, 8: 1, 9: 0, 11: 0}, abilities={0: {"book": 2}})
    assert [row[3] for row in game.scores()] == [7 + 9 + 11, 8, 0]


@rule("R7.6")
def test_controlled_cities():
    """2 each, by majority and by the tie rule, nothing for being second."""
    offices = {"minden": "0t 1t 1t", "hamburg": "0t 1t", "goslar": "0t", "munster": "2m 0t"}
    assert [row[4] for row in board(THREE, offices=offices).scores()] == [4, 4, 0]


@rule("R7.7")
@pytest.mark.parametrize(
    ("offices", "extras", "keys", "points"),
    [
        ({}, {}, 0, 0),
        ({"goslar": "0t"}, {}, 0, 1),
        ({"arnheim": "0t", "munster": "0m", "minden": "0t", "goslar": "0t"}, {}, 0, 3),
        ({"arnheim": "0t", "munster": "0m", "minden": "0t 1t 0t", "goslar": "0t"}, {}, 0, 4),
        ({"arnheim": "0t", "munster": "0m", "minden": "0t", "goslar": "0t"}, {"munster": "0t"}, 0, 4),
        ({"arnheim": "0t", "minden": "0t", "munster": "1m"}, {}, 0, 1),
        ({"goslar": "0t", "magdeburg": "0m", "hamburg": "0t 0t 0t"}, {}, 0, 3),
        ({"goslar": "0t", "magdeburg": "0m", "hamburg": "0t 0t"}, {}, 1, 4),
        ({"arnheim": "0t", "munster": "0m", "minden": "0t"}, {}, 3, 9),
        ({"arnheim": "0t", "munster": "0m", "minden": "0t"}, {}, 4, 12),
        ({"stade": "1m", "groningen": "1t", "emden": "2m"}, {"emden": "0t", "groningen": "0t"}, 0, 2),
        ({"lubeck": "0t", "stade": "0m", "hamburg": "1t"}, {}, 0, 1),
    ],
)
def test_largest_network(offices, extras, keys, points):
    """The most offices in one group of linked cities, every one counts, times the keys."""
    game = board(THREE, offices=offices, extras=extras, abilities={0: {"keys": keys}}, route_markers={})
    assert game.scores()[0][5] == points


@rule("R7.2")
def test_the_total():
    """Seat 0: 14 on the track, a full book, 4 markers, the space of 8, 2 cities, a network of 3 times 2."""
    game = board(
        THREE,
        prestige={0: 14, 1: 20, 2: 3},
        abilities={0: {"book": 3, "keys": 1}},
        markers={0: ["upgrade"], 1: ["+3"]},
        used={0: ["+3", "+4", "exchange"]},
        spaces={8: 0},
        offices={"hannover": "0t", "minden": "0t 0t 1t", "duisburg": "1t"},
    )
    assert game.scores() == [
        [14, 4, 6, 8, 4, 6, 42],
        [20, 0, 1, 0, 2, 1, 24],
        [3, 0, 0, 0, 0, 0, 3],
    ]


@rule("R7.9")
def test_most_points_win():
    """Not the one who ended the game on the track."""
    posts = {"hannover/minden": "0t 0t 0t"}
    game = board(THREE, prestige={0: 19, 1: 18}, spaces={11: 1}, offices={"minden": "0t"}, posts=posts)
    play(game, "claim hannover/minden", "done")
    assert [row[6] for row in game.scores()] == [23, 29, 0]
    assert (game.over, game.winners()) == (True, [1])


@rule("R7.9")
@pytest.mark.parametrize(("edition", "winners"), [("first", [0, 1]), ("second", [1]), ("fourth", [0, 1])])
def test_tie_by_actions(edition, winners):
    """Only the second edition asks for fewer actions per turn."""
    game = board(Ruleset(3, edition), prestige={0: 10, 1: 10, 2: 9}, abilities={0: {"actions": 1}})
    assert game.winners() == winners


@rule("R7.9")
@pytest.mark.parametrize(("edition", "winners"), [("first", [0, 1]), ("second", [0]), ("fourth", [0, 1])])
def test_tie_by_offices(edition, winners):
    """With equal actions, 3 and 3 by different pieces, more offices win: seat 0's one, worth 2 for control and 1."""
    game = board(
        Ruleset(3, edition),
        prestige={0: 7, 1: 10, 2: 9},
        offices={"duisburg": "0t"},
        abilities={0: {"actions": 2}, 1: {"actions": 1}},
    )
    assert [row[6] for row in game.scores()] == [10, 10, 9]
    assert game.winners() == winners


@rule("R7.9")
def test_actions_come_before_offices():
    """Seat 0 has the office, seat 1 fewer actions."""
    game = board(Ruleset(3, "second"), prestige={0: 7, 1: 10}, offices={"duisburg": "0t"}, abilities={0: {"actions": 1}})
    assert game.winners() == [1]


@rule("R7.9")
def test_extra_offices_are_offices_on_the_board():
    """Seat 0's extra office brings 1 for its marker and 1 for the network, and breaks the tie."""
    game = board(
        Ruleset(3, "second"),
        prestige={0: 8, 1: 10},
        offices={"duisburg": "2t"},
        extras={"duisburg": "0t"},
        route_markers={},
    )
    assert [row[6] for row in game.scores()] == [10, 10, 3]
    assert game.winners() == [0]


@rule("R7.9")
def test_an_unbroken_tie_is_shared():
    """Same points, actions and offices in the second edition; and all three in the others."""
    assert board(Ruleset(3, "second"), prestige={0: 5, 1: 5, 2: 4}).winners() == [0, 1]
    assert board(THREE, prestige={0: 5, 1: 5, 2: 5}).winners() == [0, 1, 2]
