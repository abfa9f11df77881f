"""The data the project carries: boards against R1.4 and what is printed, rulesets against R1.6 and R8."""

import json
from importlib import resources

import numpy as np
import pytest

from hansa_env import Game, Ruleset, RulesetError
from hansa_env.boards import BoardError, board_names, load_board, miniatures, printed_boards, read_board
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import EDITIONS

EVERY_OFFICE = {"base-2-3": 57, "base-4-5": 62}


@pytest.mark.parametrize(("name", "routes", "posts"), [("base-2-3", 32, 101), ("base-4-5", 34, 107)])
def test_sizes_of_the_boards(name: str, routes: int, posts: int) -> None:
    """R1.4."""
    board = load_board(name)
    assert len(board.cities) == 27 and len(board.routes) == routes
    assert sum(route.posts for route in board.routes) == posts
    assert sum(len(city.offices) for city in board.cities) == EVERY_OFFICE[name]
    assert {route.posts for route in board.routes} <= {2, 3, 4}
    assert {city.id: city.abilities for city in board.cities if city.abilities} == {
        "groningen": ("book",), "stade": ("privilege",), "lubeck": ("bank",), "gottingen": ("actions",), "halle": ("keys",),
    }  # fmt: skip
    taverns = {frozenset(route.cities) for route in board.routes if route.tavern}
    assert taverns == {
        frozenset(pair) for pair in (("osnabruck", "bremen"), ("luneburg", "perleberg"), ("hildesheim", "goslar"))
    }
    assert set(board.link_cities) == {"arnheim", "stendal"} and board.link_points == (7, 4, 2)
    assert [value for _, value in board.prestige_spaces] == [7, 8, 9, 11]
    assert board.prestige_route == "coellen/warburg" and board.completed_cities_to_end == 10


def test_east() -> None:
    """R9.1-R9.4, R9.7, R9.14."""
    board = load_board("east")
    assert (len(board.cities), len(board.routes)) == (28, 32)
    assert sum(route.posts for route in board.routes) == 98 and sum(route.ships for route in board.routes) == 6
    assert sum(len(city.offices) for city in board.cities) == 55
    assert {city.id for city in board.cities if city.green} == {"belgard", "waren", "dresden"}
    assert {city.id: city.abilities for city in board.cities if city.abilities} == {
        "magdeburg": ("privilege",), "breslau": ("book",), "dresden": ("keys",), "waren": ("actions", "bank"),
    }  # fmt: skip
    assert {route.id: (route.ships, route.posts, route.permanent_marker) for route in board.routes if route.ships} == {
        "wismar/stralsund": (2, 3, "move-two"), "stralsund/malmo": (2, 3, "develop-privilege"),
        "malmo/visby": (1, 3, "office-in-green-city"), "malmo/danzig": (1, 4, "place-two-from-route"),
    }  # fmt: skip
    assert all(route.marker_allowed == (route.permanent_marker is None) for route in board.routes), "R9.13"
    taverns = {route.id for route in board.routes if route.tavern}
    assert taverns == {"braunsberg/allenstein", "stettin/kulm", "tangermunde/brandenburg"}
    coins = {city.id: [office.prestige for office in city.offices] for city in board.cities}
    assert {city: row for city, row in coins.items() if any(row)} == {
        "havelberg": [1, 0, 0, 0], "magdeburg": [1, 0], "thorn": [1, 0, 0],
    }  # fmt: skip
    assert set(board.link_cities) == {"lubeck", "danzig"} and board.link_points == (7, 4, 2)
    assert board.prestige_route == "konigsberg/danzig" and board.completed_cities_to_end == 10
    assert [lane.id for lane in board.lanes[32:]] == [f"{route.id}:ship" for route in board.routes if route.ships]
    assert sum(lane.posts for lane in board.lanes) == 98


MOVE_TWO, TO_CALAIS = (2, 3, "move-two"), {"southampton/calais": (2, 3, "place-two-abroad")}
SHIPS = {"isle-of-man/conway": (2, 3, None), "canterbury/calais": (1, 3, "move-two"), **TO_CALAIS}
SHIPS_OF_BRITANNIA = {
    "britannia-2-3": SHIPS | {"carlisle/isle-of-man": MOVE_TWO},
    "britannia-4-5": SHIPS | {"carlisle/isle-of-man": (2, 3, None), "carlisle/chester": (2, 3, None)},
}
WALES = {"isle-of-man", "conway", "chester", "montgomery", "pembroke", "cardiff"}
SCOTLAND = {"glasgow", "edinburgh", "dunbar", "falkirk", "carlisle", "newcastle", "isle-of-man"}


