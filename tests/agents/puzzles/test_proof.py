"""What is proven of a turn, against plainer ways of going through it."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.puzzles import proof
from hansa_agents.puzzles.proof import prove
from hansa_agents.puzzles.puzzle_file import PROVEN, Puzzle
from hansa_env import Game, Ruleset
from hansa_env.boards.missions import MISSIONS


def endings(puzzles: list[Puzzle], most: int, count: int) -> list[Puzzle]:
    """Some of those that take few decisions to prove, of as many settings as there are."""
    found = [one for one in puzzles if one.line.known == PROVEN and (one.line.tried or 0) <= most]
    order = sorted(found, key=lambda one: sum(other.line.setting == one.line.setting for other in found[: found.index(one)]))
    return order[:count]


def wins(game: Game, seat: int, turns: int, known: dict[str, bool]) -> bool:
    """Whether a seat wins alone in this turn, decision by decision, as the rules are written."""
    if game.over:
        return bool(game.state["turns"] == turns) and game.winners() == [seat]
    if game.state["turns"] != turns or game.asked == "marker":
        return False
    key = str(game.position())
    if key not in known:
        after = (wins(played(game, text), seat, turns, known) for text in game.legal())
        known[key] = any(after) if game.seat == seat else all(after)
    return known[key]


def played(game: Game, text: str) -> Game:
    other = game.copy()
    other.play(text)
    return other


@pytest.mark.parametrize("most", [500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_the_published_endings_are_proven_again(puzzles: list[Puzzle], most: int) -> None:
    chosen = endings(puzzles, most, 40)
    assert len(chosen) == 40
    for one in chosen:
        found = prove(one.ruleset, one.game, most)
        assert found is not None and found.tried == one.line.tried
        game = Game.from_state(one.ruleset, one.game[0])
        assert {game.describe(action) for action in found.actions[found.wins].tolist()} == one.answers
        assert {game.describe(action) for action in found.actions.tolist()} == one.legal


def test_lines_that_are_spared_would_not_have_won(puzzles: list[Puzzle], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without what tells that a game cannot end in its turn."""
    monkeypatch.setattr(proof, "may_end", lambda ruleset, games, seat: np.ones(len(games), bool))
    compared = 0
    for one in endings(puzzles, 1_000, 30):
        found = prove(one.ruleset, one.game, 40_000)
        if found is not None:
            game = Game.from_state(one.ruleset, one.game[0])
            assert {game.describe(action) for action in found.actions[found.wins].tolist()} == one.answers
            compared += found.tried > (one.line.tried or 0)
    assert compared >= 5


@pytest.mark.slow
def test_a_plain_search_by_the_rules_finds_the_same(puzzles: list[Puzzle]) -> None:
    chosen = [one for one in endings(puzzles, 60, 60) if not one.ruleset.missions][:12]
    assert len(chosen) >= 5
    compared = 0
    for one in chosen:
        game = Game.from_state(one.ruleset, one.game[0])
        if game.state["actions_left"] > 1:
            continue
        assert game.seat is not None
        turns, known = int(game.state["turns"]), {}
        right = {text for text in game.legal() if wins(played(game, text), game.seat, turns, known)}
        assert right == one.answers
        compared += 1
    assert compared >= 3


def test_what_takes_too_long_or_is_not_ones_turn_is_not_proven() -> None:
    game = Game(Ruleset(3))
    assert prove(game.ruleset, game.games, 1_000) is not None  # nobody can end the game, which is found out at once
    assert prove(game.ruleset, game.games, 10) is None
    game.state["seat"] = 1
    assert prove(game.ruleset, game.games, 1_000) is None


def test_a_mission_card_that_another_may_hold_undoes_a_win() -> None:
    """Seat 1 has offices in the cities of card 0, which it may hold: it is worth three points more than it seems."""
    ruleset = Ruleset(2, missions=True)
    games = Game(ruleset).games
    cities = [city.id for city in ruleset.board_data.cities]
    games["missions"][0, :2] = [2, 3]
    games["presence"][0, 1] = sum(1 << cities.index(city) for city in MISSIONS[0])
    for lead, certain in ((2, False), (3, False), (4, True)):
        games["prestige"][0, 0] = lead
        assert proof._alone(ruleset, games, 0).tolist() == [True]
        assert proof.wins_alone(ruleset, games, 0).tolist() == [certain]
