"""Habits, against the games told one decision at a time by the notation."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.arena import Keep, play_match
from hansa_agents.habits import habits
from hansa_agents.line_ups import MatchError
from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine.state import ABILITIES


@pytest.mark.parametrize("ruleset", [Ruleset(2), Ruleset(3), Ruleset(5)], ids=str)
def test_habits_are_what_the_records_tell(ruleset: Ruleset) -> None:
    field = ["one=greedy", *["two=scripted:actions"] * (ruleset.players - 1)]
    match = play_match(field, ruleset, 2 * ruleset.players, seed=3, keep=Keep(actions=True))
    found = habits(match.results, ruleset, "two")
    offices, claims, turns = {}, {}, {}
    for result in match.results:
        game = Game(ruleset, result.seed, max_turns=100)
        mine = [seat for seat, name in enumerate(result.agents) if name == "two"]
        for seat, decision in Game.from_record(result.record(ruleset, 100)).decisions:
            before, word = game.state["abilities"].copy(), decision.split()
            if game.asked == "act" and word[0] == "claim" and seat in mine:
                claims[word[1]] = claims.get(word[1], 0) + 1
            own_turn = int(game.state["turns"]) // ruleset.players + 1
            game.play(decision)
            for owner in mine:
                for k, name in enumerate(ABILITIES):
                    for step in range(before[owner, k], game.state["abilities"][owner, k]):
                        turns.setdefault((name, step), []).append(own_turn)
        for places in (game.position()["offices"], game.position()["extras"]):
            for city, pieces in places.items():
                own = [piece for piece in pieces if piece and piece[0].isdigit() and int(piece[0]) in mine]
                offices[city] = offices.get(city, 0) + len(own)
    seats = len(match.results) * (ruleset.players - 1)
    assert found.seats == seats and found.turns == pytest.approx(
        np.mean([result.turns for result in match.results]) / ruleset.players
    )
    for (name, step), when in turns.items():
        assert found.turn[name][step] == pytest.approx(np.mean(when))
        assert found.developed[name][step] == pytest.approx(len(when) / seats)
    assert sum(len(one) for one in turns.values()) == pytest.approx(seats * sum(one.sum() for one in found.developed.values()))
    assert {route: round(value * seats) for route, value in found.claims.items() if value} == claims
    assert {city: round(value * seats) for city, value in found.offices.items()} == offices and sum(offices.values()) > seats


def test_offices_in_green_cities_are_counted() -> None:
    """R9.7: placed ones and extra ones, against the boards at the end."""
    ruleset = Ruleset(5, board="east")
    match = play_match(["greedy"] * 5, ruleset, 20, seed=3, keep=Keep(actions=True))
    found, green = habits(match.results, ruleset, "greedy").offices, [city.green for city in ruleset.board_data.cities]
    count = 0
    for result in match.results:
        batch = HansaBatch(1, ruleset, max_turns=100)
        batch.reset(seeds=[result.seed])
        for action in result.actions:
            batch.step(np.array([action]))
        game = batch.games[0]
        count += game["filled"][: len(green)][green].sum() + sum(city >= 0 and green[city] for city in game["extra_city"])
    assert count > 5
    assert round(100 * sum(found[city.id] for city in ruleset.board_data.cities if city.green)) == count


def test_without_actions_there_is_nothing_to_tell() -> None:
    match = play_match(["greedy", "random", "random"], Ruleset(3), 3, max_turns=3)
    with pytest.raises(MatchError, match="there are no games with their actions"):
        habits(match.results, Ruleset(3), "greedy")
    with pytest.raises(MatchError, match="no games of 'nobody'"):
        habits(match.results, Ruleset(3), "nobody")
