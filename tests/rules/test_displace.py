"""R4.1-R4.3: displacing a tradesman, and where it goes."""

import pytest

from tests.rules.scenario import THREE, after, board, play, rule, see, verbs


@rule("R4.1")
@pytest.mark.parametrize(
    ("supply", "routes"),
    [
        ((3, 0), ["kampen/osnabruck", "stade/hamburg"]),
        ((1, 2), ["kampen/osnabruck", "stade/hamburg"]),
        ((2, 0), ["kampen/osnabruck"]),
        ((1, 1), ["kampen/osnabruck"]),
        ((0, 2), ["kampen/osnabruck"]),
    ],
)
def test_the_supply_must_cover_it(supply, routes):
    """A trader costs 2 tradesmen in all, a merchant 3, of any kinds."""
    abilities = {0: {"book": 3}}
    game = board(THREE, abilities=abilities, posts={"stade/hamburg": "1m", "kampen/osnabruck": "2t"}, supply={0: supply})
    game.play("displace")
    if len(routes) > 1:
        assert (game.asked, after(game, "route")) == ("displace", routes)
    else:
        assert see(game, "posts", "stade/hamburg").count("1m") == 1
        assert "2t" not in see(game, "posts", "kampen/osnabruck")


@rule("R4.1")
@pytest.mark.parametrize(("supply", "offered"), [((1, 0), False), ((0, 1), False), ((0, 0), False), ((2, 0), True)])
def test_not_possible_with_too_small_a_supply(supply, offered):
    """One tradesman is not enough to displace a trader; the stock does not help."""
    game = board(THREE, posts={"kampen/osnabruck": "2t"}, supply={0: supply})
    assert ("displace" in verbs(game)) == offered


@rule("R4.1")
def test_an_unaffordable_merchant_is_no_victim():
    """With 2 in supply only the traders of a mixed route can be displaced."""
    posts = {"hamburg/bremen": "0t 1m 1t 2t", "kampen/osnabruck": "2m"}
    game = board(THREE, posts=posts, supply={0: (2, 0)})
    play(game, "displace")
    assert (game.asked, game.legal()) == ("victim", ["1t", "2t"])


@rule("R4.1")
def test_offices_and_own_pieces_cannot_be_displaced():
    """Only an opponent's tradesman on a post."""
    game = board(THREE, posts={"kampen/osnabruck": "0t"}, offices={"hannover": "1t"})
    assert "displace" not in verbs(game)
    game = board(THREE, posts={"kampen/osnabruck": "0t", "stade/hamburg": "0t 1t 1m"}, offices={"hannover": "1t"})
    play(game, "displace")
    assert (game.asked, game.legal()) == ("victim", ["1m", "1t"])


@rule("R4.1")
@pytest.mark.parametrize(
    ("choices", "there", "supply", "stock"),
    [
        (["with trader", "pay trader"], "0t", [3, 2], [4, 0]),
        (["with trader", "pay merchant"], "0t", [4, 1], [3, 1]),
        (["with merchant", "pay trader"], "0m", [4, 1], [4, 0]),
        (["with merchant", "pay merchant"], "0m", [5, 0], [3, 1]),
    ],
)
def test_kinds_are_the_players_choice(choices, there, supply, stock):
    """Either kind takes the place of a trader, either kind is paid, from supply to stock."""
    game = board(THREE, abilities={0: {"book": 1}}, posts={"kampen/osnabruck": "1t", "emden/osnabruck": "0t 0t 0t"},
                 supply={0: (5, 2)})  # fmt: skip
    assert see(game, "stock", 0) == [3, 0]
    play(game, "displace")
    for choice in choices:
        asked, kind = choice.split()
        assert (game.asked, game.seat, game.legal()) == (asked, 0, ["merchant", "trader"])
        play(game, kind)
    assert (game.asked, game.seat) == ("relocate", 1)
    assert see(game, "posts", "kampen/osnabruck") == [there, None]
    assert (see(game, "supply", 0), see(game, "stock", 0)) == (supply, stock)


@rule("R4.1")
def test_a_merchant_costs_two_penalty_pieces():
    """Two questions, one for each piece."""
    game = board(THREE, abilities={0: {"book": 1}}, posts={"kampen/osnabruck": "1m"}, supply={0: (5, 2)})
    play(game, "displace", "trader", "merchant")
    assert (game.asked, game.seat) == ("pay", 0)
    play(game, "trader")
    assert (game.asked, game.seat) == ("relocate", 1)
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([3, 1], [7, 1])


@rule("R4.2")
def test_the_owner_puts_it_back_at_once():
    """Seat 2 is asked within seat 0's turn; it cannot decline the displaced piece; then seat 0 goes on."""
    game = board(THREE, posts={"stade/hamburg": "2t"}, supply={0: (5, 0)})
    play(game, "displace")
    assert (game.seat, see(game, "turn"), game.asked) == (2, 0, "relocate")
    assert verbs(game) == {"put"}
    play(game, "put trader hamburg/lubeck")
    assert (game.seat, game.asked) == (2, "relocate")
    assert verbs(game) == {"put", "done"}
    play(game, "done")
    assert (game.seat, game.asked, see(game, "actions_left")) == (0, "act", 1)
    assert see(game, "posts", "hamburg/lubeck") == ["2t", None, None]
    assert see(game, "posts", "stade/hamburg") == ["0t", None, None]


