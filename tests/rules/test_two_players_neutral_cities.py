"""R8.2.3-R8.2.5: neutral offices, neutral traders under replacement markers, neutral control."""

import pytest

from tests.rules.scenario import TWO_NEUTRAL, board, play, rule, see

FOUR_TRADERS = {0: (4, 0)}


@rule("R8.2.3")
def test_no_empty_space_no_neutral_office():
    """Goslar and Magdeburg are full: the controllers score, the route is cleared, nothing is asked."""
    posts = {"hildesheim/goslar": "nt", "goslar/magdeburg": "nt"}
    offices = {"goslar": "1t", "magdeburg": "1m 0t"}
    game = board(TWO_NEUTRAL, posts=posts, offices=offices, supply=FOUR_TRADERS, route_markers={})
    play(game, "displace", "route hildesheim/goslar", "put trader goslar/magdeburg")
    assert (game.seat, game.asked, see(game, "prestige")) == (1, "relocate", [1, 1])
    assert see(game, "posts", "goslar/magdeburg") == [None, None]
    assert (see(game, "offices", "goslar"), see(game, "offices", "magdeburg")) == (["1t"], ["1m", "0t"])
    assert see(game, "completed") == 2


@rule("R8.2.3", "R5.6")
def test_a_neutral_office_completes_a_city():
    """Duisburg's only space."""
    posts = {"arnheim/duisburg": "nt", "duisburg/dortmund": "nt"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS)
    play(game, "displace", "route arnheim/duisburg", "put trader duisburg/dortmund")
    twin = game.copy()
    play(game, "city duisburg")
    assert (see(game, "offices", "duisburg"), see(game, "completed")) == (["nt"], 1)
    play(twin, "city dortmund")
    assert (see(twin, "offices", "dortmund"), see(twin, "completed")) == (["nt", None], 0)


@rule("R8.2.3", "R8.2.5")
def test_the_neutral_player_gains_nothing():
    """Neither a coin, nor the point of a city that it controls."""
    posts = {"paderborn/warburg": "nt", "coellen/warburg": "nt nt nt"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS, offices={"warburg": "nt"})
    play(game, "displace", "route paderborn/warburg", "put trader coellen/warburg", "city coellen")
    assert see(game, "offices", "coellen") == ["nt", None]
    assert see(game, "prestige") == [0, 0]


@rule("R8.2.4", "R6.7")
def test_a_neutral_trader_comes_with_a_replacement_marker():
    """On the route where it is laid; a route with a neutral trader is no place for the next one."""
    game = board(TWO_NEUTRAL, plate={0: 2})
    play(game, "done")
    assert game.asked == "marker"
    assert "route stade/hamburg" not in game.legal()
    assert len(game.legal()) == 32 - 9
    play(game, "route kampen/arnheim")
    assert see(game, "posts", "kampen/arnheim") == ["nt", None, None]
    assert "route kampen/arnheim" not in game.legal()
    play(game, "route goslar/magdeburg")
    assert see(game, "posts", "goslar/magdeburg") == ["nt", None]
    assert game.seat == 1


@rule("R8.2.4")
def test_no_neutral_trader_while_the_marker_waits():
    """Nothing is put before the marker is."""
    game = board(TWO_NEUTRAL, plate={1: 1})
    play(game, "done")
    assert game.seat == 1
    assert sum(row.count("nt") for row in see(game, "posts").values()) == 9


@rule("R8.2.5", "R5.2")
@pytest.mark.parametrize(
    ("offices", "points"),
    [("0t nt", [0, 0]), ("nt 0t", [1, 0]), ("0t nt 1t nt", [0, 0]), ("nt nt 1t", [0, 0]), ("1t nt 1t", [0, 1])],
)
def test_neutral_offices_count_for_control(offices, points):
    """They take a tie from the right, and win by number; then nobody has the 2 points or the point of a claim."""
    game = board(TWO_NEUTRAL, offices={"minden": offices}, posts={"minden/brunswick": "0t 0t 0t 0t"})
    assert [row[4] for row in game.scores()] == [2 * point for point in points]
    play(game, "claim minden/brunswick")
    assert see(game, "prestige") == points


@rule("R8.2.5")
def test_the_neutral_player_never_wins():
    """Two rows of scores, whatever the neutral offices are worth."""
    offices = {"minden": "nt nt nt nt", "hamburg": "nt nt", "hannover": "nt"}
    game = board(TWO_NEUTRAL, offices=offices)
    assert game.scores() == [[0] * 7, [0] * 7]
    assert game.winners() == [0, 1]


@rule("R8.2.5", "R6.3")
def test_a_neutral_office_can_be_exchanged():
    """Its owner is another than a player's."""
    game = board(TWO_NEUTRAL, offices={"minden": "0t nt"}, markers={0: ["exchange"]}, route_markers={})
    play(game, "exchange")
    assert see(game, "offices", "minden")[:2] == ["nt", "0t"]
    assert [row[4] for row in game.scores()] == [2, 0]


@rule("R8.2.5", "R5.7")
def test_neutral_offices_break_a_chain():
    """Münster is neutral: no link from Arnheim to Stendal."""
    offices = {"arnheim": "0t", "munster": "nt", "minden": "0t", "brunswick": "0t"}
    game = board(TWO_NEUTRAL, offices=offices, posts={"brunswick/stendal": "0t 0t 0t 0t"})
    play(game, "claim brunswick/stendal", "office stendal")
    assert (see(game, "prestige"), see(game, "linked")) == ([1, 0], [])


@rule("R8.2.3", "R7.1")
def test_two_neutral_claims_in_one_displacement():
    """Each of the two traders completes a route with a marker; the pile has one, so the second ends the game."""
    game = board(
        TWO_NEUTRAL,
        posts={"emden/osnabruck": "nt", "kampen/osnabruck": "nt", "groningen/emden": "nt nt"},
        supply=FOUR_TRADERS,
        route_markers={"kampen/osnabruck": "+3", "groningen/emden": "+4"},
        pile=1,
    )
    play(game, "displace", "route emden/osnabruck", "put trader kampen/osnabruck", "city osnabruck")
    assert (see(game, "plate"), see(game, "pile"), game.seat) == ([1, 0], 0, 1)
    play(game, "put trader groningen/emden")
    assert (game.seat, game.legal()) == (0, ["city emden", "city groningen"])
    play(game, "city emden")
    assert see(game, "offices", "emden") == ["nt", None]
    assert (game.over, game.reason) == (True, "markers")
