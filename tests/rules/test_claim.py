"""R5: claiming a route - prestige, control, the marker, and the choice."""

import pytest

from tests.rules.scenario import THREE, after, board, play, rule, see


@rule("R5.4")
def test_only_a_whole_route_can_be_claimed():
    """Every post one's own; traders and merchants alike."""
    posts = {
        "duisburg/dortmund": "0t 0m",
        "goslar/magdeburg": "0t 1t",
        "kampen/osnabruck": "1t 1t",
        "stade/hamburg": "0t 0t",
        "hannover/minden": "0t 0t 0t",
    }
    assert after(board(THREE, posts=posts), "claim") == ["duisburg/dortmund", "hannover/minden"]


@rule("R5.1")
def test_controllers_gain_before_any_new_office():
    """Seat 1 controls Hannover when seat 0 claims, and seat 0's office there comes too late."""
    game = board(
        THREE,
        abilities={0: {"privilege": 2}},
        offices={"hannover": "1t"},
        posts={"bremen/hannover": "0t 0t 0t"},
    )
    play(game, "claim bremen/hannover")
    assert see(game, "prestige") == [0, 1, 0]
    play(game, "office hannover")
    assert see(game, "prestige") == [0, 1, 0]
    assert see(game, "offices", "hannover") == ["1t", "0t"]


@rule("R5.1")
def test_both_cities_and_anyone():
    """One each for the controllers of the two cities, oneself included; an empty city gives nothing."""
    offices = {"hannover": "2t 1t", "minden": "0t", "munster": "2m"}
    posts = {"hannover/minden": "0t 0t 0t", "munster/minden": "0t 0t 0t"}
    game = board(THREE, offices=offices, posts=posts)
    play(game, "claim hannover/minden")
    assert see(game, "prestige") == [1, 1, 0]
    play(game, "claim munster/minden")
    assert see(game, "prestige") == [2, 1, 1]
    game = board(THREE, posts={"bremen/hannover": "0t 0t 0t"})
    play(game, "claim bremen/hannover", "office hannover")
    assert see(game, "prestige") == [0, 0, 0]


@rule("R5.1")
def test_one_controller_of_both_cities_gains_two():
    """The same seat twice."""
    game = board(THREE, offices={"hannover": "2t", "minden": "2t"}, posts={"hannover/minden": "0t 0t 0t"})
    play(game, "claim hannover/minden")
    assert see(game, "prestige") == [0, 0, 2]


@rule("R5.2", "R7.6")
@pytest.mark.parametrize(
    ("offices", "extras", "controller"),
    [
        ("0t", "", 0),
        ("0t 1t", "", 1),
        ("1t 0t", "", 0),
        ("0t 0t 1t", "", 0),
        ("0t 1t 2t", "", 2),
        ("1t 0t 0t 1t", "", 1),
        ("0t", "1t", 0),
        ("1t", "0m", 1),
        ("0t 1t", "0m", 0),
        ("0t 0t 1t", "1t", 1),
        ("2t 1t 0t", "1t 2t", 1),
        ("0t", "2t 1t 1t 2t", 2),
        ("0t", "1t 2t 2t 1t", 1),
        ("0t", "1t 2t", 0),
        ("0t", "1t 1t", 1),
    ],
)
def test_control_of_minden(offices, extras, controller):
    """Most offices, extra ones included; tied, the rightmost office of those tied (extras lie left, later ones outermost)."""
    laid = {"minden": extras} if extras else {}
    game = board(THREE, offices={"minden": offices}, extras=laid, posts={"minden/brunswick": "0t 0t 0t 0t"},
                 route_markers={})  # fmt: skip
    assert [row[4] for row in game.scores()] == [2 * (seat == controller) for seat in range(3)]
    play(game, "claim minden/brunswick")
    assert see(game, "prestige") == [int(seat == controller) for seat in range(3)]


@rule("R5.2")
def test_control_changes_with_an_office():
    """Tied by the new office on the right, control passes at once: the next claim pays the newcomer."""
    game = board(
        THREE,
        offices={"hamburg": "1t"},
        abilities={0: {"privilege": 1}},
        posts={"hamburg/lubeck": "0t 0t 0t", "stade/hamburg": "0t 0t 0t"},
    )
    play(game, "claim hamburg/lubeck", "office hamburg", "claim stade/hamburg")
    assert see(game, "prestige") == [1, 1, 0]


@rule("R5.3")
def test_the_marker_is_taken_and_replaced():
    """Face up before the player; the replacement comes from the pile onto the plate."""
    game = board(THREE, posts={"bremen/osnabruck": "0t 0t 0t"}, offices={"duisburg": "1t"})
    assert see(game, "pile") == 13
    play(game, "claim bremen/osnabruck")
    assert see(game, "route_markers") == {"luneburg/perleberg": "remove-three", "hildesheim/goslar": "extra-office"}
    assert (see(game, "markers"), see(game, "plate"), see(game, "pile")) == ([["exchange"], [], []], [1, 0, 0], 12)
    play(game, "done")
    assert (see(game, "plate"), see(game, "pile"), game.asked) == ([1, 0, 0], 12, "act")


@rule("R5.3")
def test_no_marker_no_replacement():
    """A route without a marker leaves pile and plate alone."""
    game = board(THREE, posts={"bremen/hannover": "0t 0t 0t"})
    play(game, "claim bremen/hannover")
    assert (see(game, "markers"), see(game, "plate"), see(game, "pile")) == ([[], [], []], [0, 0, 0], 13)


