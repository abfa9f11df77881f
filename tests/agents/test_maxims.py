"""What is said of games of equals, against the games told one decision at a time."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.arena import Keep, play_match
from hansa_agents.line_ups import MatchError
from hansa_agents.maxims import HELD, Course, course_of, measure, sayings
from hansa_env import Game, Ruleset
from hansa_env.engine.state import ABILITIES


@pytest.mark.parametrize("players", [3, 4])
def test_the_course_of_games_is_what_their_records_tell(players: int) -> None:
    ruleset = Ruleset(players)
    match = play_match(["greedy", *["population"] * (players - 1)], ruleset, 6 * players, seed=5, keep=Keep(actions=True))
    found = course_of(match.results, ruleset, match.max_turns)
    ids, actions = [city.id for city in ruleset.board_data.cities], ABILITIES.index("actions")
    fed = 0
    for number, result in enumerate(match.results):
        first: dict[int, int] = {}
        counts, was_fed = [0] * players, [False] * players
        game = Game(ruleset, result.seed, max_turns=match.max_turns)
        for seat, decision in Game.from_record(result.record(ruleset, match.max_turns)).decisions:
            words = decision.split()
            holder = int(game.state["controller"][ids.index("gottingen")])
            if game.asked == "act" and words[0] == "claim" and "gottingen" in words[1] and 0 <= holder != seat:
                counts[seat] += holder < players
                was_fed = [was_fed[owner] or owner == holder for owner in range(players)]
            before = game.state["abilities"][:players, actions].copy()
            game.play(decision)
            for owner in np.flatnonzero(game.state["abilities"][:players, actions] != before):
                first.setdefault(int(before[owner]), int(owner))
        assert dict(enumerate(found.first[number].tolist())) == {
            step: first.get(step, -1) for step in range(len(found.first[0]))
        }
        assert (found.fed[number].tolist(), found.was_fed[number].tolist()) == (counts, was_fed)
        for city in HELD:
            holder = int(game.state["controller"][ids.index(city)])
            assert found.controllers[city][number] == (holder if holder < players else -1)
        fed += sum(counts)
    assert fed and (found.first >= 0).any() and any((seats >= 0).any() for seats in found.controllers.values())


def test_a_saying_is_about_the_seats_of_which_it_is_true() -> None:
    shares = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    course = Course(
        shares,
        np.array([[0, -1], [1, -1], [-1, -1], [1, 1]]),
        {"halle": np.array([-1, -1, -1, -1])},
        np.zeros((4, 2), np.int64),
        np.zeros((4, 2), np.bool_),
    )
    found = {one.words: one for one in sayings(course)}
    assert found["seat 1 in turn order"].share == pytest.approx(2.5 / 4) and found["seat 1 in turn order"].chance == 0.5
    assert (found["first to develop an action"].games, found["first to develop an action"].share) == (3, pytest.approx(2 / 3))
    assert not any("Halle" in words or "fed" in words for words in found), "nobody did, so nothing is said"


def test_who_feeds_is_held_against_those_who_could_have_and_did_not() -> None:
    """Three games of three seats. In the first, seat 0 is fed by seat 1; in the second seats 0 and 1 feed each other."""
    shares = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float64)
    fed, was_fed = np.array([[0, 2, 0], [1, 1, 0], [0, 0, 0]]), np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]], np.bool_)
    found = {one.words: one for one in sayings(Course(shares, np.full((3, 2), -1), {}, fed, was_fed))}
    assert (found["fed at Gottingen, never fed there"].games, found["fed at Gottingen, never fed there"].share) == (1, 0)
    assert found["neither fed nor was fed at Gottingen"].share == pytest.approx(1 / 2)
    assert found["was fed at Gottingen"].share == pytest.approx(1 / 3)


def test_games_without_their_actions_are_refused() -> None:
    match = play_match(["greedy", "random"], Ruleset(2), 2, seed=1)
    with pytest.raises(MatchError, match=r"expected a match with keep=Keep\(actions=True\)"):
        course_of(match.results, Ruleset(2), match.max_turns)


def test_seats_of_equals_share_the_win() -> None:
    found = measure("greedy", Ruleset(3), 30, seed=2)
    assert sum(one.share for one in found if "turn order" in one.words) == pytest.approx(1)
