"""R8.2: two players with neutral traders."""

import pytest

from hansa_env import Game
from tests.rules.scenario import FULL, TWO_NEUTRAL, after, board, crowd, play, rule, see, verbs

#: A displacement of the neutral trader on this route lets one or two go to Kampen-Osnabrück.
VICTIM = {"emden/osnabruck": "nt"}
BOTH_TO_KAMPEN = ("displace", "put trader kampen/osnabruck", "put trader kampen/osnabruck")
FOUR_TRADERS = {0: (4, 0)}
#: Fills a board without a route that is wholly neutral.
MIXED = ["0t", "nt", "1t", "nt"] * 25


@rule("R8.2.1", "D12")
def test_where_neutral_traders_start():
    """One on each route of an ability city or Coellen, and on the three taverns: nine."""
    for seed in (0, 1, 2):
        posts = Game(TWO_NEUTRAL, seed=seed).position()["posts"]
        assert sorted(route for route, row in posts.items() if "nt" in row) == [
            "bremen/osnabruck",
            "coellen/warburg",
            "gottingen/quedlinburg",
            "groningen/emden",
            "hamburg/lubeck",
            "hildesheim/goslar",
            "luneburg/perleberg",
            "quedlinburg/halle",
            "stade/hamburg",
        ]
        assert sum(row.count("nt") for row in posts.values()) == 9
        assert all(piece in ("nt", None) for row in posts.values() for piece in row)


@rule("R8.2.2", "D9")
def test_the_other_player_relocates_it_with_one_more():
    """Seat 1 puts two neutral traders by R4.3, neither of them optional, its own pieces stay out of it."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS)
    hands = (see(game, "supply", 1), see(game, "stock", 1))
    routes = ["put trader bremen/osnabruck", "put trader groningen/emden", "put trader kampen/osnabruck"]
    play(game, "displace")
    assert (game.seat, see(game, "turn"), game.asked, game.legal()) == (1, 0, "relocate", routes)
    play(game, "put trader bremen/osnabruck")
    assert (game.seat, game.asked, game.legal()) == (1, "relocate", routes)
    play(game, "put trader groningen/emden")
    assert (game.seat, game.asked, see(game, "actions_left")) == (0, "act", 1)
    assert see(game, "posts", "bremen/osnabruck") == ["nt", None, None]
    assert see(game, "posts", "groningen/emden") == ["nt", None, None]
    assert see(game, "posts", "emden/osnabruck") == ["0t", None, None, None]
    assert (see(game, "supply", 1), see(game, "stock", 1)) == hands


@rule("R8.2.2", "R4.1")
def test_a_neutral_trader_costs_what_a_trader_costs():
    """One tradesman in its place, one to the stock; not possible with one in supply."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS)
    stock = see(game, "stock", 0)
    play(game, "displace")
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([2, 0], [stock[0] + 1, stock[1]])
    assert "displace" not in board(TWO_NEUTRAL, posts=VICTIM, supply={0: (1, 0)}).legal()
    assert "displace" in board(TWO_NEUTRAL, posts=VICTIM, supply={0: (2, 0)}).legal()


@rule("R8.2.2")
def test_victims_of_a_mixed_route():
    """A neutral trader and the opponent's pieces."""
    game = board(TWO_NEUTRAL, posts={"hamburg/bremen": "nt 1t 1m 0t"})
    play(game, "displace")
    assert (game.asked, game.legal()) == ("victim", ["1m", "1t", "nt"])


@rule("R8.2.2", "R4.3")
def test_the_second_ring_for_neutral_traders():
    """Emden-Osnabrück has one free post: the second neutral trader goes beyond it."""
    posts = {"groningen/emden": "nt", "emden/osnabruck": "0t 0t 0t"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS)
    play(game, "displace")
    assert see(game, "posts", "emden/osnabruck") == ["0t", "0t", "0t", "nt"]
    assert (game.seat, game.legal()) == (1, ["put trader bremen/osnabruck", "put trader kampen/osnabruck"])


