"""R8.1: two players with the pawn."""

import pytest

from hansa_env import Game, Ruleset
from tests.rules.scenario import POSTS, TWO_PAWN, after, board, board_json, play, rule, see, verbs

ALL = [f"P{number:02}" for number in range(1, 17)]


@rule("R8.1.1")
def test_sixteen_provinces_and_four_guards():
    """Every route has two of the 16 provinces at its sides, and so has each guard."""
    data = board_json()["provinces"]
    assert sorted(province["id"] for province in data["provinces"]) == ALL
    guards = {tuple(guard["cities"]): guard["provinces"] for guard in data["guards"]}
    assert guards == {
        ("osnabruck", "munster"): ["P02", "P03"],
        ("munster", "dortmund"): ["P07", "P08"],
        ("luneburg", "brunswick"): ["P05", "P06"],
        ("brunswick", "goslar"): ["P09", "P10"],
    }
    assert set(data["route_sides"]) == set(POSTS)
    assert {side for sides in data["route_sides"].values() for side in sides} == set(ALL)


@rule("R8.1.1", "R8.1.3")
@pytest.mark.parametrize(
    ("pawn", "unreachable"),
    [
        ("P01", ["P02", "P07", "P08"]),
        ("P08", ["P01", "P06", "P12", "P13", "P14"]),
        ("P14", ["P02", "P03", "P04", "P05", "P07", "P08", "P11"]),
    ],
)
def test_one_or_two_provinces_over_routes_or_guards(pawn, unreachable):
    """From P01 three lie too far away; P08 reaches P02 only by the guards at Münster; P14 lies in the corner."""
    game = board(TWO_PAWN, pawn=pawn)
    assert after(game, "pawn") == [province for province in ALL if province not in (pawn, *unreachable)]


@rule("R8.1.2")
def test_seat_1_sets_the_pawn_up():
    """Before the first turn, anywhere; then seat 0 has its whole turn."""
    game = Game(TWO_PAWN, seed=2)
    assert (game.seat, game.asked, see(game, "turn"), see(game, "pawn")) == (1, "pawn", 0, None)
    assert game.legal() == [f"pawn {province}" for province in ALL]
    play(game, "pawn P07")
    assert (game.seat, game.asked, see(game, "pawn"), see(game, "actions_left")) == (0, "act", "P07", 2)
    assert game.record()["decisions"] == [[1, "pawn P07"]]


@rule("R8.1.2")
def test_the_pawn_belongs_to_the_variant():
    """The first edition's default for two; with neutral traders or three players there is none."""
    assert Ruleset(2, "first").two_players == "pawn"
    for ruleset in (Ruleset(2, "second"), Ruleset(2, "fourth"), Ruleset(2, "first", "neutral"), Ruleset(3, "first")):
        game = Game(ruleset)
        assert (game.seat, game.asked, see(game, "pawn")) == (0, "act", None)
        assert not verbs(game) & {"pawn", "ride"}


@rule("R8.1.3")
def test_free_move_before_the_first_action():
    """It costs nothing and happens once; the turn then ends with the last action."""
    game = board(TWO_PAWN, pawn="P01")
    play(game, "pawn P04")
    assert (game.seat, see(game, "pawn"), see(game, "actions_left")) == (0, "P04", 2)
    assert after(game, "pawn") == []
    play(game, "income 0")
    assert after(game, "pawn") == []
    play(game, "place trader bremen/minden")
    assert (game.seat, game.asked, see(game, "actions_left")) == (1, "act", 2)
    assert "P01" in after(game, "pawn")


@rule("R8.1.3")
def test_free_move_after_the_last_action_ends_the_turn():
    """With no action left it is still offered, and then seat 1 plays."""
    game = board(TWO_PAWN, pawn="P01")
    play(game, "income 0", "place trader hamburg/bremen")
    assert (game.seat, see(game, "actions_left")) == (0, 0)
    assert verbs(game) == {"pawn", "done"}
    assert len(after(game, "pawn")) == 12
    twin = game.copy()
    play(game, "pawn P13")
    assert (game.seat, see(game, "turn"), see(game, "pawn"), see(game, "actions_left")) == (1, 1, "P13", 2)
    play(twin, "done")
    assert (twin.seat, see(twin, "pawn")) == (1, "P01")


@rule("R8.1.3", "D10")
def test_free_move_after_an_early_stop():
    """After one of two actions the free move is the last thing of the turn."""
    game = board(TWO_PAWN, pawn="P01")
    play(game, "income 0")
    assert see(game, "actions_left") == 1
    play(game, "pawn P04")
    assert (game.seat, see(game, "pawn"), see(game, "actions_left")) == (1, "P04", 2)


