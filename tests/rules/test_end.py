"""R7.1 and R7.8: how a game ends."""

import pytest

from tests.rules.scenario import FULL, THREE, after, all_in_offices, board, play, rule, see

#: Nine complete cities of square spaces, and Halle one space short of it.
NINE = {
    "bremen": "1t",
    "brunswick": "1t",
    "duisburg": "1t",
    "goslar": "1t",
    "kampen": "1t 2t",
    "hannover": "1t 2t",
    "hildesheim": "2t 1t",
    "lubeck": "2t 1t",
    "coellen": "2t 1t",
    "halle": "2t",
}
HALLE = {"quedlinburg/halle": "0t 0t 0t 0t"}


@rule("R7.1")
def test_twenty_prestige_ends_the_game_after_the_action():
    """The claim goes on to its choice, then nothing is played: not the second action, not the plate, not the next seat."""
    game = board(
        THREE,
        prestige={0: 19},
        offices={"minden": "0t"},
        posts={"hannover/minden": "0t 0t 0t", "kampen/osnabruck": "0t 0t"},
        plate={0: 1},
    )
    play(game, "claim hannover/minden")
    assert (game.over, game.asked, see(game, "prestige")) == (False, "reward", [20, 0, 0])
    play(game, "office hannover")
    assert see(game, "offices", "hannover") == ["0t", None]
    assert (game.over, game.reason, game.asked, game.seat, game.legal()) == (True, "prestige", "over", None, [])
    assert (see(game, "seat"), see(game, "turn"), see(game, "plate")) == (None, 0, [0, 0, 0])


@rule("R7.1")
def test_nineteen_is_not_enough():
    """The same with one less."""
    game = board(THREE, prestige={0: 18}, offices={"minden": "0t"}, posts={"hannover/minden": "0t 0t 0t"})
    play(game, "claim hannover/minden", "office hannover")
    assert (game.over, game.reason, see(game, "prestige")) == (False, None, [19, 0, 0])


@rule("R7.1")
def test_any_player_at_twenty():
    """Seat 1 is brought to 20 by seat 0's claim of a route at its city."""
    game = board(THREE, prestige={1: 19}, offices={"minden": "1t"}, posts={"hannover/minden": "0t 0t 0t"})
    play(game, "claim hannover/minden", "done")
    assert (game.over, game.reason, see(game, "turn")) == (True, "prestige", 0)
    assert game.winners() == [1]


@rule("R7.1")
def test_the_coin_of_an_office_ends_it_too():
    """The twentieth point is Coellen's coin."""
    game = board(THREE, prestige={0: 19}, posts={"coellen/warburg": "0t 0t 0t 0t"})
    play(game, "claim coellen/warburg")
    assert not game.over
    play(game, "office coellen")
    assert (game.over, game.reason, see(game, "prestige")) == (True, "prestige", [20, 0, 0])


@rule("R7.1", "R5.3")
def test_an_empty_pile_ends_the_game_when_a_replacement_is_due():
    """The marker is taken, the choice made, then it is over."""
    game = board(THREE, pile=0, posts={"bremen/osnabruck": "0t 0t 0t"})
    play(game, "claim bremen/osnabruck")
    assert (game.over, game.asked) == (False, "reward")
    play(game, "office osnabruck")
    assert (game.over, game.reason) == (True, "markers")
    assert (see(game, "markers", 0), see(game, "plate"), see(game, "pile")) == (["exchange"], [0, 0, 0], 0)
    assert [row[2] for row in game.scores()] == [1, 0, 0]


@rule("R7.1", "R5.3")
def test_the_last_marker_of_the_pile_does_not_end_it():
    """It is drawn; only a replacement that is missing ends the game. A claim without a marker never does."""
    game = board(THREE, pile=1, posts={"bremen/osnabruck": "0t 0t 0t"})
    play(game, "claim bremen/osnabruck", "office osnabruck")
    assert (game.over, see(game, "plate"), see(game, "pile")) == (False, [1, 0, 0], 0)
    game = board(THREE, pile=0, posts={"hannover/minden": "0t 0t 0t"})
    play(game, "claim hannover/minden", "office hannover")
    assert not game.over


