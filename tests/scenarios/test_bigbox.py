"""Scenarios 49 and 57: the edition bigbox (R13.1 to R13.3)."""

import pytest

from tests.rules.scenario import rule

from .positions import play, position, starting_with


def bigbox(**given):
    return position("base-2-3", edition="bigbox", **given)


def moving():
    lanes = {"stade/hamburg": "1m", "hamburg/lubeck": "2t", "hannover/minden": "0t"}
    return bigbox(posts=lanes, markers={0: ["move-three"]})


@rule("R13.3", "D28")
def test_49_other_seats_pieces_change_places(make_game) -> None:
    game = make_game(*moving())
    play(game, "remove")
    assert game.legal() == ["route hamburg/lubeck", "route stade/hamburg"]
    play(game, "route stade/hamburg")
    assert game.legal() == ["done", "route hamburg/lubeck"]
    play(game, "route hamburg/lubeck")
    after = game.position()
    assert (after["asked"], after["hand"]) == ("drop", ["1m", "2t"])
    play(game, "put merchant hamburg/lubeck", "put trader stade/hamburg")
    after = game.position()
    assert [piece for piece in after["posts"]["hamburg/lubeck"] if piece] == ["1m"]
    assert [piece for piece in after["posts"]["stade/hamburg"] if piece] == ["2t"]
    assert after["used"][0] == ["move-three"]
    assert (after["asked"], after["actions_left"]) == ("act", 2)


def test_49_one_is_enough(make_game) -> None:
    game = make_game(*moving())
    play(game, "remove", "route stade/hamburg", "done")
    assert "put merchant stade/hamburg" in starting_with(game, "put")
    assert game.position()["hand"] == ["1m"]


def test_49_not_without_pieces_of_others(make_game) -> None:
    game = make_game(*bigbox(posts={"stade/hamburg": "0m"}, markers={0: ["move-three"]}))
    assert "remove" not in game.legal()


@rule("R13.1")
@pytest.mark.parametrize(
    ("removed", "prestige", "offices", "winners"),
    [
        ((1, 2, 2), (20, 20, 20), {}, [0]),  # three actions each
        ((1, 1, 1), (23, 20, 23), {"stade": "1m"}, [1]),  # seat 1 has 2 for control and 1 for its network
        ((1, 2, 2), (23, 20, 23), {"stade": "1m"}, [0]),
        ((2, 1, 1), (20, 20, 20), {}, [1, 2]),
    ],
)
def test_57_ties(make_game, removed, prestige, offices, winners) -> None:
    abilities = {seat: {"actions": count} for seat, count in enumerate(removed)}
    game = make_game(*bigbox(abilities=abilities, prestige=dict(enumerate(prestige)), offices=offices))
    play(game, starting_with(game, "income")[0])
    assert game.position()["asked"] == "over"
    assert len({row[-1] for row in game.scores()}) == 1
    assert sorted(game.winners()) == winners


def test_14_in_the_edition_bigbox_one_of_the_two_is_ones_own(make_game) -> None:
    given = {"extras": {"dresden": "0t"}, "offices": {"dresden": "1t 2t"}, "edition": "bigbox"}
    game = make_game(*position("east", markers={0: ["exchange"]}, **given))
    assert "exchange" not in game.legal()
    game = make_game(*position("east", turn=1, markers={1: ["exchange"]}, **given))
    assert "exchange" in game.legal()