@rule("R4.2")
def test_one_further_tradesman_for_a_trader():
    """Put down, and the relocation is over; the second piece comes from the stock."""
    game = board(THREE, posts={"stade/hamburg": "1t"}, supply={0: (5, 0)})
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([6, 1], [4, 0])
    play(game, "displace", "put trader hamburg/lubeck", "put trader hamburg/bremen")
    assert (game.seat, game.asked) == (0, "act")
    assert see(game, "posts", "hamburg/lubeck") == ["1t", None, None]
    assert see(game, "posts", "hamburg/bremen") == ["1t", None, None, None]
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([6, 1], [3, 0])


@rule("R4.2")
def test_two_further_tradesmen_for_a_merchant():
    """Up to two, the second may be declined."""
    game = board(THREE, posts={"stade/hamburg": "1m"}, supply={0: (5, 0)})
    play(game, "displace", "put merchant hamburg/lubeck", "put trader hamburg/lubeck")
    assert (game.seat, game.asked) == (1, "relocate")
    twin = game.copy()
    play(game, "done")
    assert (game.seat, game.asked, see(game, "stock", 1)) == (0, "act", [4, 0])
    play(twin, "put trader hamburg/luneburg")
    assert (twin.seat, twin.asked, see(twin, "stock", 1)) == (0, "act", [3, 0])


@rule("R4.2")
def test_further_pieces_first():
    """A trader of the stock may lie before the displaced merchant does, which then still must."""
    game = board(THREE, posts={"stade/hamburg": "1m"}, supply={0: (5, 0)})
    play(game, "displace")
    play(game, "put trader hamburg/lubeck", "put trader hamburg/bremen")
    assert (game.seat, see(game, "hand")) == (1, ["m"])
    assert verbs(game) == {"put"}
    assert after(game, "put trader") == []
    assert after(game, "put merchant") == ["hamburg/bremen", "hamburg/lubeck", "hamburg/luneburg"]
    play(game, "put merchant hamburg/luneburg")
    assert (game.seat, game.asked) == (0, "act")


@rule("R4.3")
@pytest.mark.parametrize(
    ("origin", "adjacent"),
    [
        ("stade/hamburg", ["hamburg/bremen", "hamburg/lubeck", "hamburg/luneburg"]),
        ("coellen/warburg", ["paderborn/warburg"]),
        (
            "minden/paderborn",
            ["bremen/minden", "dortmund/paderborn", "hannover/minden", "minden/brunswick", "munster/minden",
             "paderborn/hildesheim", "paderborn/warburg"],
        ),
        ("luneburg/hannover", ["bremen/hannover", "hamburg/luneburg", "hannover/minden", "luneburg/perleberg"]),
    ],
)  # fmt: skip
def test_adjacent_routes(origin, adjacent):
    """The routes that share a city with it, without the route itself, though it has free posts."""
    posts = {origin: "1m"}
    if origin == "coellen/warburg":
        posts["stade/hamburg"] = "0t"
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace")
    assert None in see(game, "posts", origin)
    assert after(game, "put merchant") == adjacent
    assert after(game, "put trader") == adjacent


@rule("R4.3")
def test_a_full_adjacent_route_is_left_out():
    """One adjacent route with a free post is enough to keep the piece in the first ring."""
    posts = {"stade/hamburg": "1t", "hamburg/lubeck": "0t 0t 0t", "hamburg/bremen": "2t 2t 2t 0t"}
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace", "route stade/hamburg")
    assert game.asked == "relocate"
    assert see(game, "posts", "hamburg/luneburg") == ["1t", None, None, None]
    assert game.legal() == ["done", "put trader hamburg/luneburg"]


@rule("R4.3")
def test_second_ring():
    """Groningen-Emden has one neighbour; that full, the piece goes to the routes beyond Osnabrück."""
    posts = {"groningen/emden": "1t", "emden/osnabruck": "0t 0t 2t 2t"}
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace", "route groningen/emden")
    assert game.legal() == ["put trader bremen/osnabruck", "put trader kampen/osnabruck"]


@rule("R4.3")
def test_third_ring():
    """With the second ring full too, the routes that touch it: of Kampen and of Bremen."""
    posts = {
        "groningen/emden": "1t",
        "emden/osnabruck": "0t 0t 2t 2t",
        "kampen/osnabruck": "0t 0t",
        "bremen/osnabruck": "2t 2t 2t",
    }
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace", "route groningen/emden")
    assert after(game, "put trader") == ["bremen/hannover", "bremen/minden", "hamburg/bremen", "kampen/arnheim"]


@rule("R4.3")
def test_judged_anew_for_each_piece():
    """The last adjacent post taken by the first piece, the second goes to the second ring; each to its own route."""
    posts = {"groningen/emden": "1m", "emden/osnabruck": "0t 0t 2t"}
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace", "route groningen/emden")
    assert game.legal() == ["put merchant emden/osnabruck", "put trader emden/osnabruck"]
    play(game, "put merchant emden/osnabruck")
    assert game.legal() == ["done", "put trader bremen/osnabruck", "put trader kampen/osnabruck"]
    play(game, "put trader kampen/osnabruck")
    assert game.legal() == ["done", "put trader bremen/osnabruck", "put trader kampen/osnabruck"]


@rule("R4.3")
def test_a_further_piece_first_sends_the_displaced_one_on():
    """The further trader takes the last adjacent post, so the displaced merchant may go two cities away."""
    posts = {"groningen/emden": "1m", "emden/osnabruck": "0t 0t 2t"}
    game = board(THREE, posts=posts, supply={0: (4, 0)})
    play(game, "displace", "route groningen/emden", "put trader emden/osnabruck")
    assert after(game, "put merchant") == ["bremen/osnabruck", "kampen/osnabruck"]
    assert after(game, "put trader") == ["bremen/osnabruck", "kampen/osnabruck"]
    assert "done" not in game.legal()
