"""Scenarios 11 to 16: green cities on the board East (R9.7 to R9.11), and the marker that places an office there (R9.14)."""

import pytest

from tests.rules.scenario import rule

from .positions import play
from .test_east import east


def malmo_visby_held(supply="1m", **more):
    posts = {"malmo/visby": "0t 0t", "malmo/visby:ship": "0m"}
    abilities = {0: {"book": 2}}
    return east(posts=posts, abilities=abilities, supply={0: supply}, **more)


@rule("R9.9", "R9.14")
def test_11_the_office_in_a_green_city_comes_from_the_supply(make_game) -> None:
    game = make_game(*malmo_visby_held(supply=""))
    play(game, "claim malmo/visby", "done")
    assert game.position()["asked"] == "act"
    game = make_game(*malmo_visby_held(supply="1m"))
    play(game, "claim malmo/visby", "done")
    assert game.position()["asked"] == "green"
    assert game.legal() == ["city belgard", "city dresden", "city waren", "done"]
    play(game, "city belgard")
    after = game.position()
    assert after["offices"]["belgard"] == ["0m"]
    assert after["supply"][0] == [0, 0]
    assert after["completed"] == 1


@rule("R9.2", "R9.10", "R9.16", "D19")
def test_12_an_office_in_a_green_city_makes_the_link(make_game) -> None:
    offices = {"lubeck": "0t", "wismar": "0t", "stettin": "0t", "kulm": "0t", "danzig": "0t", "belgard": "0t"}
    game = make_game(*malmo_visby_held(offices=offices))
    before = game.position()
    play(game, "claim malmo/visby", "done", "city waren")
    after = game.position()
    assert after["completed"] == before["completed"] + 1
    assert after["linked"] == [0]
    assert after["prestige"] == [7, 0, 0]


@rule("R9.8", "R9.9", "R9.10")
def test_13_control_of_a_green_city(make_game) -> None:
    game = make_game(*malmo_visby_held(extras={"dresden": "0t"}, offices={"dresden": "1t"}))
    assert [row[4] for row in game.scores()] == [0, 2, 0]
    play(game, "claim malmo/visby", "done", "city dresden")
    after = game.position()
    assert after["offices"]["dresden"] == ["1t", "0m"]
    assert after["completed"] == 1
    assert [row[4] for row in game.scores()] == [2, 0, 0]


@rule("R9.9")
@pytest.mark.parametrize("first", ["0t", "1t"])
def test_13_a_green_city_is_completed_once(make_game, first) -> None:
    game = make_game(*malmo_visby_held(offices={"dresden": first}))
    assert game.position()["completed"] == 1
    play(game, "claim malmo/visby", "done", "city dresden")
    assert game.position()["completed"] == 1


@rule("R9.11", "D14")
@pytest.mark.parametrize("turn", [0, 1])
def test_14_exchange_in_a_green_city(make_game, turn: int) -> None:
    given = {"extras": {"dresden": "0t"}, "offices": {"dresden": "1t 2t"}, "markers": {turn: ["exchange"]}}
    game = make_game(*east(turn=turn, **given))
    play(game, "exchange")  # the one city and its one pair are no choice
    after = game.position()
    assert after["offices"]["dresden"] == ["2t", "1t"]
    assert after["extras"] == {"dresden": ["0t"]}


@rule("R9.3", "R9.7", "R9.9", "D20")
def test_15_rewards_at_an_empty_green_city(make_game) -> None:
    given = {"posts": {"waren/havelberg": "0t 0t 0t"}, "markers": {0: ["extra-office"]}}
    game = make_game(*east(**given))
    play(game, "claim waren/havelberg")
    assert game.legal() == ["develop actions", "develop bank", "done", "extra", "office havelberg"]
    play(game, "extra")
    after = game.position()
    assert after["extras"] == {"waren": ["0t"]}
    assert after["completed"] == 1
    game = make_game(*east(offices={"havelberg": "1t"}, **given))
    play(game, "claim waren/havelberg", "extra")
    assert game.legal() == ["city havelberg", "city waren"]


@rule("R9.1", "R9.9", "R9.16")
def test_16_a_green_city_ends_the_game(make_game) -> None:
    offices = dict.fromkeys(("perleberg", "visby", "tangermunde", "berlin-colln", "wittenberg"), "1t")
    offices |= dict.fromkeys(("wismar", "stralsund", "anklam", "konigsberg"), "2t 2t")
    game = make_game(*malmo_visby_held(offices=offices))
    assert game.position()["completed"] == 9
    play(game, "claim malmo/visby", "done", "city belgard")
    after = game.position()
    assert (after["asked"], after["completed"]) == ("over", 10)
    assert game.legal() == []


@rule("R9.14")
def test_the_kind_of_the_office_is_chosen(make_game) -> None:
    game = make_game(*malmo_visby_held(supply="1t1m"))
    play(game, "claim malmo/visby", "done", "city belgard")
    assert (game.position()["asked"], game.legal()) == ("with", ["merchant", "trader"])
    play(game, "trader")
    assert game.position()["offices"]["belgard"] == ["0t"]
    assert game.position()["supply"][0] == [0, 1]
