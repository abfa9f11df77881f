"""Scenarios 1 to 10, 17 to 20 and 54, and set-up and prestige table: the board East, except its green cities (R9)."""

import pytest

from tests.rules.scenario import rule

from .positions import ALL_DEVELOPED, lanes, play, position, starting_with

KRAKAU = ("dresden/krakau", "thorn/krakau", "breslau/krakau", "frankfurt/breslau")  # far from Wismar


def east(**given):
    return position("east", **given)


@rule("R9.4", "D21")
def test_01_only_a_merchant_may_stand_on_a_ship(make_game) -> None:
    game = make_game(*east(supply={0: "2t"}))
    assert "place trader wismar/stralsund" in game.legal()
    assert not [text for text in game.legal() if text.endswith(":ship")]
    game = make_game(*east(supply={0: "2t"}, posts={"wismar/stralsund": "2t"}))
    assert not [text for text in game.legal() if "wismar/stralsund" in text]


@rule("R9.4")
def test_02_a_merchant_may_take_either_post(make_game) -> None:
    game = make_game(*east(supply={0: "1t1m"}))
    assert sorted(text for text in game.legal() if "wismar/stralsund" in text) == [
        "place merchant wismar/stralsund",
        "place merchant wismar/stralsund:ship",
        "place trader wismar/stralsund",
    ]


@rule("R9.4", "R9.5")
def test_03_displacing_from_a_ship(make_game) -> None:
    ship = {"malmo/danzig:ship": "1m"}
    game = make_game(*east(posts=ship, supply={0: "3t"}))
    assert "displace" not in game.legal()
    game = make_game(*east(posts=ship, supply={0: "2t1m"}))
    play(game, "displace")
    after = game.position()
    assert after["ships"]["malmo/danzig"] == ["0m"]
    assert after["supply"][0] == [0, 0]
    assert (after["asked"], after["seat"]) == ("relocate", 1)
    assert starting_with(game, "put merchant") == sorted(
        "put merchant " + lane
        for lane in (
            "stralsund/malmo",
            "stralsund/malmo:ship",
            "malmo/visby",
            "malmo/visby:ship",
            "konigsberg/danzig",
            "belgard/danzig",
            "danzig/braunsberg",
        )
    )


def displaced_at_wismar(piece, stock, supply):
    posts = {"lubeck/wismar": piece, "wismar/waren": "2t 2t 2t", "wismar/stralsund": "2t"}
    return east(posts=posts, supply={0: supply, 1: ""}, stock={1: stock}, parked=KRAKAU)


TWO_CITIES_AWAY = ["put trader " + route for route in ("stralsund/malmo", "waren/havelberg", "waren/stettin")]


@rule("R9.5", "D16")
def test_04_a_displaced_trader_passes_by_free_ships(make_game) -> None:
    game = make_game(*displaced_at_wismar("1t", "", "2t"))
    play(game, "displace", "route lubeck/wismar")
    assert game.legal() == TWO_CITIES_AWAY


@rule("R9.5")
def test_05_the_distance_is_judged_for_each_piece_by_its_kind(make_game) -> None:
    game = make_game(*displaced_at_wismar("1t", "1m", "2t"))
    play(game, "displace", "route lubeck/wismar")
    assert game.legal() == ["put merchant wismar/stralsund:ship", *TWO_CITIES_AWAY]
    play(game, "put trader waren/stettin")
    assert game.legal() == ["done", "put merchant wismar/stralsund:ship"]


@rule("R9.5")
def test_06_a_displaced_merchant_goes_to_the_ship(make_game) -> None:
    game = make_game(*displaced_at_wismar("1m", "", "3t"))
    play(game, "displace", "route lubeck/wismar")
    after = game.position()
    assert after["ships"]["wismar/stralsund"] == ["1m", None]
    assert after["hand"] == []


