"""Scenarios 42 to 48: Emperor's Favour (R12)."""

import pytest

from tests.rules.scenario import all_in_offices, rule

from .positions import lanes, play, position, starting_with

DISPLAY = ["anywhere", "action", "tithe"]


def favours(owned=None, display=None, **given):
    """Tiles owned, by seat; the rest of three lies on display."""
    owned = owned or {}
    tiles = {
        "display": display or DISPLAY[: 3 - sum(map(len, owned.values()))],
        "owned": [owned.get(seat, []) for seat in range(3)],
    }
    return position("base-2-3", module={"favours": tiles}, **given)


@rule("R12.1", "R12.2")
@pytest.mark.parametrize(("developed", "next_turn"), [(0, 3), (5, 6)])
def test_42_a_favour_costs_the_turn_and_two_markers(make_game, developed, next_turn) -> None:
    given = {"markers": {0: ["extra-office", "+3"]}, "abilities": {0: {"actions": developed}}}
    game = make_game(*favours(plate={0: 1}, **given))
    assert starting_with(game, "favour") == ["favour action", "favour anywhere", "favour tithe"]
    play(game, "favour action")
    after = game.position()
    assert after["markers"][0] == []
    assert sorted(after["used"][0]) == ["+3", "extra-office"]
    assert after["actions_left"] == 0
    assert after["asked"] == "marker"
    assert after["favours"] == {"display": ["anywhere", "tithe"], "owned": [["action"], [], []]}
    play(game, starting_with(game, "route")[0], "done", "done")
    after = game.position()
    assert (after["turn"], after["actions_left"]) == (0, next_turn)


@rule("R12.2")
def test_42_further_tiles_lie_behind_those_owned(make_game) -> None:
    owned = {0: ["anywhere"], 1: ["tithe"]}
    game = make_game(*favours(owned=owned, display=["action"], markers={0: ["extra-office", "+3"]}))
    play(game, "favour action")
    assert game.position()["favours"] == {"display": [], "owned": [["anywhere", "action"], ["tithe"], []]}


@rule("R12.2")
def test_43_only_at_the_beginning_and_with_two_markers(make_game) -> None:
    game = make_game(*favours(markers={0: ["+3", "+4"]}, actions_left=1))
    assert not starting_with(game, "favour")
    game = make_game(*favours(markers={0: ["+3", "+4"]}))
    assert starting_with(game, "favour")
    play(game, "place trader groningen/emden")
    assert not starting_with(game, "favour")
    game = make_game(*favours(markers={0: ["+3"]}, used={0: ["+4"]}))
    assert not starting_with(game, "favour")


@rule("R12.3", "D32", "D33")
def test_44_which_markers_pay(make_game) -> None:
    offices = {"hamburg": "1t 2t"}
    game = make_game(*favours(markers={0: ["+3", "+3", "exchange"]}, offices=offices))
    play(game, "favour tithe")
    after = game.position()
    assert (after["asked"], after["actions_left"]) == ("spend", 0)
    assert after["favours"]["owned"][0] == ["tithe"]
    assert game.legal() == ["+3", "exchange"]
    play(game, "+3")
    assert game.legal() == ["+3", "exchange"]
    play(game, "+3")
    assert game.legal() == ["done", "exchange"]  # other markers can still be used


@rule("R12.3", "D32")
def test_44_more_actions_are_given_up_too(make_game) -> None:
    game = make_game(*favours(markers={0: ["+3", "+3", "exchange"]}))
    play(game, "favour tithe", "exchange")
    after = game.position()
    assert (after["turn"], after["markers"][0]) == (1, ["+3"])


@rule("R12.4", "R12.5")
def test_45_a_tithe_of_anothers_income(make_game) -> None:
    given = {"owned": {2: ["tithe"]}, "stock": {2: "2t1m"}, "parked": ["paderborn/warburg", "coellen/warburg"]}
    game = make_game(*favours(supply={2: "6t"}, **given))
    play(game, "income 0")
    after = game.position()
    assert (after["asked"], after["seat"], after["turn"]) == ("tithe", 2, 0)
    assert game.legal() == ["done", "merchant", "trader"]
    play(game, "merchant")
    after = game.position()
    assert (after["supply"][2], after["stock"][2]) == ([6, 1], [2, 0])
    assert (after["asked"], after["seat"]) == ("act", 0)
    game = make_game(*favours(supply={2: "6t"}, turn=2, **given))
    play(game, "income 1")
    assert game.position()["asked"] == "act"


@rule("R12.5")
@pytest.mark.parametrize(("owner", "turn"), [(0, 1), (0, 2), (1, 0)])
def test_45_whoever_owns_the_tile_is_asked(make_game, owner, turn) -> None:
    game = make_game(*favours(owned={owner: ["tithe"]}, turn=turn, abilities={owner: {"book": 1}}))
    play(game, "income 0")
    after = game.position()
    assert (after["asked"], after["seat"], after["turn"]) == ("tithe", owner, turn)


@rule("R12.5")
def test_45_nothing_from_an_empty_stock(make_game) -> None:
    given = {"owned": {2: ["tithe"]}, "stock": {2: ""}, "supply": {2: "7t1m"}}
    parked = ["paderborn/warburg", "coellen/warburg"]
    game = make_game(*favours(parked=parked, **given))
    play(game, "income 0")
    assert game.position()["asked"] == "act"


