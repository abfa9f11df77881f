"""R6.1-R6.6: using markers."""

import pytest

from tests.rules.scenario import THREE, TWO_NEUTRAL, after, board, play, rule, see, verbs


@rule("R6.1")
@pytest.mark.parametrize("kind", ["+3", "+4", "upgrade", "exchange", "remove-three"])
def test_a_used_marker_is_kept(kind):
    """From the face-up ones to the used ones, and the marker score stays."""
    game = board(
        THREE,
        markers={0: [kind, "extra-office"]},
        offices={"hamburg": "1t 2t"},
        posts={"kampen/osnabruck": "1t"},
        route_markers={},
    )
    assert game.scores()[0][2] == 3
    play(game, {"upgrade": "develop bank", "remove-three": "remove"}.get(kind, kind))
    assert (see(game, "markers", 0), see(game, "used", 0)) == (["extra-office"], [kind])
    assert game.scores()[0][2] == 3


@rule("R6.1")
def test_a_used_marker_is_not_usable_again():
    """Face down it offers nothing."""
    game = board(THREE, used={0: ["+3", "upgrade", "remove-three", "exchange"]}, offices={"hamburg": "1t 2t"},
                 posts={"kampen/osnabruck": "1t"}, route_markers={})  # fmt: skip
    assert not verbs(game) & {"+3", "develop", "remove", "exchange"}


@rule("R6.2")
def test_extra_office_left_of_all_others():
    """In a full city, by a trader of the claimed route, outside the earlier extra office."""
    game = board(
        THREE,
        posts={"goslar/magdeburg": "0t 0t"},
        offices={"goslar": "1t"},
        extras={"goslar": "2m"},
        markers={0: ["extra-office"]},
        route_markers={},
    )
    play(game, "claim goslar/magdeburg")
    assert game.legal() == ["done", "extra"]
    play(game, "extra")
    assert game.asked == "act"
    assert see(game, "extras") == {"goslar": ["2m", "0t"]}
    assert see(game, "offices", "goslar") == ["1t"]
    assert (see(game, "markers", 0), see(game, "used", 0)) == ([], ["extra-office"])
    assert see(game, "stock", 0) == [5, 0]


@rule("R6.2")
def test_extra_offices_are_listed_by_city():
    """The first city of the board stays first, whichever is founded later."""
    game = board(
        THREE,
        posts={"goslar/magdeburg": "0t 0t"},
        offices={"groningen": "1t", "goslar": "1t"},
        extras={"groningen": "2t"},
        markers={0: ["extra-office"]},
        route_markers={},
    )
    play(game, "claim goslar/magdeburg", "extra")
    assert list(see(game, "extras").items()) == [("groningen", ["2t"]), ("goslar", ["0t"])]


@rule("R6.2")
def test_extra_office_asks_city_and_kind():
    """Either city with an office, either kind; colour and shape do not matter."""
    game = board(
        THREE,
        posts={"arnheim/munster": "0t 0t 0m"},
        offices={"arnheim": "1t", "munster": "1m 2t"},
        markers={0: ["extra-office"]},
        route_markers={},
    )
    play(game, "claim arnheim/munster")
    assert game.legal() == ["done", "extra", "office arnheim"]
    play(game, "extra")
    assert (game.asked, game.legal()) == ("extra", ["city arnheim", "city munster"])
    assert (see(game, "markers", 0), see(game, "used", 0)) == ([], ["extra-office"])
    play(game, "city munster")
    assert (game.asked, game.legal()) == ("with", ["merchant", "trader"])
    play(game, "merchant")
    assert see(game, "extras") == {"munster": ["0m"]}
    assert see(game, "stock", 0) == [6, 0]
    assert see(game, "posts", "arnheim/munster") == [None] * 3


