"""Scenarios 50 to 52: the promo markers (R13.5 to R13.8)."""

import pytest

from tests.rules.scenario import rule

from .positions import play, position, starting_with

ALL_MARKERS = {"extra-office": 3, "exchange": 2, "move-three": 2, "+3": 1, "+4": 1, "trade-in": 2, "tribute": 2, "block": 2}


def promos(tokens=None, board="base-2-3", **given):
    tokens = tokens or {}
    laid = [token.split() for row in tokens.values() for token in row]
    return position(
        board,
        edition="bigbox",
        all_markers=ALL_MARKERS,
        on_routes=[kind for kind, _ in laid],
        on_tokens=[seat + "t" for _, seat in laid],
        module={"tokens": tokens},
        **given,
    )


@rule("R13.4", "R13.5")
def test_50_a_trade_in(make_game) -> None:
    game = make_game(*promos(markers={0: ["trade-in"]}, used={1: ["+4", "exchange"]}))
    play(game, "trade-in")  # one seat only has used markers
    assert game.position()["asked"] == "spend"
    assert game.position()["used"][0] == ["trade-in"]
    assert game.legal() == ["+4", "exchange"]
    play(game, "+4")
    after = game.position()
    assert after["markers"][0] == ["+4"]
    assert after["used"][0] == []
    assert sorted(after["used"][1]) == ["exchange", "trade-in"]
    assert after["actions_left"] == 2
    assert "+4" in game.legal()
    play(game, "+4")
    assert game.position()["actions_left"] == 6


@rule("R13.5")
def test_50_one_of_two_is_taken(make_game) -> None:
    game = make_game(*promos(markers={0: ["trade-in"]}, used={0: ["trade-in"], 1: ["exchange", "exchange", "+4"]}))
    play(game, "trade-in", "exchange")
    after = game.position()
    assert after["used"][0] == ["trade-in"], "the one of an earlier turn stays"
    assert (after["markers"][0], sorted(after["used"][1])) == (["exchange"], ["+4", "exchange", "trade-in"])


def test_50_the_seat_is_chosen(make_game) -> None:
    game = make_game(*promos(markers={0: ["trade-in"]}, used={1: ["+4"], 2: ["exchange"]}))
    play(game, "trade-in")
    assert game.legal() == ["seat 1", "seat 2"]
    play(game, "seat 2")
    assert game.position()["markers"][0] == ["exchange"]


@rule("D29")
def test_50_not_without_a_marker_to_take(make_game) -> None:
    game = make_game(*promos(markers={0: ["trade-in"]}))
    assert "trade-in" not in game.legal()
    game = make_game(*promos(markers={0: ["trade-in"]}, used={0: ["+4"], 1: ["trade-in"]}))
    assert "trade-in" not in game.legal()


def founding_in_halle(seat, stock, supply="2t", turn=0):
    """The seat whose turn it is holds Magdeburg-Halle; a tribute of seat 1 lies above Halle-Dresden."""
    return promos(
        board="east",
        tokens={"halle/dresden": [f"tribute {seat}"]},
        posts={"magdeburg/halle": f"{turn}t {turn}t {turn}t"},
        supply={1: supply},
        stock={1: stock},
        parked=["waren/stettin", "belgard/danzig", "danzig/braunsberg", "konigsberg/danzig"],
        turn=turn,
    )


@rule("R13.6")
def test_51_a_tribute_when_another_founds(make_game) -> None:
    game = make_game(*founding_in_halle(1, "3t1m", supply="2t"))
    play(game, "claim magdeburg/halle", "office halle")
    after = game.position()
    assert (after["asked"], after["seat"], after["turn"]) == ("tribute", 1, 0)
    assert game.legal() == ["income 0", "income 1"]
    play(game, "income 1")
    after = game.position()
    assert (after["supply"][1], after["stock"][1]) == ([3, 1], [2, 0])
    assert (after["asked"], after["seat"]) == ("act", 0)


def test_51_no_question_without_a_choice(make_game) -> None:
    game = make_game(*founding_in_halle(1, "3t", supply="2t1m"))
    play(game, "claim magdeburg/halle", "office halle")
    after = game.position()
    assert (after["asked"], after["supply"][1], after["stock"][1]) == ("act", [4, 1], [1, 0])


