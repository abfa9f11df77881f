"""The scripted player with the markers of the Big Box and the promos (R13)."""

from collections import Counter

import pytest

from hansa_agents import make_agent
from hansa_agents.arena import play_match
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import state
from hansa_env.formats.notation import decision_text


@pytest.mark.parametrize("ruleset", [Ruleset(4, "bigbox"), Ruleset(3, pile="promos")], ids=str)
def test_greedy_beats_random_players(ruleset: Ruleset) -> None:
    match = play_match(["greedy", *["random"] * (ruleset.players - 1)], ruleset, 60, seed=3)
    assert match.rows[0].low > 0.9


def test_it_lays_tokens_trades_in_and_moves_pieces() -> None:
    """Among itself, in 80 games."""
    ruleset = Ruleset(3, "bigbox", pile="promos")
    batch, greedy, said = HansaBatch(80, ruleset, seed=1, max_turns=60), make_agent("greedy", ruleset), Counter()
    while not batch.ended.all():
        actions = greedy.act(batch.games, batch.action_mask, batch.seat)
        for game, action in zip(batch.games, actions):
            if action >= 0 and game["asked"] in (state.ASK_ACT, state.ASK_TRADED, state.ASK_FETCH_OTHERS):
                said[decision_text(ruleset, game, int(action)).partition(" ")[0]] += 1
        batch.step(actions)
    assert min(said["tribute"], said["block"]) > 20 and said["trade-in"] > 3 and said["remove"] > 20 < said["route"]