@rule("R5.3", "R6.2", "D1")
def test_the_extra_office_just_taken_is_no_choice_of_the_same_claim():
    """Hildesheim-Goslar has it; only the next claim, in the same turn, offers it."""
    posts = {"hildesheim/goslar": "0t 0t 0t", "goslar/magdeburg": "0t 0t"}
    game = board(THREE, posts=posts, offices={"goslar": "1t"})
    play(game, "claim hildesheim/goslar")
    assert see(game, "markers", 0) == ["extra-office"]
    assert game.legal() == ["done", "office hildesheim"]
    play(game, "done", "claim goslar/magdeburg")
    assert game.legal() == ["done", "extra"]


@rule("R5.3", "R6.2")
def test_an_extra_office_held_before_may_be_used_where_another_is_taken():
    """The one in hand counts, and one is left."""
    game = board(
        THREE,
        posts={"hildesheim/goslar": "0t 0t 0t"},
        offices={"goslar": "1t"},
        markers={0: ["extra-office"]},
    )
    play(game, "claim hildesheim/goslar")
    assert see(game, "markers", 0) == ["extra-office", "extra-office"]
    assert game.legal() == ["done", "extra", "office hildesheim"]
    play(game, "extra")
    assert (see(game, "markers", 0), see(game, "used", 0)) == (["extra-office"], ["extra-office"])


@rule("R5.4")
def test_pieces_not_used_go_to_the_stock():
    """Not to the supply; the merchant stays a merchant."""
    game = board(THREE, posts={"bremen/hannover": "0t 0t 0m"})
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([5, 0], [4, 0])
    play(game, "claim bremen/hannover")
    assert see(game, "posts", "bremen/hannover") == ["0m", "0t", "0t"]
    twin = game.copy()
    play(game, "office hannover")
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([5, 0], [5, 1])
    play(twin, "done")
    assert (see(twin, "supply", 0), see(twin, "stock", 0)) == ([5, 0], [6, 1])
    assert see(twin, "posts", "bremen/hannover") == see(game, "posts", "bremen/hannover") == [None] * 3


@rule("R5.4")
def test_at_most_one_choice():
    """All kinds of choices are offered once, and one closes the claim."""
    game = board(
        THREE,
        posts={"stade/hamburg": "0t 0t 0m"},
        offices={"hamburg": "1t"},
        markers={0: ["extra-office"]},
        abilities={0: {"privilege": 1}},
    )
    play(game, "claim stade/hamburg")
    assert game.legal() == ["develop privilege", "done", "extra", "office hamburg", "office stade"]
    play(game, "develop privilege")
    assert game.asked == "act"
    assert see(game, "offices", "stade") == [None]
    assert see(game, "posts", "stade/hamburg") == [None] * 3


@rule("R5.4")
def test_a_claim_with_nothing_to_choose_is_not_asked():
    """Both cities closed to the player: the pieces come back to the stock at once."""
    game = board(THREE, posts={"bremen/hannover": "0t 0t 0t"}, offices={"hannover": "1t"})
    play(game, "claim bremen/hannover")
    assert (game.asked, see(game, "actions_left")) == ("act", 1)
    assert see(game, "posts", "bremen/hannover") == [None] * 3
    assert see(game, "stock", 0) == [6, 0]


@rule("R5.9")
@pytest.mark.parametrize(
    ("privilege", "values"), [(0, ["7"]), (1, ["7", "8"]), (2, ["7", "8", "9"]), (3, ["11", "7", "8", "9"])]
)
def test_prestige_spaces_by_privilege(privilege, values):
    """Any empty space of an allowed colour, no order."""
    game = board(THREE, abilities={0: {"privilege": privilege}}, posts={"coellen/warburg": "0m 0t 0t 0t"})
    play(game, "claim coellen/warburg")
    assert after(game, "prestige") == values


@rule("R5.9", "R7.5")
def test_a_prestige_space_is_taken():
    """The merchant goes there, the traders to the stock, the value counts only as an end score."""
    game = board(THREE, abilities={0: {"privilege": 1}}, posts={"coellen/warburg": "0m 0t 0t 0t"}, spaces={7: 1})
    play(game, "claim coellen/warburg")
    assert game.legal() == ["done", "office coellen", "office warburg", "prestige 8"]
    play(game, "prestige 8")
    assert see(game, "prestige_spaces") == {"7": 1, "8": 0, "9": None, "11": None}
    assert (see(game, "supply", 0), see(game, "stock", 0)) == ([6, 0], [6, 0])
    assert see(game, "prestige") == [0, 0, 0]
    assert [row[3] for row in game.scores()] == [8, 7, 0]


@rule("R5.9")
def test_no_prestige_space_without_a_merchant_or_elsewhere():
    """Traders never; and only on Coellen-Warburg, not on Warburg's other route."""
    game = board(THREE, abilities={0: {"privilege": 3}}, posts={"coellen/warburg": "0t 0t 0t 0t"})
    play(game, "claim coellen/warburg")
    assert game.legal() == ["done", "office coellen", "office warburg"]
    game = board(THREE, abilities={0: {"privilege": 3}}, posts={"paderborn/warburg": "0t 0t 0m"})
    play(game, "claim paderborn/warburg")
    assert game.legal() == ["done", "office paderborn", "office warburg"]
