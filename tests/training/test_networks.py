"""Networks: logits stand at the actions they are of, weights are shared, and Stable-Baselines3 can train and save them."""

from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from hansa_env import HansaBatch, Ruleset, graph_tables
from hansa_env.sb3 import HansaVecEnv
from hansa_training.average import Average
from hansa_training.errors import ModelError
from hansa_training.networks import (
    evaluate,
    let_compute,
    new_policy,
    policy_arguments,
    policy_logits,
    weights_of,
)
from hansa_training.networks.computing import Computing
from hansa_training.rollout import SeatBuffer
from hansa_training.sizes import NETWORKS

BOTH = Ruleset(3, missions=True, favours=True)
RULESETS = [
    Ruleset(2, "first"), Ruleset(2, "fourth"), Ruleset(3), Ruleset(5), Ruleset(4, board="east"),
    Ruleset(4, board="britannia-4-5"), Ruleset(3, "bigbox", pile="promos"), BOTH,
]  # fmt: skip


def observed(ruleset: Ruleset, count: int = 32) -> torch.Tensor:
    """What is seen in games of random play."""
    batch, rng = HansaBatch(count, ruleset, seed=3, autoreset=True), np.random.default_rng(3)
    for _ in range(120):
        batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return torch.from_numpy(batch.observe())


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_logit_of_an_action_comes_from_the_token_of_what_it_names(ruleset: Ruleset) -> None:
    """A change to the bias that belongs to one route (city) alone, behind the context, moves the logits of its actions only."""
    tables, policy, seen = graph_tables(ruleset), new_policy(ruleset, NETWORKS["board"]), observed(ruleset)
    features = policy.features_extractor
    with torch.no_grad():
        features.route_summary.weight.zero_()  # so that tokens do not reach the context
        features.city_summary.weight.zero_()
        before, values = evaluate(policy, seen)
        for own, rows, names in (
            (features.route_own, features.routes, tables.action_route),
            (features.city_own, features.cities, tables.action_city),
        ):
            for row in (0, 7, rows - 1):
                own.view(rows, -1)[row] += 1.0
                after, values_after = evaluate(policy, seen)
                own.view(rows, -1)[row] -= 1.0
                moved = (after != before).any(0).numpy()
                assert (moved == (names == row)).all() and torch.equal(values, values_after)


def test_kinds_of_decisions_about_a_route_are_told_apart() -> None:
    ruleset = Ruleset(3)
    tables, policy = graph_tables(ruleset), new_policy(ruleset, NETWORKS["board"])
    head = policy.features_extractor.route_logits
    with torch.no_grad():
        head.weight.zero_()
        head.bias.copy_(torch.tensor([1.0, 2.0, 3.0]))
        found, _ = evaluate(policy, observed(ruleset))
    for kind in range(3):
        assert (found[:, torch.from_numpy(tables.action_kind == kind)] == kind + 1).all()


def test_things_on_ships_are_told_apart_from_those_beside_them() -> None:
    """R9.4: a merchant on a ship and the ship posts have logits of their own, at the routes that have ships."""
    ruleset = Ruleset(3, board="east")
    tables, policy = graph_tables(ruleset), new_policy(ruleset, NETWORKS["board"])
    head = policy.features_extractor.route_logits
    with torch.no_grad():
        head.weight.zero_()
        head.bias.copy_(torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]))
        found, _ = evaluate(policy, observed(ruleset))
    wanted = np.where(tables.action_ship, tables.action_kind + 3, tables.action_kind + 1)
    of_routes = torch.from_numpy(tables.action_route >= 0)
    assert (found[:, of_routes] == torch.from_numpy(wanted)[of_routes]).all() and tables.action_ship.sum() == 8


def test_a_routes_token_reads_the_cities_at_its_ends_and_no_other() -> None:
    ruleset = Ruleset(4)
    tables, policy, seen = graph_tables(ruleset), new_policy(ruleset, NETWORKS["board"]), observed(ruleset)
    features = policy.features_extractor
    with torch.no_grad():
        features.route_summary.weight.zero_()
        features.city_summary.weight.zero_()
        before, _ = evaluate(policy, seen)
        city = 5
        block = seen[:, features.first_city :].view(len(seen), features.city_columns, features.cities)
        block[:, :, city] += 1
        after, _ = evaluate(policy, seen)
    moved = (after != before).any(0).numpy()
    of_routes = tables.action_route >= 0
    touching = tables.incidence[city][tables.action_route]
    assert not moved[of_routes & ~touching].any() and moved[of_routes & touching].any()


@pytest.mark.parametrize(("name", "reads_all"), [("board", False), ("attention", True)])
def test_with_attention_a_route_reads_all_cities(name: str, reads_all: bool) -> None:
    ruleset = Ruleset(4)
    tables, policy, seen = graph_tables(ruleset), new_policy(ruleset, NETWORKS[name]), observed(ruleset)
    features = policy.features_extractor
    with torch.no_grad():
        features.route_context.weight.zero_()  # the context, which reads everything, says nothing to routes
        features.route_logits.weight.normal_(generator=torch.Generator().manual_seed(0))
        before, _ = evaluate(policy, seen)
        features.city_own.view(features.cities, -1)[3] += 5.0
        after, _ = evaluate(policy, seen)
    far = ~tables.incidence[3][tables.action_route] & (tables.action_route >= 0)
    assert (before != after).numpy()[:, far].any() == reads_all


