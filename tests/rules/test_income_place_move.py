"""R3: income, place, move."""

import pytest

from tests.rules.scenario import FULL, POSTS, THREE, after, board, play, rule, see, verbs


@rule("R3.1", "D2")
@pytest.mark.parametrize(
    ("stock", "bank", "merchants"),
    [
        ((6, 0), 0, ["0"]),
        ((6, 2), 0, ["0", "1", "2"]),
        ((2, 2), 0, ["1", "2"]),
        ((1, 1), 0, ["1"]),
        ((0, 2), 0, ["2"]),
        ((3, 4), 0, ["0", "1", "2", "3"]),
        ((3, 4), 1, ["2", "3", "4"]),
        ((3, 4), 2, ["4"]),
        ((10, 4), 2, ["0", "1", "2", "3", "4"]),
        ((10, 4), 3, ["4"]),
    ],
)
def test_income_moves_exactly_the_bank_value(stock, bank, merchants):
    """min(bank, stock) pieces, the player picks how many are merchants; never fewer pieces."""
    free = (11 + bank + 4, 4)
    supply = (free[0] - stock[0], free[1] - stock[1])
    game = board(THREE, abilities={0: {"bank": bank, "book": 3, "keys": 4}}, supply={0: supply})
    assert after(game, "income") == merchants


@rule("R3.1")
@pytest.mark.parametrize(("choice", "supply", "stock"), [("0", [5, 1], [0, 2]), ("1", [4, 2], [1, 1]), ("2", [3, 3], [2, 0])])
def test_what_income_moves(choice, supply, stock):
    """Three tradesmen, so many of them merchants."""
    game = board(THREE, abilities={0: {"book": 2}}, posts={"hamburg/bremen": "0t 0t 0t 0t", "emden/osnabruck": "0t 0t"},
                 supply={0: (2, 1)})  # fmt: skip
    assert see(game, "stock", 0) == [3, 2]
    play(game, f"income {choice}")
    assert (see(game, "supply", 0), see(game, "stock", 0)) == (supply, stock)
    assert see(game, "actions_left") == 1


@rule("R3.1")
def test_no_income_from_an_empty_stock():
    """Not offered, with a full bank either."""
    game = board(THREE, supply={0: (11, 1)})
    assert see(game, "stock", 0) == [0, 0]
    assert "income" not in verbs(game)
    assert "income" not in verbs(board(THREE, abilities={0: FULL}, supply={0: (26, 4)}))


@rule("R3.1")
def test_a_full_bank_takes_the_whole_stock():
    """`all` is one decision only."""
    game = board(THREE, abilities={0: {"bank": 3, "book": 2}}, supply={0: (1, 0)})
    assert see(game, "stock", 0) == [13, 3]
    assert after(game, "income") == ["3"]
    play(game, "income 3")
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([14, 3], [0, 0])


@rule("R3.2")
def test_place_on_any_free_post():
    """Every route with a free post, not the full ones; opponents on the route do not matter."""
    game = board(THREE, posts={"duisburg/dortmund": "0t 1t", "goslar/magdeburg": "1t", "stade/hamburg": "2t 2t 2t"})
    expected = sorted({*POSTS} - {"duisburg/dortmund", "stade/hamburg"})
    assert len(expected) == 30
    assert after(game, "place trader") == expected
    assert after(game, "place merchant") == expected


@rule("R3.2")
def test_place_comes_from_the_supply():
    """A kind that is not in the supply cannot be placed, what is in the stock does not count."""
    game = board(THREE, supply={0: (2, 0)})
    assert after(game, "place merchant") == []
    play(game, "place trader kampen/arnheim")
    assert see(game, "posts", "kampen/arnheim") == ["0t", None, None]
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([1, 0], [9, 1])
    game = board(THREE, supply={0: (0, 1)})
    assert after(game, "place trader") == []
    play(game, "place merchant kampen/arnheim")
    assert see(game, "posts", "kampen/arnheim") == ["0m", None, None]
    assert see(game, "supply", 0) == [0, 0]
    assert "place" not in verbs(game)


