"""What can be taken back once something hidden has been seen: of a game of people, only what all of them agree to."""

from __future__ import annotations

import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.play.people import PERSON
from hansa_env.play.session import Session
from hansa_env.play.take_back import NotAgreed, has_to_agree, shows_more, stands_after

THREE = Ruleset(3)


@pytest.fixture(scope="module")
def whole() -> Game:
    return play_game(["greedy"], THREE, seed=3)


def first_marker(game: Game) -> int:
    """How many decisions stand before the first time that a marker from the pile is laid."""
    return next(number for number, move in enumerate(game.moves()) if move.asked == "marker")


def test_the_last_decision_of_a_person_is_found_behind_those_of_agents() -> None:
    assert stands_after([0, 0, 1, 2, 2], people={0, 1}, held={1}) == 2
    assert stands_after([0, 0, 1, 2, 2], people={0, 1}, held={0}) is None
    assert stands_after([0, 0, 2], people={0, 1}, held={0, 1}) == 1
    assert stands_after([2, 2], people={0}, held={0}) is None and stands_after([], people={0}, held={0}) is None


def test_a_marker_shows_when_it_is_laid_and_the_rest_at_the_end(whole: Game) -> None:
    """A marker that a claim draws lies face down on its plate."""
    laid, game = 0, whole.rewound(0)
    for move in whole.moves():
        before = game.copy()
        game.play(move.text)
        seen = int((game.state["pile"] < 0).sum() - (before.state["pile"] < 0).sum())
        assert shows_more(before.state, game.state) == (seen > 0 or game.over)
        assert seen == 0 or (before.state["route_marker"] != game.state["route_marker"]).any()
        laid += move.asked == "marker"
        assert move.asked != "marker" or seen > 0
    assert laid > 3 and game.over and shows_more(whole.rewound(len(whole.decisions) - 1).state, game.state)


def test_who_has_to_agree(whole: Game) -> None:
    number = first_marker(whole)
    before, after = whole.rewound(number).state, whole.rewound(number + 1).state
    assert has_to_agree(before, after, {0, 1, 2}, 1) == {0, 2}
    assert has_to_agree(before, after, {1}, 1) == frozenset(), "who plays alone asks nobody"
    assert has_to_agree(before, before, {0, 1, 2}, 1) == frozenset()


def test_people_take_back_alone_what_showed_nothing(whole: Game) -> None:
    number = first_marker(whole)
    seat = whole.decisions[number][0]
    specs = ["greedy"] * 3
    specs[seat] = PERSON
    specs[(seat + 2) % 3] = "person:Ben"
    table = Session(whole.rewound(number), specs)
    assert table.asked_person == seat
    table.play(whole.decisions[number][1])
    assert table.asked_person is None, "an agent is asked next"
    with pytest.raises(NotAgreed, match=f"seat {(seat + 2) % 3} has to agree") as wanted:
        table.undo()
    assert len(table.moves) == number + 1
    with pytest.raises(NotAgreed):
        table.undo({seat})
    move = table.undo(wanted.value.seats)
    assert move is not None and move.asked == "marker" and len(table.moves) == number


def test_who_plays_against_agents_alone_asks_nobody(whole: Game) -> None:
    number = first_marker(whole)
    specs = ["greedy"] * 3
    specs[whole.decisions[number][0]] = PERSON
    table = Session(whole.rewound(number + 1), specs)
    assert table.undo() is not None and len(table.moves) == number
