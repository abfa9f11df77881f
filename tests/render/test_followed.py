"""What followed decisions without being decided, in words."""

from __future__ import annotations

import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.formats.moves import Followed, Move, answers_of, turns_of
from hansa_env.render.followed import what_followed
from hansa_env.render.income import order_in
from hansa_env.render.words import decision_told_alone, move_in_words, turn_in_words
from hansa_env.table.game_history import Line
from hansa_env.table.messages import moves_data
from hansa_env.table.start import Start
from tests.promos import PROMOS, beginning
from tests.rules.scenario import TWO_NEUTRAL, board

THREE = Ruleset(3)


def told(game: Game, text: str) -> str:
    """A decision, played, in words with what followed."""
    move, before = game.move(text), game.state.copy()
    game.play(text)
    return move_in_words(game.ruleset, move._replace(then=what_followed(game.ruleset, move, before, game.state)))


def after(*texts: str) -> Game:
    game = Game(THREE, seed=1)
    for text in texts:
        game.play(text)
    return game


def test_a_displacement_names_the_route_and_the_piece_where_nobody_was_asked() -> None:
    game = after("place trader stade/hamburg", "done")
    assert told(game, "displace") == "displaces on Stade–Hamburg the trader of seat 0"
    assert game.asked == "with", "what is told is not decided yet"
    assert told(game, "merchant") == "with a merchant; pays a trader", "no other kind was left"


def test_of_several_routes_the_only_piece_is_named_and_of_several_pieces_none_before_it_is_chosen() -> None:
    game = after("place trader stade/hamburg", "place trader bremen/minden", "displace")
    assert told(game, "route bremen/minden") == "on Bremen–Minden the trader of seat 0"
    game = after("place trader stade/hamburg", "place merchant stade/hamburg")
    assert told(game, "displace") == "displaces on Stade–Hamburg"
    assert told(game, "0m") == "the merchant of seat 0"


def test_the_only_piece_to_move_is_named() -> None:
    game = after("place trader stade/hamburg")
    assert told(game, "move") == "moves; lifts a trader from Stade–Hamburg"
    assert told(game, "put trader bremen/minden") == "puts a trader on Bremen–Minden"


def test_whoever_has_only_one_place_for_a_displaced_piece_is_named_too() -> None:
    position = Game(THREE).position()
    del position["legal"]
    for route, posts in position["posts"].items():
        position["posts"][route] = ["2t"] + [None] * (len(posts) - 1) if route == "stade/hamburg" else posts
    position["stock"][2][0] -= 1
    assert told(Game.from_position(position), "displace") == "displaces on Stade–Hamburg the trader of seat 2"


def test_a_trade_in_names_the_marker_and_the_partner() -> None:
    game = Game.from_position(beginning(used=[[], ["+4"], []], pile=Game(PROMOS).position()["pile"] - 7), seed=1)
    assert told(game, "trade-in") == "uses the marker trade-in with seat 1 for +4"
    game = Game.from_position(beginning(used=[[], ["+3", "+4"], []], pile=Game(PROMOS).position()["pile"] - 8), seed=1)
    assert told(game, "trade-in") == "uses the marker trade-in with seat 1"
    assert told(game, "+3") == "for +3"


def test_a_favour_names_its_price() -> None:
    position = Game(Ruleset(3, favours=True)).position()
    position |= {"markers": [["+3", "+4"], [], []], "pile": position["pile"] - 2}
    del position["legal"]
    bought = f"favour {position['favours']['display'][0]}"
    assert told(Game.from_position(position), bought) == f"buys the {bought} for +3 for +4", "nobody is asked which of two"


