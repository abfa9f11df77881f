"""The scripted player with missions and Emperor's Favour tiles (R11, R12)."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.arena import play_match
from hansa_agents.scripted.agent import ScriptedAgent
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import state
from hansa_env.formats.notation import decision_text
from hansa_env.ruleset import FAVOURS

THREE = Ruleset(3, missions=True, favours=True)
NEVER_BUYS = {f"favour.{tile}": -1000.0 for tile in range(len(FAVOURS))}


def played_among_two(ruleset: Ruleset, mine: dict, theirs: dict, games: int) -> tuple[HansaBatch, np.ndarray, list]:
    """Ended games of a player with some weights among others with others; its seats, and its decisions by question."""
    batch, seat = HansaBatch(games, ruleset, seed=5, max_turns=60), np.arange(games) % ruleset.players
    agents, told = [ScriptedAgent(ruleset, mine), ScriptedAgent(ruleset, theirs)], []
    while not batch.ended.all():
        own, others = (agent.act(batch.games, batch.action_mask, batch.seat) for agent in agents)
        for i in np.flatnonzero((batch.seat == seat) & ~batch.ended):
            told.append((int(batch.games["asked"][i]), decision_text(ruleset, batch.games[i], int(own[i]))))
        batch.step(np.where(batch.seat == seat, own, others))
    return batch, seat, told


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_beats_random_players(players: int) -> None:
    ruleset = Ruleset(players, missions=True, favours=True)
    match = play_match(["greedy", *["random"] * (players - 1)], ruleset, 120, seed=3)
    assert match.rows[0].low > 0.95


def test_it_buys_favours_that_pay() -> None:
    """R12.2: the tile for cities above all; what it buys is worth more points than it costs."""
    batch, seat, told = played_among_two(THREE, {}, NEVER_BUYS, 240)
    bought = [text for asked, text in told if text.startswith("favour")]
    assert bought.count("favour cities") > 20 and bought.count("favour action") > 5
    assert batch.winners()[np.arange(240), seat].mean() > 1 / 3


def test_it_takes_the_tithe() -> None:
    _, _, told = played_among_two(THREE, {"favour.2": 500.0, "turn": 0.0}, NEVER_BUYS, 90)
    answers = [text for asked, text in told if asked == state.ASK_TITHE]
    assert len(answers) > 50 and set(answers) == {"trader", "merchant"}


def test_others_cards_do_not_change_what_it_does() -> None:
    batch = HansaBatch(60, THREE, seed=6)
    agent = ScriptedAgent(THREE)
    for _ in range(250):
        other = batch.games.copy()
        for game in other:
            own = int(game["missions"][game["seat"]])
            game["missions"][:3] = [card for card in range(9) if card != own][:3]
            game["missions"][game["seat"]] = own
        actions = agent.act(batch.games, batch.action_mask, batch.seat)
        assert (agent.act(other, batch.action_mask, batch.seat) == actions).all()
        batch.step(actions)