@rule("R8.1.3", "R2.3")
def test_a_marker_is_no_action():
    """A marker used first leaves the free move before the first action; +3 is still usable after that."""
    game = board(TWO_PAWN, pawn="P01", markers={0: ["upgrade", "+3"]})
    play(game, "develop keys", "pawn P04")
    assert (game.seat, see(game, "pawn"), see(game, "actions_left")) == (0, "P04", 2)
    play(game, "+3")
    assert (game.seat, see(game, "actions_left")) == (0, 5)
    assert after(game, "pawn") == []


@rule("R8.1.3")
def test_a_ride_to_any_province_for_an_action():
    """All provinces but the pawn's own, between actions, as often as actions allow; the free move is still there."""
    game = board(TWO_PAWN, pawn="P01")
    play(game, "ride")
    assert (game.asked, see(game, "actions_left")) == ("ride", 1)
    assert game.legal() == [f"pawn {province}" for province in ALL[1:]]
    play(game, "pawn P07")
    assert (game.seat, game.asked, see(game, "pawn"), see(game, "actions_left")) == (0, "act", "P07", 1)
    assert "ride" in game.legal()
    play(game, "ride", "pawn P08")
    assert (game.seat, see(game, "actions_left")) == (0, 0)
    assert verbs(game) == {"pawn", "done"}


@rule("R8.1.3")
def test_a_ride_after_the_free_move():
    """The free move spent, the pawn may still ride, even back."""
    game = board(TWO_PAWN, pawn="P01")
    play(game, "pawn P04", "ride", "pawn P01")
    assert (game.seat, see(game, "pawn"), see(game, "actions_left")) == (0, "P01", 1)
    assert after(game, "pawn") == []


@rule("R8.1.4")
def test_place_only_on_routes_of_the_province():
    """P14 has two routes, P04 three."""
    game = board(TWO_PAWN, pawn="P14")
    assert after(game, "place trader") == ["gottingen/quedlinburg", "quedlinburg/halle"]
    assert after(game, "place merchant") == ["gottingen/quedlinburg", "quedlinburg/halle"]
    game = board(TWO_PAWN, pawn="P04")
    assert after(game, "place trader") == ["bremen/hannover", "bremen/minden", "hannover/minden"]
    play(game, "ride", "pawn P14")
    assert after(game, "place trader") == ["gottingen/quedlinburg", "quedlinburg/halle"]


@rule("R8.1.4")
def test_claim_only_routes_of_the_province():
    """Of two whole routes one borders the province; an extra office needs a claim."""
    posts = {"gottingen/quedlinburg": "0t 0t 0t", "duisburg/dortmund": "0t 0t"}
    game = board(TWO_PAWN, pawn="P14", posts=posts)
    assert after(game, "claim") == ["gottingen/quedlinburg"]
    game = board(TWO_PAWN, pawn="P16", posts=posts)
    assert after(game, "claim") == ["duisburg/dortmund"]


@rule("R8.1.4")
def test_displace_only_on_routes_of_the_province():
    """A victim elsewhere does not count; the relocation may leave the province."""
    assert "displace" not in board(TWO_PAWN, pawn="P14", posts={"duisburg/dortmund": "1t"}).legal()
    posts = {"duisburg/dortmund": "1t", "gottingen/quedlinburg": "1t"}
    game = board(TWO_PAWN, pawn="P14", posts=posts, supply={0: (4, 0)})
    play(game, "displace")
    assert (game.seat, game.asked) == (1, "relocate")
    assert see(game, "posts", "gottingen/quedlinburg") == ["0t", None, None]
    assert after(game, "put trader") == ["goslar/quedlinburg", "quedlinburg/halle"]


@rule("R8.1.4")
def test_move_income_and_markers_are_not_restricted():
    """Pieces move from and to everywhere; markers take pieces from anywhere."""
    game = board(TWO_PAWN, pawn="P14", posts={"duisburg/dortmund": "0t", "stade/hamburg": "1t"},
                 offices={"hamburg": "1t 0t"}, markers={0: ["remove-three", "exchange"]}, route_markers={})  # fmt: skip
    assert {"income", "move", "remove", "exchange"} < verbs(game)
    twin = game.copy()
    play(game, "move")
    assert after(game, "put trader") == sorted(POSTS)
    play(twin, "remove")
    assert after(twin, "route") == ["duisburg/dortmund", "stade/hamburg"]


@rule("R8.1.3")
def test_a_position_tells_whether_an_action_was_taken():
    """With +3 used, four actions are left after the first, as many as a turn may begin with: only `acted` tells."""
    game = board(TWO_PAWN, pawn="P01", markers={0: ["+3"]})
    play(game, "+3", "income 0")
    assert Game.from_position(game.position()).legal() == game.legal()
    play(game, "pawn P04")
    assert game.seat == 1