def wismar_stralsund_held(**more):
    posts = {"wismar/stralsund": "0t", "wismar/stralsund:ship": "0m 0m", "lubeck/wismar": "1t", "waren/stettin": "0m"}
    abilities = {0: {"privilege": 1, "book": 2}}
    return east(posts=posts, abilities=abilities, **more)


@rule("R9.14", "R9.15")
def test_07_two_pieces_change_places(make_game) -> None:
    game = make_game(*wismar_stralsund_held())
    before = game.position()
    play(game, "claim wismar/stralsund")
    assert game.legal() == ["done", "office stralsund", "office wismar"]
    play(game, "done")
    assert game.legal() == ["done", "route lubeck/wismar", "route waren/stettin"]
    play(game, "route lubeck/wismar")
    assert game.position()["hand"] == ["1t"]
    play(game, "route waren/stettin")
    assert (game.position()["asked"], game.position()["hand"]) == ("drop", ["1t", "0m"])
    play(game, "put trader waren/stettin", "put merchant lubeck/wismar")
    after = game.position()
    assert after["posts"]["waren/stettin"] == ["1t", None, None, None]
    assert after["posts"]["lubeck/wismar"] == ["0m", None, None]
    assert after["supply"] == before["supply"]
    assert (after["asked"], after["seat"]) == ("act", 0)


@rule("R9.14")
def test_07_an_office_needs_the_privilege(make_game) -> None:
    posts = {"wismar/stralsund": "0t", "wismar/stralsund:ship": "0m 0m", "lubeck/wismar": "1t"}
    game = make_game(*east(posts=posts, abilities={0: {"book": 1}}))
    play(game, "claim wismar/stralsund")
    assert game.position()["asked"] == "fetch"


@rule("R9.15")
def test_08_fewer_than_two_may_be_moved(make_game) -> None:
    game = make_game(*wismar_stralsund_held())
    play(game, "claim wismar/stralsund", "done", "done")
    assert game.position()["asked"] == "act"
    game = make_game(*wismar_stralsund_held())
    play(game, "claim wismar/stralsund", "done", "route waren/stettin", "done")
    after = game.position()
    assert (after["asked"], after["hand"]) == ("drop", ["0m"])


@rule("R9.14", "D18")
def test_09_privilege_is_developed_after_the_reward(make_game) -> None:
    posts = {"stralsund/malmo": "0t", "stralsund/malmo:ship": "0m 0m"}
    game = make_game(*east(posts=posts, abilities={0: {"book": 1}}, supply={0: "3t"}))
    play(game, "claim stralsund/malmo")
    assert game.legal() == ["done", "office malmo"]
    play(game, "office malmo")
    assert game.position()["asked"] == "permanent"
    assert game.legal() == ["develop privilege", "done"]
    play(game, "develop privilege")
    after = game.position()
    assert after["abilities"][0]["privilege"] == 1
    assert after["supply"][0] == [4, 0]


@rule("R9.14")
def test_10_nothing_left_to_develop(make_game) -> None:
    posts = {"stralsund/malmo": "0t", "stralsund/malmo:ship": "0m 0m"}
    game = make_game(*east(posts=posts, abilities={0: {"book": 1, "privilege": 3}}))
    play(game, "claim stralsund/malmo", "done")
    assert game.position()["asked"] == "act"


def malmo_danzig_held(**more):
    posts = {"malmo/danzig": "0t 0t 0t", "malmo/danzig:ship": "0m"}
    return east(posts=posts, supply={0: "4t"}, **more)


@rule("R9.14")
def test_17_the_marker_is_used_even_when_the_claim_ends_the_game(make_game) -> None:
    game = make_game(*malmo_danzig_held(offices={"danzig": "0t"}, prestige={0: 19}))
    pile = game.position()["pile"]
    play(game, "claim malmo/danzig", "done", "put trader dresden/krakau", "put trader dresden/krakau")
    after = game.position()
    assert after["asked"] == "over"
    assert after["prestige"][0] == 20
    assert after["posts"]["dresden/krakau"] == ["0t", "0t", None, None]
    assert after["pile"] == pile