@rule("R6.2")
def test_extra_office_needs_an_office_there():
    """Not in an empty city; with both empty it is no choice."""
    posts = {"hannover/minden": "0t 0t 0t"}
    game = board(THREE, posts=posts, markers={0: ["extra-office"]}, route_markers={})
    play(game, "claim hannover/minden")
    assert game.legal() == ["done", "office hannover", "office minden"]
    game = board(THREE, posts=posts, offices={"minden": "0t"}, markers={0: ["extra-office"]}, route_markers={})
    play(game, "claim hannover/minden", "extra")
    assert see(game, "extras") == {"minden": ["0t"]}


@rule("R6.2")
def test_extra_office_only_with_a_claim():
    """Holding it offers nothing between actions, and does not keep a turn going."""
    game = board(THREE, offices={"goslar": "1t"}, markers={0: ["extra-office"]}, route_markers={}, actions=1)
    assert verbs(game) == {"income", "place", "done"}
    play(game, "income 0")
    assert game.seat == 1


@rule("R6.3", "D6")
def test_exchange_swaps_neighbours():
    """Two opponents' offices, out of colour; control passes, no prestige moves."""
    game = board(THREE, offices={"hamburg": "1t 2t"}, markers={0: ["exchange"]}, route_markers={})
    assert [row[4] for row in game.scores()] == [0, 0, 2]
    play(game, "exchange")
    assert game.asked == "act"
    assert see(game, "offices", "hamburg") == ["2t", "1t", None]
    assert [row[4] for row in game.scores()] == [0, 2, 0]
    assert (see(game, "prestige"), see(game, "actions_left")) == ([0, 0, 0], 2)


@rule("R6.3")
def test_exchange_pairs():
    """Neighbours of different owners only: in Minden 1-2 and 3-4, in Hannover no pair, in Duisburg no neighbours."""
    game = board(
        THREE,
        offices={"minden": "0t 1t 1t 2t", "hannover": "1t 1t", "duisburg": "1t", "stendal": "2t 1m"},
        markers={0: ["exchange"]},
        route_markers={},
    )
    play(game, "exchange")
    assert (game.asked, game.legal()) == ("exchange", ["city minden", "city stendal"])
    play(game, "city minden")
    assert (game.asked, game.legal()) == ("pair", ["pair 1", "pair 3"])
    play(game, "pair 3")
    assert see(game, "offices", "minden") == ["0t", "1t", "2t", "1t"]


@rule("R6.3")
def test_exchange_ignores_shape_privilege_and_coins():
    """A merchant comes to stand on Groningen's square, with its coin, and is not paid."""
    game = board(THREE, offices={"groningen": "1t 0m"}, markers={0: ["exchange"]}, route_markers={})
    play(game, "exchange")
    assert see(game, "offices", "groningen") == ["0m", "1t"]
    assert see(game, "prestige") == [0, 0, 0]


@rule("R6.3")
def test_extra_offices_and_prestige_spaces_are_not_exchanged():
    """Duisburg's extra and printed office are no pair, nor are two holders of the Coellen table."""
    game = board(THREE, offices={"duisburg": "1t"}, extras={"duisburg": "2t"}, spaces={7: 1, 8: 2},
                 markers={0: ["exchange"]}, route_markers={})  # fmt: skip
    assert "exchange" not in game.legal()


@rule("R6.4", "D7")
def test_remove_three_takes_anyones_pieces_to_their_supplies():
    """Own, an opponent's trader and merchant; supply, not stock; it ends by itself after three."""
    posts = {"kampen/osnabruck": "0t 1t", "stade/hamburg": "1m 2t 2t", "goslar/magdeburg": "0m"}
    game = board(THREE, posts=posts, markers={0: ["remove-three"]}, route_markers={})
    supply, stock = see(game, "supply"), see(game, "stock")
    play(game, "remove")
    assert (game.asked, game.seat) == ("remove", 0)
    assert game.legal() == ["route goslar/magdeburg", "route kampen/osnabruck", "route stade/hamburg"]
    play(game, "route kampen/osnabruck")
    assert (game.asked, game.legal()) == ("victim", ["0t", "1t"])
    play(game, "0t", "route stade/hamburg")
    assert (game.asked, game.legal()) == ("victim", ["1m", "2t"])
    play(game, "1m")
    assert (game.asked, "done" in game.legal()) == ("remove", True)
    play(game, "route stade/hamburg")
    assert (game.asked, see(game, "actions_left")) == ("act", 2)
    assert see(game, "posts", "stade/hamburg") == ["2t", None, None]
    assert see(game, "posts", "kampen/osnabruck") == ["1t", None]
    gains = [[1, 0], [0, 1], [1, 0]]
    assert see(game, "supply") == [[a + x, b + y] for (a, b), (x, y) in zip(supply, gains)]
    assert see(game, "stock") == stock