@rule("R3.3")
def test_move_lifts_own_pieces_only():
    """One's own pieces on posts, by kind and route; no opponents', no offices."""
    game = board(
        THREE,
        posts={"stade/hamburg": "0t 1t", "hamburg/lubeck": "0m 0t", "minden/brunswick": "2t 1m"},
        offices={"hannover": "0t"},
    )
    play(game, "move")
    assert game.legal() == ["lift merchant hamburg/lubeck", "lift trader hamburg/lubeck", "lift trader stade/hamburg"]


@rule("R3.3")
def test_move_one_piece_and_stop():
    """1 to book pieces: after the first one may stop; the piece may go anywhere free, its own post too."""
    game = board(THREE, posts={"stade/hamburg": "0t 1t 1t", "hamburg/lubeck": "0t", "duisburg/dortmund": "1t 2t"})
    play(game, "move", "lift trader stade/hamburg", "done")
    assert (game.asked, see(game, "hand"), see(game, "actions_left")) == ("put", ["t"], 1)
    assert after(game, "put trader") == sorted({*POSTS} - {"duisburg/dortmund"})
    assert after(game, "put merchant") == []
    play(game, "put trader kampen/osnabruck")
    assert see(game, "posts", "stade/hamburg") == ["1t", "1t", None]
    assert see(game, "posts", "kampen/osnabruck") == ["0t", None]
    assert (game.asked, see(game, "hand"), see(game, "actions_left")) == ("act", [], 1)


@rule("R3.3")
def test_own_pieces_can_trade_places():
    """A trader and a merchant on full routes swap: just vacated posts count as free."""
    game = board(THREE, posts={"kampen/osnabruck": "0m 1t", "duisburg/dortmund": "0t 1t"})
    play(game, "move", "lift merchant kampen/osnabruck", "lift trader duisburg/dortmund")
    assert (game.asked, see(game, "hand")) == ("put", ["t", "m"])
    assert see(game, "posts", "kampen/osnabruck") == ["1t", None]
    play(game, "put trader kampen/osnabruck", "put merchant duisburg/dortmund")
    assert see(game, "posts", "kampen/osnabruck") == ["0t", "1t"]
    assert see(game, "posts", "duisburg/dortmund") == ["0m", "1t"]
    assert game.asked == "act"


@rule("R3.3")
def test_lifting_ends_at_the_book_value():
    """Book 2 with three pieces about: after the second the pieces are put down."""
    game = board(THREE, posts={"kampen/osnabruck": "0t", "duisburg/dortmund": "0t", "goslar/magdeburg": "0t"})
    play(game, "move", "lift trader kampen/osnabruck")
    assert game.legal() == ["done", "lift trader duisburg/dortmund", "lift trader goslar/magdeburg"]
    play(game, "lift trader goslar/magdeburg")
    assert (game.asked, see(game, "hand")) == ("put", ["t", "t"])
    play(game, "put trader arnheim/munster", "put trader arnheim/munster")
    assert see(game, "posts", "arnheim/munster") == ["0t", "0t", None]
    assert see(game, "posts", "duisburg/dortmund") == ["0t", None]
    assert (game.seat, game.asked, see(game, "actions_left")) == (0, "act", 1)


@rule("R3.3")
def test_a_lone_piece_is_lifted_unasked():
    """With one piece on the board there is nothing to choose until it is put down."""
    game = board(THREE, posts={"kampen/osnabruck": "0m"})
    play(game, "move")
    assert (game.asked, see(game, "hand")) == ("put", ["m"])
    assert after(game, "put merchant") == sorted(POSTS)


@rule("R3.3")
def test_no_move_without_a_piece_on_a_post():
    """Offices and opponents' pieces cannot be moved."""
    game = board(THREE, posts={"kampen/osnabruck": "1t 2t"}, offices={"hannover": "0t"})
    assert "move" not in verbs(game)


@rule("R3.3")
def test_moved_pieces_do_not_touch_supply_and_stock():
    """They go from post to post."""
    game = board(THREE, posts={"kampen/osnabruck": "0m", "stade/hamburg": "0t"})
    before = (see(game, "supply", 0), see(game, "stock", 0))
    play(game, "move", "lift merchant kampen/osnabruck", "done", "put merchant goslar/magdeburg")
    assert (see(game, "supply", 0), see(game, "stock", 0)) == before == ([5, 0], [5, 0])