@pytest.mark.parametrize(
    ("name", "cities", "routes", "regions"),
    [
        ("britannia-2-3", 26, 35, {"wales": (("cardiff", "london"), WALES)}),
        ("britannia-4-5", 30, 40, {"wales": (("cardiff", "london"), WALES), "scotland": (("carlisle", "london"), SCOTLAND)}),
    ],
)
def test_britannia(name: str, cities: int, routes: int, regions: dict) -> None:
    """R10.2-R10.5, R10.8, R10.13, R10.14, R10.16, R10.17."""
    board = load_board(name)
    assert (len(board.cities), len(board.routes)) == (cities, routes)
    assert {region.id: (region.gateways, set(region.cities)) for region in board.regions} == regions
    assert board.countries == ("england", *regions) and all(region.points == (7, 4, 2) for region in board.regions)
    ships = {route.id: (route.ships, route.posts, route.permanent_marker) for route in board.routes if route.ships}
    assert ships == SHIPS_OF_BRITANNIA[name]
    country = {route.id: route.country for route in board.routes}
    assert (country["hereford/montgomery"], country["cardiff/oxford"]) == ("wales", "england")
    assert country["carlisle/isle-of-man"] == ("england" if name == "britannia-2-3" else "scotland")
    for route in board.routes:
        assert route.marker_allowed == (route.country == "england" and route.permanent_marker is None), route.id
    taverns = {route.id for route in board.routes if route.tavern}
    assert taverns == {"richmond/lancaster", "nottingham/coventry", "salisbury/southampton"}
    coins = {city.id: [office.prestige for office in city.offices] for city in board.cities}
    assert {city: row for city, row in coins.items() if any(row)} == {"bristol": [2], "ipswich": [2], "plymouth": [0, 2]}
    assert {city.id: city.abilities for city in board.cities if city.abilities} == {
        "newcastle": ("bank",), "york": ("keys",), "chester": ("actions",), "norwich": ("book",), "london": ("privilege",),
    }  # fmt: skip
    assert set(board.link_cities) == {"oxford", "york"} and board.completed_cities_to_end == 8
    assert board.prestige_route == "plymouth/salisbury"


def test_the_boards_differ_where_they_should() -> None:
    small, large = load_board("base-2-3"), load_board("base-4-5")
    assert "emden/stade" not in {r.id for r in small.routes} and "emden/stade" in {r.id for r in large.routes}
    assert [c.id for c in small.cities] == [c.id for c in large.cities]


def test_the_provinces() -> None:
    """R8.1.1: 16 provinces; every route borders two, and neighbours know each other."""
    board = load_board("base-2-3")
    provinces = {p.id: p for p in board.provinces}
    assert sorted(provinces) == [f"P{i:02}" for i in range(1, 17)]
    for route in board.routes:
        assert sum(route.id in p.routes for p in board.provinces) == 2
    for p in board.provinces:
        assert p.id not in p.neighbours
        assert all(p.id in provinces[n].neighbours for n in p.neighbours)
    assert {"P03"} < provinces["P02"].neighbours, "a border guard stands between Osnabrück and Münster"
    assert load_board("base-4-5").provinces == ()


def test_miniatures() -> None:
    """What a board's `scale` lowers is what is dealt; modules are refused; two play without pawn and neutral traders."""
    ruleset = Ruleset(2, board="miniature-2-small")
    position = Game(ruleset, seed=3).position()
    assert ruleset.two_players is None and ruleset.base_game and (ruleset.pile_size, sum(ruleset.marker_counts)) == (2, 3)
    assert position["supply"] == [[1, 0], [2, 0]] and position["stock"] == [[1, 0], [0, 0]] and position["pile"] == 2
    assert list(position["route_markers"].values()) == ["exchange"]
    assert tables_of(ruleset)[0]["prestige_to_end"] == 2 and tables_of(Ruleset(2))[0]["prestige_to_end"] == 20
    assert Game.from_position(position).position() == position, "the invariants know a miniature's numbers"
    with pytest.raises(RulesetError, match="played without modules"):
        Ruleset(2, board="miniature-2", favours="any-board")
    with pytest.raises(RulesetError, match="played without modules"):
        Ruleset(3, "bigbox", board="miniature-3")


