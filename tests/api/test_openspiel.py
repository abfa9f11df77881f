"""The game in OpenSpiel; needs the extra `openspiel`, which has a job of its own."""

from __future__ import annotations

import random

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="needs the extra `openspiel`")

import pyspiel

from hansa_env import Game, Ruleset
from hansa_env.openspiel import game_string
from tests.rulesets import by_table, every_ruleset

SHORT = game_string(Ruleset(3), max_turns=4)


def play_on(state: pyspiel.State, steps: int, seed: int = 1) -> pyspiel.State:
    """The state after a deal and random decisions."""
    rng = random.Random(seed)
    if state.is_chance_node():
        state.apply_action(seed)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("table", by_table())
def test_openspiels_own_random_simulations(table: str) -> None:
    """On a ruleset of every board and number of players; with serialization, clones, masks, observations."""
    game = pyspiel.load_game(game_string(random.Random(table).choice(by_table()[table]), max_turns=2))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("reward", ["win", "rank"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_returns_are_within_the_utilities_and_sum_to_zero(players: int, reward: str) -> None:
    """To the last bit; games that are cut off soon have many ties."""
    for turns in (1, 2, 30):
        game = pyspiel.load_game(f"python_hansa_teutonica(players={players},max_turns={turns},reward={reward})")
        state = play_on(game.new_initial_state(), 0, seed=turns)
        rng = random.Random(players)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        assert all(game.min_utility() <= one <= game.max_utility() for one in state.returns()), state.returns()
        assert abs(sum(state.returns())) < 1e-15


def test_every_ruleset_has_a_name_that_loads_it() -> None:
    names = {game_string(ruleset): ruleset for ruleset in every_ruleset()}
    assert len(names) == len(every_ruleset()) > 100
    for name, ruleset in names.items():
        assert pyspiel.load_game(name).ruleset == ruleset


def test_what_is_left_out_is_as_everywhere() -> None:
    assert pyspiel.load_game("python_hansa_teutonica").ruleset == Ruleset()
    east = pyspiel.load_game("python_hansa_teutonica(players=3,board=east,favours=any-board,pile=promos)").ruleset
    assert east == Ruleset(3, board="east", favours="any-board", pile="promos")


@pytest.mark.parametrize(("parameters", "said"), [
    ("players=6", "players is 6"), ("favours=maybe", "^favours is 'maybe'; expected yes, no or any-board"),
    ("reward=margin", "reward is 'margin'"),
    ("deals=0", "deals is 0"), ("max_turns=0", "max_turns is 0; expected a whole number from 1 to 10000000"),
    ("max_turns=5368710", "max_turns is 5368710; expected at most 5368709 with 4 players in OpenSpiel"),
    ("players=2,max_turns=10000001", "max_turns is 10000001; expected a whole number from 1 to 10000000"),
])  # fmt: skip
def test_what_is_no_game_is_refused(parameters: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pyspiel.load_game(f"python_hansa_teutonica({parameters})")


def test_a_zero_is_said() -> None:
    """Left out it would be the default; the game refuses it, or takes it, where it is read."""
    for name in ("max_turns", "deals"):
        assert game_string(Ruleset(3), **{name: 0}).endswith(f",{name}=0)")
        with pytest.raises(ValueError, match=f"{name} is 0; expected"):
            pyspiel.load_game(game_string(Ruleset(3), **{name: 0}))


def test_the_longest_game_that_openspiel_can_count() -> None:
    assert pyspiel.load_game("python_hansa_teutonica(max_turns=5368709)").max_game_length() == 5368709 * 4 * 100


def test_a_deal_is_the_game_of_its_seed_and_decisions_are_those_of_the_engine() -> None:
    state, game = play_on(pyspiel.load_game(SHORT).new_initial_state(), 0, seed=7), Game(Ruleset(3), seed=7, max_turns=4)
    rng = random.Random(3)
    while not state.is_terminal():
        player = state.current_player()
        assert player == game.seat and state.legal_actions() == game.legal_actions()
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(player, action) == game.describe(action)
        for seat in range(3):
            tensor = np.array(state.observation_tensor(seat))
            seen = game.observation(seat)
            assert ((tensor > 0) == (seen > 0)).all() and tensor.max() <= 1
        state.apply_action(action)
        game.play_action(action)
    assert game.over and sum(state.returns()) == pytest.approx(0)
    assert [seat for seat, worth in enumerate(state.returns()) if worth == max(state.returns())] == game.winners()


def test_the_deal_is_the_only_chance_and_its_probabilities_sum_to_one() -> None:
    state = pyspiel.load_game(SHORT.replace(")", ",deals=5)")).new_initial_state()
    assert state.is_chance_node() and state.chance_outcomes() == [(deal, 0.2) for deal in range(5)]
    assert not play_on(state, 30).is_chance_node()


def test_information_states_tell_what_a_player_saw_and_nothing_else() -> None:
    game = pyspiel.load_game(game_string(Ruleset(3, missions=True), max_turns=4))
    first, same, other = (play_on(game.new_initial_state(), 12, seed) for seed in (4, 4, 5))
    for seat in range(3):
        assert first.information_state_string(seat) == same.information_state_string(seat)
        assert first.information_state_string(seat) != other.information_state_string(seat)
    decider = first.current_player()
    dealt = [first.resample_from_infostate(decider, random.Random(number).random) for number in range(8)]
    assert {one.information_state_string(decider) for one in dealt} == {first.information_state_string(decider)}
    assert {one.observation_string(decider) for one in dealt} == {first.observation_string(decider)}
    others = [seat for seat in range(3) if seat != decider]
    for seat in others:  # whose hidden cards are drawn anew
        assert len({one.information_state_string(seat) for one in dealt}) > 1
    assert len({one.position.batch.games["pile"].tobytes() for one in dealt}) == len(dealt)
    with pytest.raises(ValueError, match=f"expected {decider}, who decides"):
        first.resample_from_infostate(others[0], random.random)


def test_an_information_state_remembers_what_the_view_has_forgotten() -> None:
    """Two ways to one position: the view is one, what led to it is not."""
    game = pyspiel.load_game(game_string(Ruleset(3), max_turns=4))
    ways = []
    for order in (("trader groningen/emden", "trader stade/hamburg"), ("trader stade/hamburg", "trader groningen/emden")):
        state = game.new_initial_state()
        state.apply_action(1)
        for piece in order:
            state.apply_action(state.string_to_action(f"place {piece}"))
        ways.append(state)
    for seat in range(3):
        assert ways[0].observation_string(seat) == ways[1].observation_string(seat)
        assert ways[0].information_state_string(seat) != ways[1].information_state_string(seat)


def test_a_clone_goes_its_own_way() -> None:
    state = play_on(pyspiel.load_game(SHORT).new_initial_state(), 10)
    before, other = str(state), state.clone()
    play_on(other, 5, seed=2)
    assert str(state) == before != str(other)
    assert other.history()[: len(state.history())] == state.history()


def test_only_a_deal_that_there_is_is_dealt() -> None:
    game = pyspiel.load_game("python_hansa_teutonica(players=3,deals=4)")
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="the deal is 4; expected 0 to 3"):
        state.clone().apply_action(4)
    state.apply_action(3)
    assert state.current_player() == 0