def displaced(piece, tile, supply, stock="5t"):
    """Seat 1's piece is displaced from Stade-Hamburg; its supply is empty."""
    parked = ["paderborn/warburg", "coellen/warburg", "quedlinburg/halle"]
    posts = {"stade/hamburg": piece, "hamburg/bremen": "2t 2t"}
    given = {"posts": posts, "supply": {0: supply, 1: ""}, "stock": {1: stock}, "parked": parked}
    display = [one for one in ("action", "cities") if one != tile]
    return favours(owned={1: [tile]}, display=display, **given)


@rule("R12.4")
def test_46_an_escort_of_two_for_a_trader(make_game) -> None:
    game = make_game(*displaced("1t", "escort", "2t"))
    play(game, "displace", "route stade/hamburg")
    assert game.position()["supply"][0] == [0, 0]
    play(game, *["put trader hamburg/lubeck"] * 2)
    assert starting_with(game, "put trader")
    play(game, "put trader hamburg/luneburg")
    after = game.position()
    assert (after["asked"], after["seat"], after["stock"][1]) == ("act", 0, [3, 0])


@rule("R12.4")
def test_46_a_merchant_as_ever(make_game) -> None:
    game = make_game(*displaced("1m", "escort", "3t"))
    play(game, "displace", "route stade/hamburg", "put merchant hamburg/lubeck", *["put trader hamburg/lubeck"] * 2)
    assert game.position()["asked"] == "act"


@rule("R12.4", "D31")
def test_47_anywhere(make_game) -> None:
    game = make_game(*displaced("1t", "anywhere", "2t"))
    play(game, "displace", "route stade/hamburg")
    posts = game.position()["posts"]
    free = [lane for lane in lanes("base-2-3") if None in posts[lane]]
    assert "stade/hamburg" in free
    assert game.legal() == sorted("put trader " + lane for lane in free)


@rule("R12.4")
@pytest.mark.parametrize(("tile", "ability_points", "control"), [("abilities", 7, 6), ("cities", 4, 12), ("action", 4, 6)])
def test_48_tiles_for_the_end(make_game, tile, ability_points, control) -> None:
    abilities = {0: {"book": 3, "keys": 4}}
    offices = {"stade": "0m", "perleberg": "0t", "hannover": "0t"}
    display = [one for one in ("anywhere", "escort") if one != tile]
    game = make_game(*favours(owned={0: [tile]}, display=display, abilities=abilities, offices=offices))
    assert game.scores()[0][1] == ability_points
    assert game.scores()[0][4] == control


@rule("R12.3", "D32", "D33")
def test_actions_developed_after_a_favour_add_none_before_the_next_turn(make_game) -> None:
    game = make_game(*favours(markers={0: ["extra-office", "upgrade", "exchange"]}))
    play(game, "favour action", "exchange", "extra-office", "develop actions")
    after = game.position()
    assert (after["turn"], after["abilities"][0]["actions"]) == (1, 1), "no action came of it"
    play(game, "done", "done")
    assert game.position()["actions_left"] == 4


@rule("R7.8", "R12.3")
def test_a_turn_of_which_only_the_first_question_leaves_a_choice(make_game) -> None:
    """Nobody has a piece to play. After the favour seat 0 can do nothing more, since +3 may not be used in that turn; the two
    others can do nothing at all. So one turn, the third in a row, is missing to the end, and in that one seat 0 has +3."""
    pieces = {"offices": all_in_offices(), "prestige_spaces": {"7": 0, "8": 1, "9": 2}, "supply": dict.fromkeys(range(3), "")}
    game = make_game(*favours(markers={0: ["extra-office", "exchange", "+3"]}, **pieces))
    play(game, "favour action", "exchange", "extra-office")
    assert (game.over, game.position()["turn"], game.legal()) == (False, 0, ["+3", "done"])
    play(game, "+3")
    assert (game.over, game.reason, game.position()["turn"]) == (True, "stalled", 0)


@rule("R12.4", "D36")
def test_anywhere_and_escort_together(make_game) -> None:
    posts = {"stade/hamburg": "1t", "hamburg/bremen": "2t 2t"}
    given = {"posts": posts, "supply": {0: "2t", 1: ""}, "stock": {1: "5t"}}
    parked = ["paderborn/warburg", "coellen/warburg", "quedlinburg/halle"]
    game = make_game(*favours(owned={1: ["anywhere", "escort"]}, display=["action"], parked=parked, **given))
    play(game, "displace", "route stade/hamburg", "put trader stade/hamburg", *["put trader groningen/emden"] * 2)
    after = game.position()
    assert (after["asked"], after["seat"], after["stock"][1]) == ("act", 0, [3, 0])


@rule("D34", "D35")
@pytest.mark.parametrize(("board", "variant"), [("base-2-3", "pawn"), ("base-2-3", "neutral"), ("east", None)])
def test_two_players_and_other_boards(make_game, board, variant) -> None:
    players = 2 if variant else 3
    tiles = {"display": DISPLAY[:players], "owned": [[] for _ in range(players)]}
    given = {"two_players": variant, "markers": {0: ["+3", "+4"]}, "module": {"favours": tiles}}
    made, hidden = position(board, players=players, **given)
    if variant == "pawn":
        made["pawn"] = "P01"
    game = make_game(made, hidden)
    play(game, "favour " + DISPLAY[0])
    assert game.position()["favours"]["owned"][0] == [DISPLAY[0]]
