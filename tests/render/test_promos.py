"""Promo markers and move-three (R13): what is drawn of them, told of them, and clicked."""

from __future__ import annotations

from hansa_env import Game
from hansa_env.render.svg import draw
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_in_words, token_in_words
from tests.promos import PROMOS, beginning, played
from tests.render.test_things import check


def test_tokens_lie_above_their_routes_with_a_trader_of_their_owner() -> None:
    game = Game.from_position(beginning())
    scene = game.scene()
    check(scene)
    assert next(route.tokens for route in scene.routes if route.id == "belgard/danzig") == (("tribute", "0"), ("block", "1"))
    svg = draw(scene)
    assert svg.count('data-thing="token ') == 3
    assert token_in_words("block", "1") in svg and token_in_words("tribute", "1") in svg
    assert "^t0 ^b1" in str(game) and "^t0 tribute of seat 0" in str(game)
    assert "promo markers" in scene.title


def test_a_trade_in_is_asked_and_told() -> None:
    game = Game.from_position(beginning())
    assert things_of(game.scene(), "trade-in") == ("marker 0 trade-in",)
    game.play("trade-in")
    assert game.scene().question == "choose whose used marker to take" and things_of(game.scene(), "seat 1") == ("desk 1",)
    game.play("seat 1")
    scene = game.scene()
    assert scene.question == "choose the used marker to take" and things_of(scene, "+4") == ("used 1 +4",)
    check(scene)


def test_words() -> None:
    assert decision_in_words(PROMOS, "act", "remove") == "uses the marker move-three"
    said = {"trade-in": "seat 1", "spend": "+4", "token": "route malmo/danzig"}
    told = [decision_in_words(PROMOS, asked, text) for asked, text in said.items()]
    assert told == ["with seat 1", "for +4", "above Malmö–Danzig"]


def test_a_tribute_is_taken_in_anothers_turn() -> None:
    asked = (game for seed in range(40) for game, _ in played(seed) if game.asked == "tribute")
    scene = next(game.scene() for game in asked if game.seat != game.state["turn"])
    check(scene)
    assert scene.question == "choose the pieces of the tribute"
    assert decision_in_words(PROMOS, "tribute", "income 1") == "takes a tribute with 1 merchant"