def test_51_a_short_stock(make_game) -> None:
    game = make_game(*founding_in_halle(1, "1t", supply="2t1m"))
    play(game, "claim magdeburg/halle", "office halle")
    after = game.position()
    assert (after["asked"], after["supply"][1], after["stock"][1]) == ("act", [3, 1], [0, 0])


def test_51_ones_own_founding_pays_too(make_game) -> None:
    game = make_game(*founding_in_halle(1, "", supply="2t1m", turn=1))
    play(game, "claim magdeburg/halle", "office halle")
    after = game.position()  # the two other traders of the route were in the stock already
    assert (after["supply"][1], after["stock"][1]) == ([4, 1], [0, 0])


@pytest.mark.parametrize(("turn", "order"), [(0, [1, 2]), (1, [1, 2]), (2, [2, 1])])
def test_51_several_owners_from_the_active_player_on(make_game, turn, order) -> None:
    posts = {"magdeburg/halle": f"{turn}t {turn}t {turn}t"}
    merchants_in_stock = {seat: {"book": 3} for seat in (1, 2)}
    tokens = {"halle/dresden": ["tribute 2", "tribute 1"]}
    game = make_game(*promos(tokens, "east", posts=posts, turn=turn, abilities=merchants_in_stock))
    play(game, "claim magdeburg/halle", "office halle")
    for seat in order:
        after = game.position()
        assert (after["asked"], after["seat"], after["turn"]) == ("tribute", seat, turn)
        play(game, "income 2")
        assert game.position()["supply"][seat][1] == after["supply"][seat][1] + 2
    assert (game.position()["asked"], game.position()["seat"]) == ("act", turn)


def test_51_only_for_offices(make_game) -> None:
    game = make_game(*founding_in_halle(1, "3t", supply="2t1m"))
    play(game, "claim magdeburg/halle", "develop privilege")
    assert game.position()["supply"][1] == [2, 1]


BLOCKED = {"stade/hamburg": ["block 1", "block 2"]}


@rule("R13.7")
@pytest.mark.parametrize("blocks", [["block 1"], ["block 1", "block 2"]], ids=["one", "two"])
@pytest.mark.parametrize("route", ["groningen/emden", "stade/hamburg"])
def test_52_placing_on_a_blocked_route(make_game, route, blocks) -> None:
    game = make_game(*promos(tokens={route: blocks}, supply={0: f"{len(blocks)}t"}))
    assert f"place trader {route}" not in game.legal()
    assert "place trader hamburg/lubeck" in game.legal()
    game = make_game(*promos(tokens={route: blocks}, supply={0: f"{len(blocks) + 1}t"}))
    stock = game.position()["stock"][0][0]
    play(game, f"place trader {route}")
    after = game.position()
    assert (after["supply"][0], after["stock"][0][0]) == ([0, 0], stock + len(blocks))


def test_52_the_kinds_paid_are_chosen(make_game) -> None:
    game = make_game(*promos(tokens=BLOCKED, supply={0: "3t1m"}))
    play(game, "place trader stade/hamburg")
    assert game.position()["asked"] == "pay"
    play(game, "merchant")
    assert game.position()["supply"][0] == [1, 0]


def test_52_displacing_is_not_charged(make_game) -> None:
    game = make_game(*promos(tokens=BLOCKED, posts={"stade/hamburg": "1t"}, supply={0: "2t"}))
    play(game, "displace")
    assert game.position()["asked"] == "relocate"
    assert game.position()["supply"][0] == [0, 0]


@rule("R13.8")
@pytest.mark.parametrize("kind", ["tribute", "block"])
def test_52_a_token_needs_a_trader(make_game, kind) -> None:
    game = make_game(*promos(markers={0: [kind]}, supply={0: "1m"}))
    assert kind not in game.legal()
    game = make_game(*promos(markers={0: [kind]}, supply={0: "1t"}))
    play(game, kind)
    assert game.position()["asked"] == "token"
    assert game.position()["used"][0] == [kind]
    routes = starting_with(game, "route")
    assert len(routes) == len(game.position()["posts"])
    play(game, "route stade/hamburg")
    after = game.position()
    assert after["tokens"] == {"stade/hamburg": [kind + " 0"]}
    assert (after["markers"][0], after["used"][0], after["supply"][0]) == ([], [], [0, 0])
    assert game.scores()[0][2] == 1  # it counts for its owner


