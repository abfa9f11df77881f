"""Policy improvement by playouts: what it must see, and what it must not."""

import numpy as np
import pytest

from hansa_agents import AgentError, make_agent
from hansa_agents.search.rollout import RolloutAgent, paired_gain, take_largest
from hansa_env import Game, HansaBatch, Ruleset
from tests.agents.searches import check_that_its_choice_follows_from_what_is_seen, positions, wins_where_the_choice_matters
from tests.helpers import choose

SMALL = "rollout:screen_sims=1,top_k=2,final_sims=4"
RULESETS = Ruleset(2), Ruleset(3), Ruleset(5), Ruleset(3, board="east")


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_its_choice_does_not_depend_on_the_hidden_markers_nor_on_the_batch(ruleset: Ruleset) -> None:
    check_that_its_choice_follows_from_what_is_seen(SMALL, ruleset)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_its_seed_is_that_of_its_playouts(ruleset: Ruleset) -> None:
    batch = positions(ruleset, 24, 90)
    one, other = (make_agent(SMALL, ruleset, seed).act(batch.games, batch.action_mask, batch.seat) for seed in (3, 4))
    assert (one != other).any()


@pytest.mark.slow
def test_its_choices_win_more_of_the_games_that_are_nearly_over() -> None:
    """Where the scripted player, going on, wins by some decisions and loses by others, its own choice is the worse guide."""
    by_greedy, by_playouts = wins_where_the_choice_matters(["greedy", "rollout:screen_sims=4,top_k=3,final_sims=8"], 40)
    assert by_playouts == 40 > by_greedy


def test_playouts_come_to_an_end_where_scripted_players_get_stuck() -> None:
    """From a position without a turn limit, as a record has none, on a board where three games of five go on for ever."""
    ruleset, rng = Ruleset(2, board="miniature-2"), np.random.default_rng(1)
    batch = HansaBatch(16, ruleset, seed=1, max_turns=None)
    for _ in range(12):
        batch.step(choose(batch.action_mask, rng))
    games, masks, seats = (rows[~batch.ended] for rows in (batch.games, batch.action_mask, batch.seat))
    assert len(games) > 8 and (games["turn_limit"] == 0).all()
    chosen = make_agent("rollout:screen_sims=1,top_k=1,final_sims=1", ruleset).act(games, masks, seats)
    assert masks[np.arange(len(games)), chosen].all()


def test_the_largest_are_taken_one_after_another() -> None:
    values = np.array([1.0, -10.0, 3.0, 2.0])
    assert [take_largest.py_func(values) for _ in range(5)] == [2, 3, 0, -1, -1]


def test_the_gain_is_that_of_pairs() -> None:
    worths = np.array([[1.0, 2.0, 3.0, 9.0], [2.0, 2.5, 4.5, 7.0]])
    mean, error = paired_gain.py_func(worths, 3)
    assert mean == pytest.approx(1.0) and error == pytest.approx(np.std([1.0, 0.5, 1.5], ddof=1) / np.sqrt(3))


def test_what_is_wrong_with_its_options_is_said() -> None:
    refused = (
        ("rollout:final_sims=0", "final_sims is 0; expected a whole number from 1 to 200,000"),
        ("rollout:style=x", "unknown style 'x'"),
    )
    for spec, said in refused:
        with pytest.raises(AgentError, match=said):
            make_agent(spec, Ruleset(3))


def test_playouts_are_cut_off_though_the_game_is_not() -> None:
    """On a miniature scripted players get stuck: their playouts would go on to a limit that is far away."""
    ruleset, played = Ruleset(2, board="miniature-2-pile"), []
    agent = RolloutAgent(ruleset, 3, screen_sims=2, final_sims=2)
    for limit in (None, 10_000_000):
        game = Game(ruleset, seed=1, max_turns=limit)
        for _ in range(8):
            game.play_action(int(agent.act(game.games, game.action_mask()[None], np.array([game.seat]))[0]))
        played.append(game.decisions)
    assert played[0] == played[1]
