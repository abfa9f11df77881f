"""Muon for matrices and Adam for the rest: what a step does, and that a run goes on as if never stopped."""

from pathlib import Path

import pytest
import torch

from hansa_env import Ruleset
from hansa_training.begin import train
from hansa_training.learner import Learner
from hansa_training.networks.trained import OwnNetwork, SharedNetwork
from hansa_training.optimizer import Muon, MuonAndAdam
from hansa_training.plan_file import make_plan
from hansa_training.sizes import NETWORKS
from hansa_training.state import optimizer_state, pack, set_optimizer_state, unpack
from tests.training.tiny import TINY, figures

SHAPES = {"in.weight": (16, 24), "in.bias": (16,), "own": (30,), "value_net.last.weight": (1, 16)}


def fresh() -> dict[str, torch.Tensor]:
    torch.manual_seed(3)
    return {name: torch.randn(shape).requires_grad_() for name, shape in SHAPES.items()}


def steps(weights: dict[str, torch.Tensor], optimiser: torch.optim.Optimizer, count: int) -> None:
    for _ in range(count):
        optimiser.zero_grad()
        sum((one**3).sum() for one in weights.values()).backward()
        optimiser.step()


def test_a_step_is_muons_for_matrices_and_adams_for_the_rest() -> None:
    ours, adams, before = fresh(), fresh(), fresh()
    steps(ours, MuonAndAdam(ours, 0.01), 1)
    steps(adams, torch.optim.Adam(adams.values(), 0.01, eps=1e-5), 1)
    for name in ("in.bias", "own", "value_net.last.weight"):
        assert torch.equal(ours[name], adams[name]), name
    moved, adam_moved = (ours["in.weight"] - before["in.weight"]).detach(), (adams["in.weight"] - before["in.weight"]).detach()
    sizes = torch.linalg.svdvals(moved)
    assert sizes.max() < 2 * sizes.min(), "every direction moves about as far"
    assert torch.linalg.svdvals(adam_moved).max() > 2 * torch.linalg.svdvals(adam_moved).min(), "by Adam it does not"
    assert 0.1 < moved.norm() / adam_moved.norm() < 1, "a rate means about the same to both"


@pytest.mark.parametrize("network", NETWORKS)
def test_what_ends_in_logits_or_the_value_is_not_for_muon(network: str) -> None:
    """A gradient made as long for one output as for many would never calm down."""
    weights = dict(OwnNetwork(Ruleset(3), NETWORKS[network]).weights)
    if NETWORKS[network]["kind"] == "board":
        weights |= SharedNetwork([Ruleset(3), Ruleset(4)], NETWORKS[network]).weights
    muons = MuonAndAdam(weights, 0.1).param_groups[1]["params"]
    last = [name for name, one in weights.items() if any(part in name for part in ("logits", "others", "last", "_own"))]
    last += [name for name in ("action_net.weight", "value_net.weight") if name in weights]
    assert 4 <= len(muons) < len(weights) and len(last) > 1
    assert not any(one is weights[name] for one in muons for name in last)
    assert all(one.ndim == 2 and min(one.shape) > 1 for one in muons)


def pytorchs(weights: dict[str, torch.Tensor], learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.Muon([weights["in.weight"]], learning_rate, weight_decay=0.0, adjust_lr_fn="match_rms_adamw")


@pytest.mark.parametrize("shape", [(16, 24), (24, 16)])
def test_muon_is_pytorchs_to_the_bit_in_bfloat16_and_close_to_it_in_float32(shape: tuple[int, int]) -> None:
    """PyTorch's computes in bfloat16 alone, which on a processor that does not know it takes most of a run's time."""
    torch.manual_seed(5)
    start = torch.randn(shape)
    ended = {}
    for name in ("pytorch", torch.bfloat16, torch.float32):
        weights = {"in.weight": start.clone().requires_grad_()}
        steps(weights, pytorchs(weights, 0.01) if name == "pytorch" else Muon(weights.values(), 0.01, name), 3)
        ended[name] = weights["in.weight"].detach()
    assert torch.equal(ended[torch.bfloat16], ended["pytorch"])
    assert not torch.equal(ended[torch.float32], ended["pytorch"]), "else it was bfloat16 again"
    moved = (ended["pytorch"] - start).norm()
    assert (ended[torch.float32] - ended["pytorch"]).norm() < 0.02 * moved


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_in_a_run_it_computes_as_the_network_does(precision: str) -> None:
    learner = Learner(make_plan(options=TINY | {"optimizer": "muon", "precision": precision}))
    assert isinstance(learner.ppo.optimizer, MuonAndAdam)
    assert learner.ppo.optimizer.dtype == learner.computing.dtype == getattr(torch, precision)
    learner.close()


def test_a_weight_without_a_gradient_stays() -> None:
    weights, before = fresh(), fresh()
    optimiser = MuonAndAdam(weights, 0.01)
    weights["own"].sum().backward()
    optimiser.step()
    assert [name for name in SHAPES if not torch.equal(weights[name], before[name])] == ["own"]


def test_it_steps_on_as_if_never_stopped_and_at_the_rate_that_is_set() -> None:
    first, second = fresh(), fresh()
    optimiser, other = MuonAndAdam(first, 0.01), MuonAndAdam(second, 0.5)
    steps(first, optimiser, 3)
    with torch.no_grad():
        for name, one in second.items():
            one.copy_(first[name])
    set_optimizer_state(other, unpack(*pack(optimizer_state(optimiser))))
    for each in (optimiser, other):
        for group in each.param_groups:
            group["lr"] = 0.002
    steps(first, optimiser, 3)
    steps(second, other, 3)
    assert all(torch.equal(first[name], second[name]) for name in SHAPES)
    kept = {name: one.detach().clone() for name, one in first.items()}
    for group in optimiser.param_groups:
        group["lr"] = 0.0
    steps(first, optimiser, 1)
    assert all(torch.equal(first[name], kept[name]) for name in SHAPES)


@pytest.mark.slow
def test_a_run_with_it_goes_on_and_does_not_depend_on_threads(tmp_path: Path) -> None:
    options = TINY | {"optimizer": "muon", "decay": "0", "shards": "2"}
    train(tmp_path / "whole", options=options)
    train(tmp_path / "run", options=options | {"self_play": "96", "threads": "2"})
    train(tmp_path / "run", resume=True, options={"self_play": "192"})
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()
    train(tmp_path / "adam", options=options | {"optimizer": "adam"})
    assert figures(tmp_path / "adam")["model.safetensors"] != figures(tmp_path / "whole")["model.safetensors"]


@pytest.mark.parametrize("name", ["sgd", ""])
def test_another_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="optimizer"):
        train(tmp_path / "run", options=TINY | {"optimizer": name})