@rule("R6.4")
def test_remove_at_least_one_and_stop():
    """The first is not optional, then one may stop."""
    posts = {"kampen/osnabruck": "1t 1t", "stade/hamburg": "1t 2t 2t"}
    game = board(THREE, posts=posts, markers={0: ["remove-three"]}, route_markers={})
    play(game, "remove")
    assert "done" not in game.legal()
    play(game, "route kampen/osnabruck")
    assert game.legal() == ["done", "route kampen/osnabruck", "route stade/hamburg"]
    play(game, "done")
    assert see(game, "posts", "kampen/osnabruck") == ["1t", None]
    assert (game.asked, see(game, "markers", 0)) == ("act", [])


@rule("R6.4")
def test_nothing_to_remove():
    """Without a piece on a post the marker is not offered."""
    game = board(THREE, offices={"hannover": "1t"}, markers={0: ["remove-three"]}, route_markers={})
    assert "remove" not in game.legal()


@rule("R6.4", "R8.2.3")
def test_removed_neutral_traders_go_to_the_neutral_stock():
    """They belong to nobody's supply."""
    posts = {"kampen/osnabruck": "nt 1t"}
    game = board(TWO_NEUTRAL, posts=posts, markers={0: ["remove-three"]}, route_markers={})
    supply = see(game, "supply")
    play(game, "remove")
    assert (game.asked, game.legal()) == ("victim", ["1t", "nt"])
    play(game, "nt", "done")
    assert see(game, "posts", "kampen/osnabruck") == ["1t", None]
    assert see(game, "supply") == supply


@rule("R6.5")
def test_upgrade_develops_anything_not_fully_developed():
    """Any ability of the desk, wherever one has offices; a merchant comes off the book."""
    game = board(THREE, markers={0: ["upgrade"]}, abilities={0: {"keys": 4, "bank": 3}})
    assert after(game, "develop") == ["actions", "book", "privilege"]
    supply = see(game, "supply", 0)
    play(game, "develop book")
    assert see(game, "abilities", 0) == {"keys": 4, "actions": 0, "privilege": 0, "book": 1, "bank": 3}
    assert see(game, "supply", 0) == [supply[0], supply[1] + 1]
    assert after(game, "develop") == []


@rule("R6.6")
@pytest.mark.parametrize(("kind", "more"), [("+3", 3), ("+4", 4)])
def test_more_actions_this_turn(kind, more):
    """Added to those left, gone with the turn."""
    game = board(THREE, markers={0: [kind]})
    play(game, kind)
    assert see(game, "actions_left") == 2 + more
    play(game, "done", "done", "done")
    assert (game.seat, see(game, "actions_left")) == (0, 2)


@rule("D13")
def test_no_marker_inside_an_action():
    """Not while lifting or putting, not at the reward, not while another relocates."""
    markers = {0: ["+3", "upgrade"]}
    posts = {"duisburg/dortmund": "0t 0t", "stade/hamburg": "1t"}
    game = board(THREE, markers=markers, posts=posts)
    twin, third = game.copy(), game.copy()
    play(game, "move")
    assert game.legal() == ["done", "lift trader duisburg/dortmund"]
    play(game, "done")
    assert verbs(game) == {"put"}
    play(twin, "claim duisburg/dortmund")
    assert twin.legal() == ["done", "office duisburg"]
    play(third, "displace")
    assert third.legal() == ["merchant", "trader"]
    while third.asked != "act":
        assert not verbs(third) & {"+3", "develop"}
        play(third, third.legal()[0])
    assert {"+3", "develop"} <= verbs(third)
