"""Scenarios 21 to 29, 32 to 36, 53, 55 and 56: Britannia, except moves (R10.10) and its scoring (R10.1 to R10.15)."""

import pytest

from hansa_env import Game
from tests.helpers import game_from
from tests.rules.scenario import rule

from .positions import ALL_DEVELOPED, lanes, play, position, routes, starting_with

FAR_ENGLAND = ("cambridge/ipswich", "norwich/cambridge", "nottingham/norwich", "london/canterbury", "york/nottingham")


def small(**given):
    return position("britannia-2-3", **given)


def large(**given):
    return position("britannia-4-5", players=4, **given)


def countries(game, board, verb):
    """The countries of the routes that decisions beginning so lead to."""
    found = {text.split()[-1].removesuffix(":ship") for text in starting_with(game, verb)}
    return {c for c in ("england", "wales", "scotland") if found & set(routes(board, country=c))}


def displaced(lane, piece="1t", **given):
    """Seat 1's piece is displaced by seat 0, whose office in London permits it."""
    posts = {lane: piece} | given.pop("posts", {})
    return large(offices={"london": "0t"}, supply={0: "3t"} | given.pop("supply", {}), posts=posts, **given)


@rule("R10.1", "D27")
@pytest.mark.parametrize("board", ["britannia-2-3", "britannia-4-5"])
def test_two_players_are_refused(make_game, board) -> None:
    with pytest.raises(ValueError, match="2"):
        make_game(*position(board, players=2, two_players="neutral"))


@rule("R10.5")
def test_21_no_permission(make_game) -> None:
    game = make_game(*small(posts={"conway/chester": "1t"}))
    assert countries(game, "britannia-2-3", "place") == {"england"}
    assert "place trader chester/hereford" in game.legal()
    assert "displace" not in game.legal()


@rule("R10.6", "D22")
def test_22_the_rightmost_office_permits_not_the_controller(make_game) -> None:
    cardiff = {"offices": {"cardiff": "0t 0t 1t"}}
    game = make_game(*small(**cardiff))
    assert countries(game, "britannia-2-3", "place") == {"england"}
    game = make_game(*small(turn=1, **cardiff))
    play(game, "place trader conway/chester")
    assert countries(game, "britannia-2-3", "place") == {"england"}


@rule("R10.5", "R10.8")
def test_23_permissions_add_up(make_game) -> None:
    offices = {"cardiff": "0t 1t", "london": "1t"}
    abilities = {1: {"actions": 3}}
    game = make_game(*small(turn=1, offices=offices, abilities=abilities, posts={"pembroke/cardiff": "0t"}))
    play(game, "place trader conway/chester")
    assert game.position()["permissions"] == ["cardiff"]
    assert "displace" in game.legal()
    play(game, "place trader conway/montgomery")
    assert sorted(game.position()["permissions"]) == ["cardiff", "london"]
    assert countries(game, "britannia-2-3", "place") == {"england"}
    assert "displace" not in game.legal()
    assert "place trader bristol/salisbury" in game.legal()


def test_24_londons_permission_is_one(make_game) -> None:
    game = make_game(*large(offices={"london": "0t"}))
    assert countries(game, "britannia-4-5", "place") == {"england", "wales", "scotland"}
    play(game, "place trader conway/chester")
    assert game.position()["permissions"] == ["london"]
    assert countries(game, "britannia-4-5", "place") == {"england"}


@rule("R10.5")
def test_24_the_next_turn_has_it_again(make_game) -> None:
    game = make_game(*large(offices={"london": "0t"}))
    play(game, "place trader conway/chester", "done")
    while game.position()["turn"] != 0:
        assert game.position()["permissions"] == []
        play(game, "done")
    assert countries(game, "britannia-4-5", "place") == {"england", "wales", "scotland"}


def test_24_displacing_counts_the_same(make_game) -> None:
    game = make_game(*displaced("conway/chester"))
    play(game, "displace")
    assert game.position()["permissions"] == ["london"]
    play(game, starting_with(game, "put")[0])
    while game.position()["asked"] == "relocate":
        play(game, "done")
    assert countries(game, "britannia-4-5", "place") == {"england"}


@rule("R10.7", "D23")
def test_25_a_permission_gained_in_the_turn(make_game) -> None:
    game = make_game(*small(posts={"cardiff/oxford": "0t 0t 0t 0t"}))
    assert countries(game, "britannia-2-3", "place") == {"england"}
    play(game, "claim cardiff/oxford", "office cardiff")
    assert countries(game, "britannia-2-3", "place") == {"england", "wales"}


