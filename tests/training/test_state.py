"""State as data: to bytes and back."""

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import torch

from hansa_env import HansaBatch, Ruleset
from hansa_training.average import Average
from hansa_training.errors import ModelError, RunError
from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.state import (
    contents,
    optimizer_state,
    pack,
    random_state,
    same_state,
    set_contents,
    set_optimizer_state,
    set_random_state,
    unpack,
)
from tests.training.tiny import TINY


def test_a_tree_comes_back_as_it_was() -> None:
    arrays = {"a": np.arange(6, dtype=np.uint64).reshape(2, 3), "b": np.float32(0.1), "c": np.array(7, np.int8)}
    tree = {"numbers": [1, 2.5, None, True, 2**200], "deep": {"text": "ü", "arrays": arrays}, "tensor": torch.ones(2, 2)}
    back = unpack(*pack(tree))
    assert back["numbers"] == [1, 2.5, None, True, 2**200] and back["deep"]["text"] == "ü"
    assert back["deep"]["arrays"]["a"].dtype == np.uint64 and (back["deep"]["arrays"]["a"] == arrays["a"]).all()
    assert back["deep"]["arrays"]["b"] == float(np.float32(0.1))
    assert back["deep"]["arrays"]["c"].shape == () and back["deep"]["arrays"]["c"].dtype == np.int8
    assert (back["tensor"] == 1).all() and back["tensor"].dtype == np.float32


@pytest.mark.parametrize(("value", "kind"), [(object(), "object"), ({1: 2}, "dict"), (np.array([{}]), "ndarray")])
def test_what_only_a_pickle_could_keep_is_refused(value: object, kind: str) -> None:
    with pytest.raises(TypeError, match=f"/part/0 is of type {kind}, which a checkpoint cannot keep"):
        pack({"part": [value]})


def test_two_states_are_the_same_by_what_they_keep() -> None:
    tree = {"a": 1, "b": [np.ones(2, np.float32), math.nan], "c": "text"}
    assert same_state(tree, {"c": "text", "b": (torch.ones(2), math.nan), "a": 1})
    for other in ({"a": True}, {"a": 1.0}, {"b": [np.ones(2), math.nan]}, {"b": [np.zeros(2, np.float32), math.nan]}, {"d": 1}):
        assert not same_state(tree, tree | other)


def test_all_three_generators_go_on_where_they_were() -> None:
    state = unpack(*pack(random_state()))
    drawn = [(random.random(), random.gauss(0, 1), np.random.normal(), torch.rand(3).tolist())]
    set_random_state(state)
    drawn.append((random.random(), random.gauss(0, 1), np.random.normal(), torch.rand(3).tolist()))
    assert drawn[0] == drawn[1]


def test_an_optimizer_steps_on_as_if_never_stopped() -> None:
    def steps(layer: torch.nn.Linear, optimizer: torch.optim.Optimizer, count: int) -> torch.Tensor:
        for _ in range(count):
            optimizer.zero_grad()
            layer(torch.ones(1, 3)).square().sum().backward()
            optimizer.step()
        return layer.weight.detach().clone()

    first = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(first.parameters(), 0.1, betas=(0.8, 0.9))
    steps(first, optimizer, 3)
    second = torch.nn.Linear(3, 2)
    second.load_state_dict(first.state_dict())
    other = torch.optim.Adam(second.parameters(), 0.5, betas=(0.8, 0.9))
    set_optimizer_state(other, unpack(*pack(optimizer_state(optimizer))))
    assert (steps(first, optimizer, 3) == steps(second, other, 3)).all()


def _renamed(state: dict) -> None:
    state["state"]["0"]["mean"] = state["state"]["0"].pop("exp_avg")


def _other_shape(state: dict) -> None:
    state["state"]["1"]["exp_avg"] = np.zeros(3, np.float32)


def _text(state: dict) -> None:
    state["groups"][0]["lr"] = "0.1"


def _short(state: dict) -> None:
    state["groups"][0]["betas"] = [0.9]


def _other_betas(state: dict) -> None:
    state["groups"][0]["betas"] = [0.8, 0.999]


def _stranger(state: dict) -> None:
    state["state"]["7"] = state["state"]["0"]


def _others(state: dict) -> None:
    state["groups"][0]["params"] = [1, 0]


@pytest.mark.parametrize("spoil", [_renamed, _other_shape, _text, _short, _other_betas, _stranger, _others])
def test_what_an_optimizer_could_not_step_on_from_is_refused_at_once(spoil: Callable[[dict], None]) -> None:
    layer = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(layer.parameters(), 0.1)
    layer(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    state = unpack(*pack(optimizer_state(optimizer)))
    before = [one.detach().clone() for one in layer.parameters()]
    set_optimizer_state(optimizer, state)
    spoil(state)
    with pytest.raises(RunError, match="begin a new run"):
        set_optimizer_state(optimizer, state)
    assert all(map(torch.equal, before, layer.parameters())) and optimizer.param_groups[0]["lr"] == 0.1


def test_an_average_of_other_weights_is_refused() -> None:
    average = Average({"a": torch.ones(2)}, 5)
    kept = unpack(*pack(average.state()))
    kept["weights"]["a"] = np.ones(3, np.float32)
    with pytest.raises(ModelError, match=r"a has shape \(3,\), expected \(2,\)"):
        average.set_state(kept)


def test_games_under_way_are_put_back_into_a_batch_of_the_same_make() -> None:
    batch = HansaBatch(4, Ruleset(3), seed=3)
    for _ in range(30):
        batch.step(batch.action_mask.argmax(1))
    kept = unpack(*pack(contents(batch)))
    other = HansaBatch(4, Ruleset(3), seed=8)
    set_contents(other, kept)
    assert other.games.tobytes() == batch.games.tobytes() and (other.action_mask == batch.action_mask).all()
    with pytest.raises(RunError, match=r"HansaBatch does not fit this version of the program \(games differs\)"):
        set_contents(HansaBatch(5, Ruleset(3)), kept)


def test_games_of_another_record_layout_are_refused() -> None:
    batch = HansaBatch(2, Ruleset(3))
    kept = contents(batch)
    kept["layout of games"] = kept["layout of games"].replace("prestige", "honour")
    with pytest.raises(RunError, match="layout of games differs"):
        set_contents(batch, kept)


def test_a_run_that_was_on_a_gpu_goes_on_without_one() -> None:
    """Its checkpoint also has the generators of the GPUs that there were."""
    plan = make_plan(options=TINY | {"warm_start": "0"})
    learner = Learner(plan)
    learner.play()
    state = unpack(*pack(learner.state()))
    state["random"]["cuda"] = [np.arange(16, dtype=np.uint8)]
    other = Learner(plan)
    other.set_state(state)
    assert other.decisions == learner.decisions > 0
    for one in (learner, other):
        one.close()
