"""What comes of one game of a match, and its record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansa_agents.arena import Keep, play_match
from hansa_env import Game, Ruleset

RULES = Ruleset(3)


def test_a_game_that_was_cut_off_has_a_record_with_its_result_and_its_limit() -> None:
    match = play_match(["random"], RULES, 3, seed=1, max_turns=2, keep=Keep(actions=True))
    for result in match.results:
        record = result.record(RULES, 2)
        assert result.cut_off and result.truncated and record["max_turns"] == 2
        assert record["result"]["scores"] == result.scores.tolist() and Game.from_record(record).cut_off


@pytest.mark.parametrize("limit", [1, 3, 100, None])
def test_a_turn_limit_that_did_not_cut_a_game_off_is_refused(limit: int | None) -> None:
    result = play_match(["random"], RULES, 1, seed=1, max_turns=2, keep=Keep(actions=True)).results[0]
    for played in (result.record, result.game):
        with pytest.raises(
            ValueError, match=rf"game 0: was cut off after 6 turns of all .*, but max_turns is {limit}.*its match"
        ):
            played(RULES, limit)


def test_a_turn_limit_before_the_end_of_a_game_is_refused() -> None:
    result = play_match(["greedy"], RULES, 1, seed=1, keep=Keep(actions=True)).results[0]
    assert not result.cut_off and result.reason == result.record(RULES, None)["result"]["reason"]
    said = rf"came to its end \({result.reason}\) after {result.turns} turns .* max_turns is 2, which cuts it off after 6; give"
    with pytest.raises(ValueError, match=said):
        result.record(RULES, 2)
    with pytest.raises(ValueError, match="max_turns is 0; expected None or a whole number"):
        result.game(RULES, 0)
    shortest = result.turns // 3 + 1
    assert result.record(RULES, shortest)["max_turns"] == shortest
    with pytest.raises(ValueError, match="its actions were not kept"):
        replace(result, actions=None).record(RULES, 100)