@rule("R10.9")
def test_26_a_claim_needs_no_permission(make_game) -> None:
    game = make_game(*small(posts={"conway/chester": "0t 0t 0t"}))
    play(game, "claim conway/chester")
    assert game.legal() == ["develop actions", "done", "office chester", "office conway"]


@rule("R10.3", "R10.11")
def test_27_what_is_displaced_in_wales_stays_there_or_goes_to_england(make_game) -> None:
    game = make_game(*displaced("isle-of-man/conway"))
    play(game, "displace")
    assert game.legal() == ["put trader conway/chester", "put trader conway/montgomery"]


def test_28_what_is_displaced_in_england_stays_there(make_game) -> None:
    game = make_game(*displaced("chester/hereford"))
    play(game, "displace")
    assert game.legal() == ["put trader " + lane for lane in ("carlisle/chester", "hereford/coventry", "lancaster/hereford")]


@rule("R10.4")
def test_29_a_merchant_displaced_in_wales(make_game) -> None:
    game = make_game(*displaced("conway/chester", "1m"))
    play(game, "displace")
    assert starting_with(game, "put merchant") == [
        "put merchant carlisle/chester",
        "put merchant carlisle/chester:ship",
        "put merchant chester/hereford",
        "put merchant conway/montgomery",
        "put merchant isle-of-man/conway",
        "put merchant isle-of-man/conway:ship",
    ]


@rule("R10.12", "R10.14")
@pytest.mark.parametrize("first", ["wales", "england"])
def test_32_each_piece_stays_in_its_country(make_game, first) -> None:
    posts = {"canterbury/calais": "0t 0t", "canterbury/calais:ship": "0m", "conway/chester": "1t", "oxford/london": "0t"}
    lifted = {"wales": ("conway/chester", "1t"), "england": ("oxford/london", "0t")}
    order = [first, *(country for country in lifted if country != first)]
    game = make_game(*small(posts=posts))
    play(game, "claim canterbury/calais", "done", *(f"route {lifted[country][0]}" for country in order))
    after = game.position()
    assert (after["asked"], after["hand"], after["from"]) == ("drop", [lifted[country][1] for country in order], order)
    for number, country in enumerate(order):
        assert game.position()["from"] == order[number:]
        assert game.legal() == sorted("put trader " + route for route in routes("britannia-2-3", country=country))
        play(game, game.legal()[0])
    assert game.position()["asked"] == "act"


@rule("R13.2", "R13.3", "R10.12")
def test_32_the_third_of_three_stays_in_its_country_too(make_game) -> None:
    lifted = {"oxford/london": "england", "york/nottingham": "england", "conway/chester": "wales"}
    game = make_game(*small(edition="bigbox", posts=dict.fromkeys(lifted, "1t"), markers={0: ["move-three"]}))
    play(game, "remove", *(f"route {lane}" for lane in lifted))
    for number, country in enumerate(lifted.values()):
        assert game.position()["from"] == list(lifted.values())[number:]
        assert game.legal() == sorted("put trader " + route for route in routes("britannia-2-3", country=country))
        play(game, game.legal()[0])
    assert game.position()["asked"] == "act"


def southampton_calais_held(make_position, **given):
    posts = {"southampton/calais": "0t", "southampton/calais:ship": "0m 0m"} | given.pop("posts", {})
    abilities = {0: {"book": 1}} | given.pop("more_abilities", {})
    return make_position(posts=posts, abilities=abilities, stock={0: ""}, parked=FAR_ENGLAND, **given)


@rule("R10.14", "R10.15", "D25")
@pytest.mark.parametrize(("make_position", "abroad"), [(small, {"wales"}), (large, {"wales", "scotland"})])
def test_33_two_go_abroad_from_the_stock(make_game, make_position, abroad) -> None:
    game = make_game(*southampton_calais_held(make_position, supply={0: "1t"}))
    play(game, "claim southampton/calais", "office southampton")
    after = game.position()
    assert after["asked"] == "send"
    assert after["stock"][0] == [0, 2]
    board = after["board"]
    foreign = [route for country in abroad for route in routes(board, country=country)]
    there = [lane for lane in lanes(board) if lane.removesuffix(":ship") in foreign]
    assert game.legal() == sorted(["done", *("put merchant " + lane for lane in there)])
    play(game, "put merchant conway/chester", "put merchant conway/chester")
    after = game.position()
    assert (after["asked"], after["stock"][0], after["permissions"]) == ("act", [0, 0], [])


