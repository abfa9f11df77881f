"""TorchRL's wrapper of PettingZoo over our environment as it is; needs `torchrl`, which has a job of its own."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torchrl", reason="needs torchrl")

import torch
from tensordict import TensorDictBase
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from hansa_env import Game, Ruleset, hansa_teutonica_v0

PLAYERS, MAX_TURNS, SEED = 3, 30, 5
SEATS = [f"player_{seat}" for seat in range(PLAYERS)]


def wrapped(max_turns: int) -> PettingZooWrapper:
    """Each seat is a group of its own: they are asked one at a time."""
    raw = hansa_teutonica_v0.env(players=PLAYERS, max_turns=max_turns)
    return PettingZooWrapper(raw, use_mask=True, group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT)


@pytest.fixture(scope="module")
def played() -> TensorDictBase:
    """A game in which TorchRL draws decisions by its masks, with all that the wrapper says of each."""
    torch.manual_seed(1)
    env = wrapped(MAX_TURNS)
    return env.rollout(100_000, auto_reset=False, tensordict=env.reset(seed=SEED))


def test_what_the_wrapper_promises_of_shapes_and_types_holds() -> None:
    check_env_specs(wrapped(max_turns=2), seed=SEED)


def test_who_is_asked_what_it_sees_and_may_do_are_those_of_the_game_of_the_seed(played: TensorDictBase) -> None:
    game = Game(Ruleset(PLAYERS), seed=SEED, max_turns=MAX_TURNS)
    for step in played:
        assert [bool(step[seat, "mask"].any()) for seat in SEATS] == [seat == game.seat for seat in range(PLAYERS)]
        told = step[SEATS[game.seat]][0]
        assert np.flatnonzero(told["action_mask"].numpy()).tolist() == game.legal_actions()
        assert (told["observation", "observation"].numpy() == game.observation()).all()
        game.play_action(int(told["action"]))  # raises where TorchRL chose what the mask forbids
    assert game.over


def test_the_rewards_are_those_of_the_end(played: TensorDictBase) -> None:
    game = Game(Ruleset(PLAYERS), seed=SEED, max_turns=MAX_TURNS)
    for step in played:
        game.play_action(int(step[SEATS[game.seat], "action"]))
    rewards = torch.cat([played["next", seat, "reward"].reshape(-1, 1) for seat in SEATS], 1)
    assert not rewards[:-1].any() and len(game.winners()) == 1
    assert rewards[-1].tolist() == [1.0 if [seat] == game.winners() else -0.5 for seat in range(PLAYERS)]
    assert bool(played["next", "done"][-1]) and not played["next", "done"][:-1].any()