@rule("R9.14", "R9.15", "D17")
def test_18_two_pieces_of_the_route_on_free_posts_anywhere(make_game) -> None:
    game = make_game(*malmo_danzig_held())
    stock = game.position()["stock"][0]
    play(game, "claim malmo/danzig", "done")
    after = game.position()
    assert (after["asked"], after["hand"]) == ("land", ["t", "t", "t", "m"])
    assert after["posts"]["malmo/danzig"] == [None, None, None]
    everywhere = ["put merchant " + lane for lane in lanes("east")]
    houses = ["put trader " + lane for lane in lanes("east") if not lane.endswith(":ship")]
    assert game.legal() == sorted(["done", *everywhere, *houses])
    play(game, "put merchant malmo/danzig:ship", "put trader malmo/danzig")
    after = game.position()
    assert after["asked"] == "act"
    assert after["stock"][0] == [stock[0] + 2, stock[1]]


@rule("R9.14")
def test_19_the_office_is_no_longer_among_them(make_game) -> None:
    game = make_game(*malmo_danzig_held())
    play(game, "claim malmo/danzig", "office danzig")
    assert game.position()["hand"] == ["t", "t", "m"]


@rule("R9.12", "R9.13", "D15")
def test_20_where_a_replacement_marker_may_lie(make_game) -> None:
    def offered(**offices):
        game = make_game(*east(plate={0: 1}, offices=offices, actions_left=0, turn=0, supply={1: "6t1m"}))
        if game.position()["asked"] == "act":
            play(game, "done")
        assert game.position()["asked"] == "marker"
        return {text.removeprefix("route ") for text in game.legal()}

    maritime = {"wismar/stralsund", "stralsund/malmo", "malmo/visby", "malmo/danzig"}
    routes = {lane for lane in lanes("east") if not lane.endswith(":ship")}
    assert offered() == routes - maritime
    assert "dresden/krakau" not in offered(krakau="1t 1t 1t")
    assert "thorn/krakau" in offered(krakau="1t 1t 1t")
    assert "belgard/kulm" not in offered(kulm="1t 1t")


def crowded(posts, **given):
    """Five players, and no house post is free but on the lanes that are named."""
    filled, seats = {}, [0] * 18 + [1] * 10 + [2] * 22 + [3] * 24 + [4] * 21
    for lane, size in lanes("east").items():
        if not lane.endswith(":ship") and lane not in posts:
            filled[lane] = " ".join(str(seats.pop()) + "t" for _ in range(size))
    developed = {seat: ALL_DEVELOPED for seat in range(5)}
    return east(players=5, abilities=developed, posts=filled | posts, **given)


@rule("R9.6")
def test_54_the_last_house_post_is_kept_for_the_displaced_trader(make_game) -> None:
    game = make_game(*crowded({"lubeck/wismar": "1t 0t 0t", "wismar/stralsund": ""}, supply={0: "2t"}))
    play(game, "displace", "route lubeck/wismar")
    assert game.position()["seat"] == 1
    assert game.legal() == ["put merchant wismar/stralsund:ship", "put trader wismar/stralsund"]


@rule("R9.6")
@pytest.mark.parametrize(("there", "kept"), [("2t 2t", True), ("2t", False)], ids=["one post", "two posts"])
def test_54_of_two_house_posts_one_may_be_filled(make_game, there, kept) -> None:
    game = make_game(*crowded({"lubeck/wismar": there, "wismar/waren": "1t 0t 0t"}, supply={0: "2t"}))
    play(game, "displace", "route wismar/waren")
    assert game.position()["seat"] == 1
    assert {"put trader lubeck/wismar", "put merchant wismar/stralsund:ship"} <= set(game.legal())
    assert ("put merchant lubeck/wismar" not in game.legal()) == kept


