"""A wider network that goes on where a narrower one is: it decides and values as that one does, and its new parts learn."""

import pytest
import torch

from hansa_env import Ruleset
from hansa_training.errors import ModelError
from hansa_training.networks import evaluate, new_policy, weights_of
from hansa_training.networks.widen import widened
from hansa_training.sizes import BOARD, NETWORKS
from hansa_training.state import tensors
from tests.agents.searches import positions

WIDER = [
    (Ruleset(3), "board-small", "board"), (Ruleset(5), "board", "board-large"), (Ruleset(3, board="east"), "board", "board"),
    (Ruleset(2, missions=True), "board-small", "board-large"),
]  # fmt: skip


def fresh(ruleset: Ruleset, network: dict[str, object], seed: int) -> torch.nn.Module:
    """A network with nothing at zero, so that a part that is left out shows."""
    torch.manual_seed(seed)
    policy = new_policy(ruleset, network, forked=False)
    with torch.no_grad():
        for weights in policy.parameters():
            weights += 0.05 * torch.randn_like(weights)
    return policy


@pytest.mark.parametrize(("ruleset", "narrow", "wide"), WIDER, ids=str)
def test_a_wider_network_decides_as_the_narrower_one_and_learns_more(ruleset: Ruleset, narrow: str, wide: str) -> None:
    given, policy = fresh(ruleset, NETWORKS[narrow], 1), fresh(ruleset, NETWORKS[wide], 2)
    before = weights_of(policy)
    policy.load_state_dict(widened(weights_of(given), before), strict=False)
    seen = torch.from_numpy(positions(ruleset, 40, 60).observe())
    (logits, values), (expected, of_given) = evaluate(policy, seen), evaluate(given, seen)
    assert torch.allclose(logits, expected, atol=1e-4)
    assert torch.allclose(values, of_given, atol=1e-4)
    if narrow == wide:
        return
    (logits.square().sum() + values.square().sum()).backward()
    heads = ("route_logits.weight", "city_logits.weight", "others.weight", "last.weight")
    for name in heads:
        layer = next(one for at, one in policy.named_parameters() if at.endswith(name))
        kept = next(one for at, one in given.named_parameters() if at.endswith(name)).shape[1]
        assert (layer[:, kept:] == 0).all()
        assert layer.grad is not None
        assert (layer.grad[:, kept:] != 0).any(), name


@pytest.mark.parametrize("name", ["route", "global", "city_summary"])
def test_a_network_that_is_narrower_somewhere_is_refused(name: str) -> None:
    given, narrower = new_policy(Ruleset(3), BOARD), new_policy(Ruleset(3), NETWORKS["board-large"] | {name: BOARD[name] // 2})
    with pytest.raises(ModelError, match=r"expected at least \("):
        widened(weights_of(given), weights_of(narrower))


def test_a_network_of_another_kind_is_refused() -> None:
    given = tensors({"of": torch.zeros(2).numpy()})
    with pytest.raises(ModelError, match="different kinds"):
        widened(given, weights_of(new_policy(Ruleset(3), BOARD)))