def change_board(change) -> str:
    data = json.loads(resources.files("hansa_env.boards").joinpath("base-2-3.json").read_text("utf-8"))
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"x\.json: broken board file"),
        (change_board(lambda d: d.update(format="v9")), r"x\.json: format is 'v9'"),
        (change_board(lambda d: d.pop("cities")), r"x\.json: broken board file \(KeyError: 'cities'\)"),
        (change_board(lambda d: d["routes"][0].update(cities=["groningen", "oz"])), "leads to 'oz'"),
        (change_board(lambda d: d["routes"][0].update(posts=9)), "has 9 posts"),
        (change_board(lambda d: d["routes"][0].update(post_types=["boat"] * 3)), "a post for 'boat'; expected any or merchant"),
        (change_board(lambda d: d["routes"][0].update(permanent_marker="fly")), "permanent marker 'fly'; expected move-two, "),
        (change_board(lambda d: d["cities"][0].update(green=True)), "groningen has 2 spaces; expected none in a green city"),
        (change_board(lambda d: d["cities"][0].update(offices=[])), "groningen has 0 spaces; expected none in a green city"),
        (
            change_board(lambda d: d["cities"][0].update(ability=["book", "magic"])),
            "groningen develops 'magic'; expected keys, ",
        ),
        (change_board(lambda d: d["routes"][0].update(tavern=True)), "expected 3 tavern routes"),
        (change_board(lambda d: d["routes"][0].update(country="oz")), "lies in 'oz'; expected england"),
        (
            change_board(lambda d: d.update(regions={"oz": {"gateways": ["kansas"], "cities": [], "points": [7]}})),
            "'kansas' is no city of this board",
        ),
    ],
)
def test_a_broken_board_is_refused_with_its_name(text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        read_board(text, "x.json")


def test_a_second_ability_of_a_city_can_be_developed(monkeypatch) -> None:
    ruleset = Ruleset(3)
    first = next(city for city in ruleset.board_data.cities if city.abilities)
    second = "keys" if first.abilities != ("keys",) else "bank"
    change = {"ability": [*first.abilities, second]}
    text = change_board(lambda d: next(c for c in d["cities"] if c["id"] == first.id).update(change))
    board = read_board(text, "x.json")
    game = Game(ruleset, seed=1)
    monkeypatch.setattr(Ruleset, "board_data", property(lambda self: board))
    game._batch.tables = tables_of.__wrapped__(ruleset)
    route = next(route for route in board.routes if first.id in route.cities)
    while f"claim {route.id}" not in game.legal():
        game.play(f"place trader {route.id}" if game.seat == 0 else "done")
    game.play(f"claim {route.id}")
    assert {f"develop {ability}" for ability in change["ability"]} <= set(game.legal())
    before = game.position()["abilities"][0][second]
    game.play(f"develop {second}")
    assert game.position()["abilities"][0][second] == before + 1


#: Of the edition `fourth`, without its start markers.
OWN_PILE = ["extra-office"] * 3 + ["exchange"] * 2 + ["remove-three"] + ["upgrade"] * 3 + ["+3"] * 2 + ["+4"] * 2


def test_defaults() -> None:
    assert [Ruleset(p).board for p in (2, 3, 4, 5)] == ["base-2-3", "base-2-3", "base-4-5", "base-4-5"]
    assert [Ruleset(2, e).two_players for e in EDITIONS[:3]] == ["pawn", "neutral", "neutral"]
    assert Ruleset(3, board="base-4-5").board == "base-4-5" and Ruleset() == Ruleset(4, "fourth")
    assert Ruleset(np.int64(3)) == Ruleset(3) and json.dumps(Ruleset(np.int64(3)).config)
    printed = ["base-2-3", "base-4-5", "britannia-2-3", "britannia-4-5", "east"]
    assert board_names() == [*printed, "miniature-2", "miniature-2-pile", "miniature-2-small", "miniature-3"]
    assert printed_boards() == printed and sorted([*printed, *miniatures()]) == board_names()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 1}, "players is 1; expected a whole number from 2 to 5"),
        ({"players": 6}, "players is 6"),
        ({"players": "3"}, "players is '3'"),
        ({"players": True}, "players is True"),
        ({"edition": "third"}, "unknown edition 'third'; expected one of first, second, fourth, bigbox"),
        ({"board": "west"}, "unknown board 'west'; expected one of base-2-3, base-4-5, britannia-2-3, britannia-4-5, east"),
        ({"players": 2, "board": "east"}, "players is 2; the board east is for 3 to 5"),
        ({"players": 3, "two_players": "pawn"}, "two_players is 'pawn' with 3 players; expected None"),
        ({"players": 2, "two_players": "dice"}, "unknown two-player variant 'dice'"),
        ({"players": 2, "board": "britannia-2-3"}, "players is 2; the board britannia-2-3 is for 3$"),
        (
            {"players": 2, "two_players": "pawn", "board": "base-4-5"},
            "^two_players is 'pawn', which needs a board with provinces; base-4-5 has none: give two_players='neutral', or "
            "board='base-2-3'$",
        ),
        (
            {"players": 2, "edition": "first", "board": "base-4-5"},
            r"^two_players is 'pawn' \(the default of the edition first\), which needs a board with provinces",
        ),
        ({"players": 2, "edition": "bigbox"}, "players is 2; the edition bigbox is for 3 to 5"),
        ({"players": 3, "board": "east", "missions": True}, "missions are for the boards base-2-3 and base-4-5"),
        ({"missions": 1}, "missions is 1; expected True or False"),
        ({"players": 3, "board": "east", "favours": True}, "on east ask for favours='any-board'"),
        ({"favours": "all"}, "favours is 'all'; expected True, False or 'any-board'"),
        ({"pile": 13}, "pile is 13; expected None, 'promos' or a list of names of markers"),
        ({"pile": "many"}, "pile has an unknown marker 'many'; expected one of extra-office"),
        ({"pile": ["+3"]}, "pile has 1 markers; expected 13 in the edition fourth"),
        ({"pile": ["+5"] * 13}, "pile has an unknown marker '\\+5'"),
        ({"pile": ["block"] * 13}, "pile has 13 of block; expected at most 2"),
        ({"pile": ["move-three", *OWN_PILE[1:]]}, "pile has 1 of move-three; expected at most 0 in the edition fourth"),
    ],
)
def test_a_ruleset_that_does_not_exist_is_refused(arguments: dict, message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        Ruleset(**arguments)


@pytest.mark.parametrize(("edition", "total"), [("first", 16), ("second", 15), ("fourth", 16), ("bigbox", 15)])
def test_marker_counts(edition: str, total: int) -> None:
    """R1.6, R13.1."""
    ruleset = Ruleset(3, edition)
    assert sum(ruleset.marker_counts) == total
    assert tables_of(ruleset)[0]["pile_size"] == ruleset.pile_size == total - 3


def test_a_pile_of_ones_own() -> None:
    """R13.4: as many markers as ever; the edition's own pile by its names is no other game, nor is another order."""
    assert Ruleset(pile=OWN_PILE) == Ruleset() and Ruleset().base_game
    fixed = Ruleset(pile=["block", *OWN_PILE[1:]])
    assert Ruleset.from_config(fixed.config) == fixed == Ruleset(pile=",".join(fixed.config["pile"]))
    assert fixed == Ruleset(pile=("block", *OWN_PILE[:0:-1])) and fixed.promos and not fixed.base_game
    assert dict(zip(fixed.marker_kinds, fixed.marker_counts))["block"] == 1 and sum(fixed.marker_counts) == 16
    drawn = Ruleset(3, "bigbox", pile="promos")
    assert sum(drawn.marker_counts) == 15 + 6 and drawn.pile_size == 12
    assert not Ruleset(pile=("extra-office", *OWN_PILE[1:])).promos


def test_the_rules_text_is_carried() -> None:
    text = resources.files("hansa_env").joinpath("rulebook/rules.md").read_text("utf-8")
    assert all(f"- {rule} " in text for rule in ("R1.1", "R4.3", "R7.9", "R8.1.4", "R8.2.5"))
    assert "hansa-position/2" in resources.files("hansa_env").joinpath("rulebook/notation.md").read_text("utf-8")


def test_what_a_ruleset_says_of_its_boards_names_them_all() -> None:
    printed = [name for name in board_names() if not load_board(name).miniature]
    assert len(printed) == 5 and [name for name in printed if f'"{name}"' not in Ruleset.__doc__] == []