@rule("R7.1", "R5.6")
def test_ten_completed_cities_end_the_game():
    """Halle is the tenth."""
    game = board(THREE, offices=NINE, posts=HALLE, abilities={0: {"privilege": 1}, 1: FULL, 2: FULL})
    assert see(game, "completed") == 9
    play(game, "claim quedlinburg/halle")
    assert not game.over
    play(game, "office halle")
    assert (game.over, game.reason, see(game, "completed"), game.seat) == (True, "cities", 10, None)


@rule("R7.1")
def test_nine_completed_cities_do_not():
    """Halle is the ninth."""
    offices = {city: row for city, row in NINE.items() if city != "bremen"}
    game = board(THREE, offices=offices, posts=HALLE, abilities={0: {"privilege": 1}, 1: FULL, 2: FULL})
    play(game, "claim quedlinburg/halle", "office halle")
    assert (game.over, see(game, "completed"), game.seat) == (False, 9, 0)


@rule("R7.1")
@pytest.mark.parametrize(
    ("prestige", "pile", "reason"), [(19, 0, "prestige"), (0, 0, "markers"), (19, 5, "prestige"), (0, 5, "cities")]
)
def test_the_first_reason_that_holds_is_named(prestige, pile, reason):
    """Prestige before markers before cities, all in one action; Halle's controller gains the point."""
    game = board(
        THREE,
        offices=NINE,
        posts=HALLE,
        abilities={0: {"privilege": 1}, 1: FULL, 2: FULL},
        prestige={2: prestige},
        pile=pile,
        route_markers={"quedlinburg/halle": "+3"},
    )
    play(game, "claim quedlinburg/halle", "office halle")
    assert (game.over, game.reason) == (True, reason)


@rule("R7.1")
def test_the_end_comes_in_the_middle_of_a_turn():
    """A marker in hand and two actions left lapse."""
    game = board(
        THREE,
        abilities={0: {"actions": 1}},
        markers={0: ["+4"]},
        prestige={0: 19},
        offices={"minden": "0t"},
        posts={"hannover/minden": "0t 0t 0t"},
    )
    play(game, "claim hannover/minden", "done")
    assert (game.over, game.legal()) == (True, [])
    assert (see(game, "markers", 0), see(game, "used", 0)) == (["+4"], [])


def nothing_left(**changes):
    """All pieces of all three seats in offices, on the Coellen table or on the desk: no supply, no stock, no posts."""
    return board(THREE, offices=all_in_offices(), spaces={7: 0, 8: 1, 9: 2}, **changes)


@rule("R7.8")
def test_nobody_can_do_anything():
    """Every seat's turn passes without a decision: the game is over, stalled."""
    game = nothing_left()
    assert (game.over, game.reason, game.seat, game.legal()) == (True, "stalled", None, [])
    assert see(game, "supply") == see(game, "stock") == [[0, 0]] * 3
    assert see(game, "completed") == 3


@rule("R7.8", "R2.1")
def test_seats_without_a_decision_are_passed_over():
    """Seat 1 alone can act, by a marker; the game goes on, and ends once that is used up."""
    game = nothing_left(markers={1: ["+3", "upgrade"]})
    assert (game.over, game.seat, game.asked) == (False, 1, "act")
    assert set(game.legal()) == {"done", "+3", *(f"develop {name}" for name in FULL)}
    play(game, "+3", "done")
    assert (game.over, game.seat, see(game, "actions_left")) == (False, 1, 2)
    assert after(game, "develop") == sorted(FULL)
    play(game, "develop keys")
    assert "place trader stade/hamburg" in game.legal()