@pytest.mark.parametrize(
    "ruleset", [THREE, Ruleset(2), Ruleset(2, two_players="pawn"), Ruleset(4, missions=True, favours=True)]
)
def test_markers_and_prestige_of_whole_games_are_told(ruleset: Ruleset) -> None:
    game = play_game(["greedy"], ruleset, seed=4)
    records, moves = game.positions(), game.told_moves()
    claimed = laid = 0
    for number, move in enumerate(moves):
        before, now = (Game.from_state(ruleset, records[at]).position() for at in (number, number + 1))
        parts = [(one.seat, one.words) for one in move.then]
        gained = [0] * ruleset.players
        for seat, words in parts:
            gained[seat] += int(words.removeprefix("scores ")) if words.startswith("scores ") else 0
        assert gained == [new - old for old, new in zip(before["prestige"], now["prestige"])]
        if move.text.startswith("claim "):
            kind = before["route_markers"].get(move.text.removeprefix("claim "))
            assert ((move.seat, f"takes the marker {kind}") in parts) == (kind is not None)
            claimed += kind is not None
        new = {kind for route, kind in now["route_markers"].items() if before["route_markers"].get(route) != kind}
        assert {words.strip("()") for _, words in parts if words.startswith("(")} == new
        laid += len(new)
    assert claimed > 3 and laid > 3
    assert any("lays a new marker on " in turn_in_words(ruleset, moves, turn) for turn in turns_of(moves))


def test_an_income_is_told_with_its_traders() -> None:
    game = after()
    assert told(game, "income 0") == "takes income with 3 traders"
    position = Game(THREE).position()
    del position["legal"]
    traders, merchants = (here + there for here, there in zip(position["stock"][0], position["supply"][0]))
    position["stock"][0], position["supply"][0] = [2, merchants], [traders - 2, 0]
    game = Game.from_position(position)
    assert order_in(THREE, game.state, "income 1") == "take income with 1 merchant and 2 traders"
    assert told(game, "income 1") == "takes income with 1 merchant and 2 traders"


def test_who_acts_is_named_again_behind_another_seat_and_owns_its_pieces() -> None:
    then = (Followed(0, "takes the marker remove-three"), Followed(1, "scores 1"), Followed(1, "scores 2"))
    answers = [("reward", "office stade"), ("act", "remove"), ("remove", "route bremen/minden"), ("victim", "0t")]
    moves = [Move(0, 0, 0, "act", "claim stade/hamburg", then), *(Move(0, 0, 0, *answer) for answer in answers)]
    assert turn_in_words(THREE, moves, next(turns_of(moves))) == (
        "Turn 1, seat 0: claims Stade–Hamburg; takes the marker remove-three; seat 1 scores 1; scores 2; "
        "seat 0 takes an office in Stade; uses the marker remove-three; removes from Bremen–Minden its own trader"
    )


def test_a_marker_that_a_neutral_claim_discards_is_told_of_whose_turn_it_is() -> None:
    markers = {"kampen/osnabruck": "+3"}
    game = board(TWO_NEUTRAL, posts={"emden/osnabruck": "nt"}, supply={0: (4, 0)}, route_markers=markers, pile=5)
    for text in ("displace", "put trader kampen/osnabruck"):
        game.play(text)
    said = told(game, "put trader kampen/osnabruck")
    assert said == "puts a trader on Kampen–Osnabrück; seat 0 discards the marker +3"


def test_a_decision_told_alone_and_a_whole_action_have_what_was_not_asked() -> None:
    game = after("place trader stade/hamburg", "done", "displace", "trader")
    moves = game.told_moves()
    assert decision_told_alone(THREE, moves, 2) == "displace on Stade–Hamburg the trader of seat 0"
    assert answers_of(moves[2:4]) == [
        ("act", "displace"), ("displace", "route stade/hamburg"), ("victim", "0t"), ("with", "trader"),
    ]  # fmt: skip


def test_pages_are_told_what_followed() -> None:
    line = Line(Start.dealt(THREE, 1))
    for text in ("place trader stade/hamburg", "done", "displace"):
        line.play(text)
    assert moves_data(line, 3)[0]["then"] == [
        {"seat": 1, "words": "on Stade–Hamburg", "told": "on Stade–Hamburg", "goes_on": True},
        {"seat": 1, "words": "the trader of seat 0", "told": "the trader of seat 0", "goes_on": True},
    ]
    assert line.copy().moves == line.moves