@rule("R8.2.2", "D9")
@pytest.mark.parametrize(("free", "arrived"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_the_further_trader_needs_a_free_post(free, arrived):
    """On a crowded board as many of the two as fit are put down, without a question; the rest is the neutral stock's."""
    posts = crowd({"groningen/emden": "nt"}, MIXED, leave={"quedlinburg/halle": free})
    game = board(TWO_NEUTRAL, abilities={0: FULL, 1: FULL}, posts=posts, supply={0: (0, 4)})
    before = see(game, "posts", "quedlinburg/halle").count("nt")
    play(game, "displace", "route groningen/emden")
    assert (game.seat, game.asked, see(game, "actions_left")) == (0, "act", 4)
    assert see(game, "posts", "quedlinburg/halle").count("nt") == before + arrived
    assert see(game, "posts", "groningen/emden") == ["0m", None, None]


@rule("R8.2.3", "D8")
def test_a_wholly_neutral_route_is_claimed_at_once():
    """Controllers score, the active player picks the city, its next space takes the trader, the route is cleared."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS, offices={"osnabruck": "1t"})
    play(game, *BOTH_TO_KAMPEN)
    assert (game.seat, game.asked, game.legal()) == (0, "neutral", ["city kampen", "city osnabruck"])
    assert see(game, "prestige") == [0, 1]
    play(game, "city osnabruck")
    assert see(game, "offices", "osnabruck") == ["1t", "nt", None]
    assert see(game, "offices", "kampen") == [None, None]
    assert see(game, "posts", "kampen/osnabruck") == [None, None]
    assert (game.seat, game.asked, see(game, "actions_left"), see(game, "prestige")) == (0, "act", 1, [0, 1])


@rule("R8.2.3", "D8")
def test_the_active_player_scores_a_neutral_claim_too():
    """Controlling both cities, two points."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS, offices={"osnabruck": "0t", "kampen": "0t"})
    play(game, *BOTH_TO_KAMPEN)
    assert see(game, "prestige") == [2, 0]


@rule("R8.2.3")
def test_a_claim_by_the_first_of_the_two():
    """The route is claimed before the second neutral trader is put, and may take that again."""
    posts = {**VICTIM, "kampen/osnabruck": "nt"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS)
    play(game, "displace", "route emden/osnabruck", "put trader kampen/osnabruck")
    assert (game.seat, game.asked) == (0, "neutral")
    play(game, "city kampen")
    assert see(game, "offices", "kampen") == ["nt", None]
    assert (game.seat, game.asked, verbs(game)) == (1, "relocate", {"put"})
    play(game, "put trader kampen/osnabruck")
    assert see(game, "posts", "kampen/osnabruck") == ["nt", None]
    assert (game.seat, game.asked) == (0, "act")


@rule("R8.2.3")
def test_whatever_colour_and_shape():
    """Arnheim full, Münster's circle takes the neutral trader; that is no question."""
    posts = {"kampen/arnheim": "nt", "arnheim/munster": "nt nt"}
    offices = {"arnheim": "0t 0m 1t 1t"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS, offices=offices)
    play(game, "displace", "route kampen/arnheim", "put trader arnheim/munster")
    assert see(game, "offices", "munster") == ["nt", None]
    assert (game.seat, game.asked) == (1, "relocate")


@rule("R8.2.3")
def test_the_marker_is_discarded_and_replaced():
    """Nobody takes it; the active player draws onto his plate and places it at the end of his turn."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS, route_markers={"kampen/osnabruck": "+3"}, pile=5)
    play(game, *BOTH_TO_KAMPEN, "city kampen")
    assert see(game, "route_markers") == {}
    assert (see(game, "markers"), see(game, "used")) == ([[], []], [[], []])
    assert (see(game, "plate"), see(game, "pile"), game.asked) == ([1, 0], 4, "act")
    assert [row[2] for row in game.scores()] == [0, 0]
    play(game, "done")
    assert (game.seat, game.asked) == (0, "marker")


@rule("R8.2.3", "R7.1")
def test_a_replacement_due_from_an_empty_pile():
    """The game ends after the action of the neutral claim."""
    game = board(TWO_NEUTRAL, posts=VICTIM, supply=FOUR_TRADERS, route_markers={"kampen/osnabruck": "+3"}, pile=0)
    play(game, *BOTH_TO_KAMPEN)
    assert not game.over
    play(game, "city kampen")
    assert (game.over, game.reason, see(game, "turn")) == (True, "markers", 0)
    assert see(game, "offices", "kampen") == ["nt", None]


@rule("R8.2.3", "R7.1")
def test_prestige_from_a_neutral_claim_ends_the_game_after_the_action():
    """The second trader is still put down."""
    posts = {**VICTIM, "kampen/osnabruck": "nt"}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS, offices={"osnabruck": "1t"}, prestige={1: 19})
    play(game, "displace", "route emden/osnabruck", "put trader kampen/osnabruck", "city kampen")
    assert (game.over, game.seat, see(game, "prestige")) == (False, 1, [0, 20])
    play(game, "put trader bremen/osnabruck")
    assert (game.over, game.reason, see(game, "turn")) == (True, "prestige", 0)


@rule("R8.2.3", "D12")
@pytest.mark.parametrize(
    ("victim", "route", "left"),
    [
        ("emden/osnabruck", "groningen/emden", 1),
        ("paderborn/warburg", "coellen/warburg", 1),
        ("goslar/quedlinburg", "quedlinburg/halle", 1),
        ("goslar/quedlinburg", "hildesheim/goslar", 0),
        ("emden/osnabruck", "bremen/osnabruck", 0),
        ("hannover/minden", "bremen/minden", 0),
    ],
)
def test_one_stays_on_ability_routes(victim, route, left):
    """On routes of an ability city or Coellen; not on others, the taverns among them."""
    size = 4 if route in ("coellen/warburg", "quedlinburg/halle") else 3
    posts = {victim: "nt", route: " ".join(["nt"] * (size - 1))}
    game = board(TWO_NEUTRAL, posts=posts, supply=FOUR_TRADERS, route_markers={})
    play(game, "displace", f"route {victim}", f"put trader {route}")
    assert game.asked == "neutral"
    play(game, after_city(game))
    assert see(game, "posts", route) == ["nt"] * left + [None] * (size - left)


def after_city(game: Game) -> str:
    """The first city that is offered."""
    return "city " + after(game, "city")[0]