def test_attention_needs_tokens_of_one_width() -> None:
    for change in ({"city": 16}, {"heads": 3}):
        with pytest.raises(ModelError, match="expected route and city equal"):
            policy_arguments(Ruleset(3), NETWORKS["attention"] | change)


@pytest.mark.parametrize(("name", "board"), [*((name, None) for name in NETWORKS), ("board", "east"), ("attention", "east")])
def test_stable_baselines_trains_saves_and_loads_each_network(name: str, board: str | None, tmp_path: Path) -> None:
    ruleset = Ruleset(3, board=board)
    policy, arguments = policy_arguments(ruleset, NETWORKS[name])
    env = HansaVecEnv(4, ruleset, "random", max_turns=2)
    model = MaskablePPO(policy, env, n_steps=8, n_epochs=1, batch_size=32, policy_kwargs=arguments, device="cpu", seed=1)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(32)
    assert sum(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters())) > len(before) / 2
    model.save(tmp_path / "model.zip")
    again, seen = MaskablePPO.load(tmp_path / "model.zip", device="cpu"), observed(ruleset)
    masks = torch.ones(len(seen), int(env.action_space.n), dtype=torch.bool)
    assert torch.equal(policy_logits(model.policy, seen, masks), policy_logits(again.policy, seen, masks))


def test_bfloat16_computes_nearly_the_same() -> None:
    ruleset = Ruleset(3)
    policy, seen = new_policy(ruleset, NETWORKS["board"]), observed(ruleset, 256)
    with torch.no_grad():
        policy.features_extractor.route_logits.weight.mul_(100)
        exact = evaluate(policy, seen)
        policy.features_extractor.dtype = torch.bfloat16
        near = evaluate(policy, seen)
    for one, other in zip(exact, near):
        assert not torch.equal(one, other) and (one - other).abs().max() < 0.05 * one.std() + 0.02


@pytest.mark.parametrize("dtype, computed", [(torch.bfloat16, 128), (torch.float32, 70)])
def test_rows_that_fill_up_a_batch_in_bfloat16_change_nothing(
    dtype: torch.dtype, computed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, seen = new_policy(Ruleset(3), NETWORKS["board"]), observed(Ruleset(3), 70)
    features, learning = policy.features_extractor, list(policy.parameters())
    features.dtype, read, counts = dtype, features._read, []
    monkeypatch.setattr(features, "_read", lambda rows: counts.append(len(rows)) or read(rows))

    def slopes() -> list[torch.Tensor]:
        logits, values = evaluate(policy, seen)
        return list(torch.autograd.grad(logits.log_softmax(1)[:, 0].sum() + values.sum(), learning))

    filled = slopes()
    assert counts == [computed]
    monkeypatch.setattr(features, "forward", read)
    for one, other in zip(filled, slopes(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-2, atol=1e-2 * float(other.abs().max()))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_was_moved_computes_where_its_weights_are(name: str) -> None:
    """On PyTorch's device without values, which refuses to mix with others as a GPU does, also for what was kept of before."""
    ruleset = BOTH if name == "board" else Ruleset(3)
    policy, seen = new_policy(ruleset, NETWORKS[name]), observed(ruleset, 4)
    legal = torch.ones(4, int(policy.action_space.n), dtype=torch.bool)
    let_compute(policy, Computing(torch.bfloat16))
    with torch.no_grad():
        evaluate(policy, seen, legal)
    let_compute(policy, Computing(torch.bfloat16, torch.device("meta")))
    with torch.no_grad():
        found = [*evaluate(policy, seen, legal), policy_logits(policy, seen, legal)]
    assert [(one.device.type, *one.shape) for one in found] == [("meta", *legal.shape), ("meta", 4), ("meta", *legal.shape)]
    scores, values = evaluate(policy, seen, legal)
    learning = [one for one in policy.parameters() if one.requires_grad]
    slopes = torch.autograd.grad(scores.log_softmax(1)[:, 0].sum() + values.sum(), learning)
    assert all(slope.device.type == "meta" for slope in slopes)


def test_averaged_weights_and_rows_to_learn_from_are_where_the_network_is() -> None:
    ruleset, there = Ruleset(3), torch.device("meta")
    policy = new_policy(ruleset, NETWORKS["board"])
    kept = {name: one.numpy().copy() for name, one in weights_of(policy).items()}
    let_compute(policy, Computing(device=there))
    average = Average(weights_of(policy), 3)
    average.set_state({"count": 1, "weights": kept})
    average.note(weights_of(policy))
    assert average.count == 2 and {one.device for one in average.weights.values()} == {there}
    buffer = SeatBuffer(ruleset, 4, 2, device=there)
    assert {one.device for one in buffer.take(np.arange(3))} == {there}