@rule("R10.15")
def test_33_the_supply_after_an_own_tribute(make_game) -> None:
    given = {"edition": "bigbox", "module": {"tokens": {"salisbury/southampton": ["tribute 0"]}}, "on_tokens": ["0t"]}
    markers = {"extra-office": 4, "exchange": 3, "move-three": 2, "+3": 2, "+4": 2, "tribute": 2}
    given |= {"all_markers": markers, "on_routes": ["tribute"]}
    game = make_game(*southampton_calais_held(small, supply={0: "1t"}, **given))
    play(game, "claim southampton/calais", "office southampton")
    after = game.position()
    assert (after["asked"], after["stock"][0], after["supply"][0]) == ("send", [0, 0], [1, 2])
    assert "put trader conway/chester" in game.legal()
    assert "put merchant isle-of-man/conway:ship" in game.legal()


@rule("R10.14")
def test_33_none_need_go_abroad(make_game) -> None:
    game = make_game(*southampton_calais_held(small, supply={0: "1t"}))
    play(game, "claim southampton/calais", "office southampton", "done")
    after = game.position()
    assert (after["asked"], after["stock"][0], after["supply"][0]) == ("act", [0, 2], [1, 0])


WELSH = routes("britannia-2-3", country="wales")


def sent_with_nothing_left(**given):
    """Seat 0 is asked to send pieces, and has none in stock or supply. No game comes to that, since the claim returns at least
    two pieces; a position that was composed does. The oracle reads none within an action."""
    game = game_from(southampton_calais_held(small, supply={0: "1t"}, **given)[0])
    play(game, "claim southampton/calais", "office southampton")
    composed = game.position() | {"legal": None}
    for piece, lane in (("0t", "conway/chester"), ("0m", "oxford/london"), ("0m", "london/canterbury")):
        row = composed["posts"][lane]
        row[row.index(None)] = piece
    composed["supply"][0] = composed["stock"][0] = [0, 0]
    return Game.from_position(composed)


@rule("R10.15")
def test_33_own_pieces_where_stock_and_supply_are_empty() -> None:
    welsh = [lane for lane in lanes("britannia-2-3") if lane.removesuffix(":ship") in WELSH]
    game = sent_with_nothing_left()
    traders = ["conway/chester", *(lane for lane in FAR_ENGLAND if "0t" in game.position()["posts"][lane])]
    lifts = [f"lift trader {lane}" for lane in traders] + ["lift merchant london/canterbury", "lift merchant oxford/london"]
    assert sorted(game.legal()) == sorted(["done", *lifts])
    play(game, "lift merchant oxford/london")
    assert sorted(game.legal()) == sorted(f"put merchant {lane}" for lane in welsh)
    play(game, "put merchant isle-of-man/conway:ship", "lift trader conway/chester")
    assert sorted(game.legal()) == sorted(f"put trader {lane}" for lane in welsh if not lane.endswith(":ship"))
    play(game, "put trader conway/montgomery")
    after = game.position()
    assert (after["asked"], after["posts"]["oxford/london"][0], after["posts"]["conway/chester"][0]) == ("act", None, None)
    game = sent_with_nothing_left()
    play(game, "done")
    assert game.asked == "act"


@rule("R10.15", "R9.4")
def test_33_a_piece_is_lifted_only_where_its_kind_finds_a_post_abroad() -> None:
    """No house post of Wales is free, and ship posts are: a trader from Wales goes back, merchants may come from anywhere."""
    full = {lane: ["1t"] * size for lane, size in lanes("britannia-2-3").items() if lane in WELSH}
    del full["conway/chester"][0]
    posts = {lane: " ".join(pieces) for lane, pieces in full.items()}
    game = sent_with_nothing_left(posts=posts, more_abilities={1: ALL_DEVELOPED})
    lifts = ["lift merchant london/canterbury", "lift merchant oxford/london", "lift trader conway/chester"]
    assert sorted(game.legal()) == ["done", *lifts]
    play(game, "lift trader conway/chester")
    after = game.position()
    assert (after["asked"], after["action"]["remaining"], after["posts"]["conway/chester"][0]) == ("send", 1, "0t")


@rule("R10.3", "R10.14")
def test_34_carlisle_isle_of_man(make_game) -> None:
    posts = {"carlisle/isle-of-man": "0t", "carlisle/isle-of-man:ship": "0m 0m", "oxford/london": "1t"}
    abilities = {0: {"book": 1}}
    game = make_game(*small(posts=posts, abilities=abilities))
    play(game, "claim carlisle/isle-of-man", "done")
    assert game.position()["asked"] == "fetch"
    game = make_game(*large(posts=posts, abilities=abilities))
    play(game, "claim carlisle/isle-of-man", "done")
    assert game.position()["asked"] == "act"
    assert "place trader carlisle/isle-of-man" not in game.legal()
    game = make_game(*large(offices={"carlisle": "0t"}))
    assert "place trader carlisle/isle-of-man" in game.legal()


