"""How the action goes on that a puzzle's answer begins."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.puzzles.continuation import continuation
from hansa_agents.puzzles.proof import prove
from hansa_agents.puzzles.puzzle_file import PROVEN, Puzzle
from hansa_env import Game, Ruleset
from hansa_env.formats.notation import legal_texts, parse_decision
from tests.helpers import before_a_move


def record(game: Game) -> np.ndarray:
    return np.array([game.state])


def test_it_ends_with_the_action_and_leaves_the_game_as_it_is() -> None:
    game = before_a_move()
    before = record(game)
    wanted = iter(["lift trader stade/hamburg", "done", "put trader bremen/minden"])
    choose = lambda now: parse_decision(game.ruleset, now[0], next(wanted))  # noqa: E731
    texts = continuation(game.ruleset, before, game.parse("move"), choose)
    assert texts == ["lift trader stade/hamburg", "done", "put trader bremen/minden"]
    assert before.tobytes() == record(game).tobytes()
    assert continuation(game.ruleset, before, game.parse("place trader bremen/minden"), choose) == [], "a whole action"


def test_it_stops_where_nobody_knows() -> None:
    game = before_a_move()
    assert continuation(game.ruleset, record(game), game.parse("move"), lambda now: None) == []


def test_it_ends_where_another_seat_decides() -> None:
    """Who is displaced decides where his pieces go."""
    game = Game(Ruleset(3), seed=1)
    game.play("place trader stade/hamburg")
    while "displace" not in game.legal() or game.state["seat"] == 0:
        game.play("income 0" if "income 0" in game.legal() else game.legal()[0])
    choose = lambda now: parse_decision(game.ruleset, now[0], legal_texts(game.ruleset, now[0])[0])  # noqa: E731
    seat, texts = game.state["seat"], continuation(game.ruleset, record(game), game.parse("displace"), choose)
    for text in ("displace", *texts):
        assert game.state["seat"] == seat
        game.play(text)
    assert game.state["seat"] == 0 != seat


@pytest.mark.slow
def test_what_is_proven_goes_on_with_what_wins(puzzles: list[Puzzle]) -> None:
    moves = [one for one in puzzles if one.line.known == PROVEN and one.line.answers == ["move"]]
    assert len(moves) > 10
    for one in moves:
        game = Game.from_position(one.line.position, composed=False)
        game.play("move")
        for text in one.line.then[0]:
            proof = prove(one.ruleset, record(game), one.line.tried)  # less is left to try than before the move
            assert proof is not None and game.parse(text) in proof.actions[proof.wins]
            game.play(text)