@rule("R9.4", "R9.15")
def test_18_of_two_lifted_merchants_either_may_take_the_last_house_post(make_game) -> None:
    held = {"wismar/stralsund": "0t", "wismar/stralsund:ship": "0m 0m"}  # by the claim its posts are free
    game = make_game(*crowded(held | {"stralsund/malmo:ship": "2m 3m"}))
    play(game, "claim wismar/stralsund", "done")  # without an office
    play(game, "route stralsund/malmo:ship", "2m", "route stralsund/malmo:ship")
    for _ in range(2):
        assert game.position()["asked"] == "drop"
        assert "put merchant wismar/stralsund" in game.legal()
        play(game, "put merchant wismar/stralsund:ship")
    assert game.position()["asked"] == "act"


@rule("R9.4", "R9.5")
def test_04_the_last_house_post_is_kept_for_a_moved_trader(make_game) -> None:
    game = make_game(*crowded({"lubeck/wismar": "0t 2t 2t", "wismar/stralsund:ship": "0m"}))
    play(game, "move", "lift trader lubeck/wismar", "lift merchant wismar/stralsund:ship", "done")
    assert starting_with(game, "put trader") == ["put trader lubeck/wismar"]
    assert "put merchant wismar/stralsund:ship" in game.legal()
    assert "put merchant lubeck/wismar" not in game.legal()


@rule("R9.1")
def test_a_coin_of_havelberg(make_game) -> None:
    game = make_game(*east(posts={"waren/havelberg": "0t 0t 0t"}))
    play(game, "claim waren/havelberg", "office havelberg")
    assert game.position()["prestige"] == [1, 0, 0]


@rule("R9.2")
@pytest.mark.parametrize("owner", [0, 1])
def test_the_prestige_table_of_konigsberg(make_game, owner) -> None:
    given = {"abilities": {0: {"book": 2, "privilege": 1}}, "prestige_spaces": {"7": owner}}
    game = make_game(*east(posts={"konigsberg/danzig": "0m 0t 0t 0t"}, **given))
    play(game, "claim konigsberg/danzig")
    assert starting_with(game, "prestige") == ["prestige 8"]
    play(game, "prestige 8")
    assert game.position()["prestige_spaces"] == {"7": owner, "8": 0, "9": None, "11": None}
    assert [row[3] for row in game.scores()] == [[15, 0, 0], [8, 7, 0]][owner]


@rule("R9.3")
def test_waren_offers_what_is_not_fully_developed(make_game) -> None:
    game = make_game(*east(posts={"waren/havelberg": "0t 0t 0t"}, abilities={0: {"actions": 5}}))
    play(game, "claim waren/havelberg")
    assert starting_with(game, "develop") == ["develop bank"]


@rule("R9.5")
def test_a_move_puts_traders_on_house_posts_only(make_game) -> None:
    posts = {"lubeck/wismar": "0t", "wismar/stralsund:ship": "0m"}
    game = make_game(*east(posts=posts, abilities={0: {"book": 1}}))
    play(game, "move")
    assert game.legal() == ["lift merchant wismar/stralsund:ship", "lift trader lubeck/wismar"]
    play(game, "lift merchant wismar/stralsund:ship", "lift trader lubeck/wismar")
    assert starting_with(game, "put trader") == sorted("put trader " + lane for lane in lanes("east") if ":ship" not in lane)
    assert starting_with(game, "put merchant") == sorted("put merchant " + lane for lane in lanes("east"))


@rule("R9.15", "D17")
def test_nothing_need_be_put_down(make_game) -> None:
    game = make_game(*malmo_danzig_held())
    stock = game.position()["stock"][0]
    play(game, "claim malmo/danzig", "done", "done")
    after = game.position()
    assert (after["asked"], after["stock"][0]) == ("act", [stock[0] + 3, stock[1] + 1])
