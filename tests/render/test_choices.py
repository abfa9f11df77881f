"""Legal decisions as a list, and what is meant by words."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.formats.moves import Move
from hansa_env.render.choices import choices_as_text, choices_meant, choices_of
from hansa_env.render.income import order_in
from hansa_env.render.text import render_text
from hansa_env.render.thoughts import estimate_in_words, percent
from hansa_env.render.words import action_as_order, asked_to, decision_as_order, decision_told_alone
from tests.helpers import RULESETS, choose_eagerly, ruleset_id

THREE = Ruleset(3)


def meant(game: Game, said: str) -> list[str]:
    return [choice.text for choice in choices_meant(choices_of(game.ruleset, game.state), said)]


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_every_decision_of_a_game_is_listed_once_and_meant_by_its_number_text_and_order(ruleset: Ruleset) -> None:
    """Every third of its decisions, and the first of each question."""
    batch, rng, questions = HansaBatch(1, ruleset, seed=3, max_turns=100), np.random.default_rng(3), set()
    for number in itertools.count():
        if not batch.action_mask.any():
            break
        game = Game.from_batch(batch, 0)
        if number % 3 and game.asked in questions:
            batch.step(choose_eagerly(batch, rng))
            continue
        choices = choices_of(ruleset, game.state)
        assert sorted(choice.text for choice in choices) == game.legal()
        assert [choice.number for choice in choices] == list(range(1, len(choices) + 1))
        text = choices_as_text(choices, 100)
        assert max(map(len, text.splitlines())) <= 100 and all(choice.item in text for choice in choices)
        for choice in choices if game.asked not in questions else ():
            assert choices_meant(choices, str(choice.number)) == choices_meant(choices, choice.text.upper()) == [choice]
            assert choice in choices_meant(choices, choice.order)
            assert order_in(ruleset, game.state, choice.text) == choice.order
        assert asked_to(game.position())
        questions.add(game.asked)
        batch.step(choose_eagerly(batch, rng))
    assert {"act", "reward", "put"} <= questions


def test_words_may_be_beginnings_without_accents() -> None:
    game = Game(THREE, 3)
    assert meant(game, "pl tr gottingen") == meant(game, "trader gött quedl") == ["place trader gottingen/quedlinburg"]
    assert meant(game, "Lüneburg Perleberg Trader") == ["place trader luneburg/perleberg"]
    assert meant(game, "done") == meant(game, "end turn") == ["done"]
    assert len(meant(game, "stade")) == 2 and len(meant(game, "place trader")) == 32
    assert meant(game, "stade lubeck") == meant(game, "999") == meant(game, "") == meant(game, "...") == []


def test_a_province_is_meant_by_its_name_or_its_number() -> None:
    game = Game(Ruleset(2, "first"), 3)
    first = choices_of(game.ruleset, game.state)[0]
    assert first.order == "set the pawn up in province 1, Hamburg–Lüneburg–Hannover–Bremen" and first.text == "pawn P01"
    assert meant(game, "P01") == meant(game, "province 1") == meant(game, "hannover hamburg") == ["pawn P01"]
    assert "P16 West (Coellen–Groningen)" in render_text(game.ruleset, game.state)


def test_whole_words_go_before_beginnings() -> None:
    game = Game(THREE, 3)
    game.play("place trader stade/hamburg")
    assert meant(game, "move") == ["move"]
    assert len(meant(game, "m")) > 5, "merchants and names too"


def test_long_lists_come_first_and_done_last() -> None:
    game = Game(THREE, 3)
    game.play("place trader stade/hamburg")
    choices = choices_of(THREE, game.state)
    headings = list(dict.fromkeys(choice.heading for choice in choices))
    assert headings == ["place a trader on", "place a merchant on", ""] and choices[-1].text == "done"
    narrow = choices_as_text(choices, 40).splitlines()
    assert max(map(len, narrow)) <= 40 and "  Place a trader on" in narrow and "  Or" in narrow


def test_an_estimate_in_words() -> None:
    said = {"likeliest": [["place trader stade/hamburg", 0.624, 0.4], ["done", 0.001, None]], "value": 0.333}
    assert estimate_in_words(THREE, "act", said) == [
        " 62 %  place a trader on Stade–Hamburg, to win 40 %",
        " <1 %  end the turn",
        "expects to win 33 % of such games",
    ]
    (seats,) = estimate_in_words(THREE, "act", {"likeliest": [], "value": None, "seats": [0.998, 0.002, 0.0]})
    assert seats == "gives of the win seat 0 >99 %, seat 1 <1 %, seat 2 0 %"
    assert [percent(share) for share in (0.0, 0.004, 0.02, 0.994, 0.996, 1.0)] == [
        "0 %", "<1 %", "2 %", "99 %", ">99 %", "100 %",
    ]  # fmt: skip


def test_a_decision_in_the_middle_of_a_sentence_is_told_with_its_beginning() -> None:
    moves = [
        Move(0, 0, 0, "act", "displace"), Move(0, 0, 0, "displace", "route bremen/minden"), Move(0, 0, 0, "victim", "1t"),
        Move(0, 0, 1, "relocate", "put trader bremen/minden"),
    ]  # fmt: skip
    said = "displace on Bremen–Minden"
    assert decision_told_alone(THREE, moves, 0) == "displace"
    assert decision_told_alone(THREE, moves, 1) == said
    assert decision_told_alone(THREE, moves, 2) == f"{said} the trader of seat 1"
    assert decision_told_alone(THREE, moves, 3) == decision_as_order(THREE, "relocate", moves[3].text)


@pytest.mark.parametrize(("moves", "said"), [
    ([("act", "displace"), ("displace", "route bremen/minden"), ("with", "trader"), ("pay", "trader")],
     "displace on Bremen–Minden with a trader, then pay a trader"),
    ([("act", "move"), ("lift", "lift trader bremen/minden"), ("put", "put trader stade/hamburg")],
     "move: lift a trader from Bremen–Minden, then put a trader on Stade–Hamburg"),
    ([("act", "income 0")], "take income"),
])  # fmt: skip
def test_a_whole_action_is_one_sentence(moves: list[tuple[str, str]], said: str) -> None:
    assert action_as_order(THREE, moves) == said