@pytest.mark.parametrize("route", ["groningen/emden", "stade/hamburg"])
def test_52_tokens_lie_in_the_order_in_which_they_were_laid(make_game, route) -> None:
    game = make_game(*promos(tokens={route: ["block 2"]}, markers={0: ["block"]}, supply={0: "2t"}))
    play(game, "block", f"route {route}")
    assert game.position()["tokens"] == {route: ["block 2", "block 0"]}


def test_52_tokens_are_listed_by_route(make_game) -> None:
    laid = {"hamburg/lubeck": ["tribute 1"], "goslar/magdeburg": ["block 2"], "quedlinburg/halle": ["tribute 0"]}
    game = make_game(*promos(tokens=laid, markers={0: ["block"]}, supply={0: "2t"}))
    play(game, "block", "route stade/hamburg")
    assert game.position()["tokens"] == {"stade/hamburg": ["block 0"]} | laid


@rule("D30")
def test_50_a_token_is_not_fetched(make_game) -> None:
    game = make_game(*promos(tokens={"stade/hamburg": ["tribute 1"]}, markers={0: ["trade-in"]}))
    assert "trade-in" not in game.legal()


@rule("D37")
@pytest.mark.parametrize("before", ["", "2t " * 7 + "0t " * 4], ids=["the first", "the last that there is room for"])
def test_51_an_office_in_a_green_city_pays_too(make_game, before) -> None:
    game = make_game(
        *promos(
            board="east",
            offices={"belgard": before},
            tokens={"belgard/danzig": ["tribute 1"]},
            posts={"malmo/visby": "0t 0t", "malmo/visby:ship": "0m"},
            supply={0: "2t", 1: "2t"},
            stock={1: "3t1m"},
            parked=["waren/stettin", "danzig/braunsberg", "konigsberg/danzig"],
        )
    )
    play(game, "claim malmo/visby", "done", "city belgard")
    after = game.position()
    assert (after["asked"], after["seat"], after["turn"]) == ("tribute", 1, 0)
    play(game, "income 1")
    assert (game.position()["asked"], game.position()["supply"][1]) == ("act", [3, 1])


@rule("R13.2")
def test_an_older_edition_removes_pieces_on_east(make_game) -> None:
    game = make_game(*position("east", posts={"lubeck/wismar": "1t"}, markers={0: ["remove-three"]}))
    play(game, "remove")  # the rest is forced
    assert (game.position()["asked"], game.position()["posts"]["lubeck/wismar"][0]) == ("act", None)


def with_tile(**given):
    """Seat 0 owns a tile, paid for with what it has used."""
    module = {"tokens": {}, "favours": {"display": ["cities", "escort"], "owned": [["action"], [], []]}}
    return position("base-2-3", edition="bigbox", all_markers=ALL_MARKERS, module=module, **given)


@rule("R12.2", "R13.8")
@pytest.mark.parametrize("laid", ["tribute", "block"])
@pytest.mark.parametrize("spent", [["tribute", "+3"], ["block", "tribute"], ["block", "extra-office"]])
def test_50_tokens_that_paid_for_a_favour_stay_used(make_game, spent, laid) -> None:
    game = make_game(*with_tile(markers={0: [laid]}, used={0: spent}))
    play(game, laid)
    assert sorted(game.position()["used"][0]) == sorted([*spent, laid])
    play(game, "route groningen/emden")
    after = game.position()
    assert after["tokens"] == {"groningen/emden": [f"{laid} 0"]}
    assert sorted(after["used"][0]) == sorted(spent)


@rule("R13.5")
def test_50_a_token_that_paid_for_a_favour_can_be_traded_in(make_game) -> None:
    given = {"markers": {1: ["trade-in"]}, "used": {0: ["block", "tribute"]}}
    game = make_game(*with_tile(turn=1, **given))
    play(game, "trade-in", "block")
    after = game.position()
    assert (after["markers"][1], sorted(after["used"][0])) == (["block"], ["trade-in", "tribute"])