@rule("R10.13")
def test_35_where_a_replacement_marker_may_lie(make_game) -> None:
    def offered(**given):
        game = make_game(*large(plate={0: 1}, actions_left=0, **given))
        if game.position()["asked"] == "act":
            play(game, "done")
        assert game.position()["asked"] == "marker"
        return {text.removeprefix("route ") for text in game.legal()}

    english = set(routes("britannia-4-5", country="england"))
    assert offered() == english - {"southampton/calais", "canterbury/calais"}
    assert "carlisle/chester" not in offered(posts={"carlisle/chester:ship": "1m"})
    full = {"carlisle": "1t 1t 1t 1t 1m", "chester": "2t 2m 2t"}
    assert "carlisle/chester" not in offered(offices=full, abilities={1: {"book": 1}})


@rule("R10.2")
@pytest.mark.parametrize(("completed", "asked"), [(0, "act"), (7, "over")])
def test_36_bristol(make_game, completed, asked) -> None:
    singles = ["richmond", "durham", "lancaster", "ipswich"]
    doubles = ["nottingham", "coventry", "salisbury"]
    offices = dict.fromkeys(singles, "1t") | dict.fromkeys(doubles, "2t 2t") if completed else {}
    posts = {"bristol/salisbury": "0t 0t 0t 0t"}
    game = make_game(*small(offices=offices, posts=posts, abilities={0: {"privilege": 1}}))
    assert game.position()["completed"] == completed
    play(game, "claim bristol/salisbury", "office bristol")
    after = game.position()
    assert (after["prestige"][0], after["completed"], after["asked"]) == (2, completed + 1, asked)


@rule("R10.5")
def test_53_what_carlisle_permits(make_game) -> None:
    game = make_game(*large(offices={"carlisle": "0t"}))
    assert countries(game, "britannia-4-5", "place") == {"england", "scotland"}
    game = make_game(*small(offices={"carlisle": "0t"}))
    assert countries(game, "britannia-2-3", "place") == {"england"}


def displaced_in_scotland_without_stock(**more):
    posts = {"pembroke/cardiff": "1t"} | more
    given = {"supply": {1: ""}, "stock": {1: ""}, "parked": FAR_ENGLAND}
    return displaced("falkirk/carlisle", posts=posts, **given)


@rule("R10.11")
def test_55_a_piece_lifted_in_wales_goes_to_england_only(make_game) -> None:
    game = make_game(*displaced_in_scotland_without_stock())
    play(game, "displace", "route falkirk/carlisle", "put trader glasgow/falkirk", "lift trader pembroke/cardiff")
    assert game.legal() == ["put trader " + lane for lane in ("carlisle/chester", "carlisle/durham", "carlisle/richmond")]
    play(game, "put trader carlisle/durham")
    assert (game.position()["asked"], game.position()["seat"]) == ("act", 0)


@rule("R10.11", "D24")
def test_55_its_limit_does_not_change_the_distance(make_game) -> None:
    full = {"carlisle/richmond": "2t 2t 2t", "carlisle/durham": "2t 2t 2t 2t", "carlisle/chester": "3t"}
    full["carlisle/chester:ship"] = "2m 3m"
    game = make_game(*displaced_in_scotland_without_stock(**full))
    play(game, "displace", "route falkirk/carlisle", "put trader glasgow/falkirk")
    # The nearest free posts are Scottish, so only what already stands in Scotland may be lifted.
    assert game.legal() == ["done", "lift trader glasgow/falkirk"]
    play(game, "lift trader glasgow/falkirk")
    assert game.legal() == ["put trader carlisle/isle-of-man", "put trader glasgow/falkirk"]


@rule("R10.11")
def test_56_the_search_does_not_run_through_scotland(make_game) -> None:
    full = {"conway/chester": "2t 2t 2t", "conway/montgomery": "3t 3t 3t"}
    game = make_game(*displaced("isle-of-man/conway", posts=full))
    play(game, "displace", *(["route isle-of-man/conway"] if len(game.legal()) > 1 else []))
    assert game.legal() == [
        "put trader carlisle/chester",
        "put trader chester/hereford",
        "put trader hereford/montgomery",
        "put trader montgomery/cardiff",
        "put trader pembroke/montgomery",
    ]
