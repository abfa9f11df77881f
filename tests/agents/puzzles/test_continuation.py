"""How the action goes on that a puzzle's answer begins."""

from __future__ import annotations

import numpy as np

from hansa_agents.puzzles.continuation import continuation, proven
from hansa_agents.puzzles.proof import prove
from hansa_agents.puzzles.puzzle_file import PROVEN, Puzzle
from hansa_env import Game, Ruleset
from hansa_env.formats.notation import parse_decision


def record(game: Game) -> np.ndarray:
    return np.array([game.state])


def moving() -> Game:
    """Of two players, with two pieces of the first on Stade–Hamburg and Hamburg–Lübeck, who decides again."""
    game = Game(Ruleset(3), seed=1)
    for text in ("place trader stade/hamburg", "place trader hamburg/lubeck"):
        game.play(text)
    while game.state["seat"] != 0:
        game.play("income 0" if "income 0" in game.legal() else game.legal()[0])
    return game


def test_it_ends_with_the_action_and_leaves_the_game_as_it_is() -> None:
    game = moving()
    before = record(game)
    wanted = iter(["lift trader stade/hamburg", "done", "put trader bremen/minden"])
    choose = lambda now: parse_decision(game.ruleset, now[0], next(wanted))  # noqa: E731
    texts = continuation(game.ruleset, before, game.parse("move"), choose)
    assert texts == ["lift trader stade/hamburg", "done", "put trader bremen/minden"]
    assert before.tobytes() == record(game).tobytes()
    assert continuation(game.ruleset, before, game.parse("place trader bremen/minden"), choose) == [], "a whole action"


def test_it_stops_where_nobody_knows() -> None:
    game = moving()
    assert continuation(game.ruleset, record(game), game.parse("move"), lambda now: None) == []


def test_what_is_proven_goes_on_with_what_wins(puzzles: list[Puzzle]) -> None:
    [one, *_] = [one for one in puzzles if one.line.known == PROVEN and one.line.answers == ["move"]]
    [then] = one.line.then
    assert continuation(one.ruleset, one.game, one.action("move"), proven(one.ruleset)) == then
    game = Game.from_position(one.line.position, composed=False)
    for text in ("move", *then[:-1]):
        game.play(text)
    proof = prove(one.ruleset, record(game), 25_000)
    assert proof is not None and game.parse(then[-1]) in proof.actions[proof.wins]
