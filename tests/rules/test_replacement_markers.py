"""R6.7: where and when replacement markers are placed."""

from hansa_env import Game
from tests.rules.scenario import TAVERNS, THREE, board, one_each, play, rule, see

PILE = ["+3", "upgrade", "+4", "extra-office", "exchange", "remove-three", "upgrade", "+3", "+4", "extra-office",
        "exchange", "upgrade", "extra-office"]  # fmt: skip
TAVERN = ("bremen/osnabruck", "luneburg/perleberg", "hildesheim/goslar")


@rule("R6.7")
def test_where_a_marker_may_lie():
    """No marker on it, no tradesman, an empty printed space at one end: two of six empty routes."""
    posts = one_each(*TAVERN, "goslar/magdeburg", "kampen/arnheim", "duisburg/dortmund")
    offices = {"goslar": "1t", "magdeburg": "1m 2t", "duisburg": "2t"}
    game = board(THREE, posts=posts, offices=offices, plate={0: 1})
    play(game, "done")
    assert (game.asked, game.seat) == ("marker", 0)
    assert game.legal() == ["route duisburg/dortmund", "route kampen/arnheim"]
    play(game, "route duisburg/dortmund")
    assert sorted(see(game, "route_markers")) == sorted([*TAVERN, "duisburg/dortmund"])
    assert (see(game, "plate"), game.seat) == ([0, 0, 0], 1)


@rule("R6.7")
def test_none_lies_between_two_full_cities():
    """Groningen, the first city of the board, is full, and so is Emden at the other end of its only route."""
    posts = one_each(*TAVERN, "groningen/emden", "kampen/arnheim", "duisburg/dortmund")
    game = board(THREE, posts=posts, offices={"groningen": "1t 1m", "emden": "2t 2m"}, plate={0: 1})
    play(game, "done")
    assert game.legal() == ["route duisburg/dortmund", "route kampen/arnheim"]


@rule("R6.7")
def test_an_extra_office_does_not_fill_a_printed_space():
    """Dortmund with an extra and one printed office still has a printed space; Duisburg is full."""
    posts = one_each(*TAVERN, "duisburg/dortmund", "kampen/arnheim")
    offices = {"duisburg": "1t", "dortmund": "1m"}
    game = board(THREE, posts=posts, offices=offices, extras={"dortmund": "2t"}, plate={0: 1})
    play(game, "done")
    assert game.legal() == ["route duisburg/dortmund", "route kampen/arnheim"]


@rule("R6.7")
def test_one_by_one_and_a_single_place_is_not_asked():
    """Two markers, two places: the first is a question, the second lies where it must, on the other route."""
    posts = one_each(*TAVERN, "kampen/arnheim", "stade/hamburg")
    game = board(THREE, posts=posts, plate={0: 2})
    play(game, "done")
    assert (game.legal(), see(game, "plate")) == (["route kampen/arnheim", "route stade/hamburg"], [2, 0, 0])
    play(game, "route stade/hamburg")
    assert (game.seat, game.asked, see(game, "plate")) == (1, "act", [0, 0, 0])
    assert {"kampen/arnheim", "stade/hamburg"} < set(see(game, "route_markers"))


@rule("R6.7", "D4")
def test_with_no_route_the_marker_waits():
    """It stays on the plate, past the other seats' turns, until the end of the owner's next turn."""
    posts = one_each(*TAVERN)
    assert posts["stade/hamburg"] == "2t"
    game = board(THREE, posts=posts, plate={0: 1})
    play(game, "done")
    assert (game.seat, game.asked, see(game, "plate")) == (1, "act", [1, 0, 0])
    play(game, "done")
    # Seat 2 vacates Stade-Hamburg: the marker of seat 0 is not placed at the end of seat 2's turn.
    play(game, "move", "lift trader stade/hamburg", "done", "put trader minden/brunswick", "done")
    assert (game.seat, game.asked, see(game, "plate")) == (0, "act", [1, 0, 0])
    assert see(game, "posts", "stade/hamburg") == [None] * 3
    assert sorted(see(game, "route_markers")) == sorted(TAVERN)
    play(game, "done")
    assert (game.seat, see(game, "plate")) == (1, [0, 0, 0])
    assert "stade/hamburg" in see(game, "route_markers")


@rule("R6.7", "D4")
def test_of_two_markers_one_is_placed_and_one_waits():
    """One route for two markers."""
    posts = one_each(*TAVERN, "kampen/arnheim")
    game = board(THREE, posts=posts, plate={0: 2})
    play(game, "done")
    assert (game.seat, game.asked, see(game, "plate")) == (1, "act", [1, 0, 0])
    assert sorted(see(game, "route_markers")) == sorted([*TAVERN, "kampen/arnheim"])


@rule("R6.7")
def test_a_marker_of_another_seat_stays_on_its_plate():
    """Seat 0's turn ends, seat 1's markers are not touched."""
    game = board(THREE, plate={1: 1})
    play(game, "done")
    assert (game.seat, game.asked, see(game, "plate")) == (1, "act", [0, 1, 0])


def two_markers_claimed() -> Game:
    """From the start: seat 0 fills two tavern routes in three turns and claims both in the fourth."""
    game = Game(THREE, setup={"markers": TAVERNS, "pile": PILE})
    first, second = "bremen/osnabruck", "luneburg/perleberg"
    for pair in ((first, first), (first, second), (second, second)):
        for route in pair:
            kind = "merchant" if see(game, "supply", 0) == [0, 1] else "trader"
            play(game, f"place {kind} {route}")
        play(game, "done", "done")
    return play(game, f"claim {first}", "done", f"claim {second}", "done")


@rule("D11", "R6.7")
def test_placed_in_the_order_drawn_each_seen_only_then():
    """The first of the pile lies first, face up; the second is still a mere count."""
    game = two_markers_claimed()
    assert see(game, "markers", 0) == ["exchange", "remove-three"]
    assert (game.seat, game.asked, see(game, "plate"), see(game, "pile")) == (0, "marker", [2, 0, 0], 11)
    assert see(game, "route_markers") == {"hildesheim/goslar": "extra-office"}
    play(game, "route kampen/arnheim")
    assert see(game, "route_markers") == {"hildesheim/goslar": "extra-office", "kampen/arnheim": "+3"}
    assert (game.seat, game.asked, see(game, "plate")) == (0, "marker", [1, 0, 0])
    assert "route kampen/arnheim" not in game.legal()
    play(game, "route stade/hamburg")
    assert see(game, "route_markers", "stade/hamburg") == "upgrade"
    assert (game.seat, game.asked, see(game, "plate")) == (1, "act", [0, 0, 0])


@rule("R6.7", "R2.4")
def test_the_routes_just_claimed_are_free_again():
    """Neither marker nor tradesman lies on them any more: they may take the replacements."""
    game = two_markers_claimed()
    assert {"route bremen/osnabruck", "route luneburg/perleberg"} < set(game.legal())
    assert "route hildesheim/goslar" not in game.legal()
