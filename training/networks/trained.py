"""What learns: weights, and the network that each ruleset plays by. Either a ruleset has weights of its own, or several share
theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from hansa_env import Ruleset
from hansa_training.errors import ModelError
from hansa_training.networks import AS_IT_IS, Computing, let_compute, new_policy, set_weights, weights_of
from hansa_training.networks.shared import SharedWeights, names_of
from hansa_training.sizes import BOARD

#: How the names of the value's own weights begin, in either.
VALUE = ("value_net.", "value_")


class OwnNetwork:
    """A network of one ruleset.

    Attributes:
        network: its description, as in `hansa_training.sizes`.
        rulesets: that it plays.
        weights: what learns, by name.
    """

    def __init__(self, ruleset: Ruleset, network: dict[str, Any], computing: Computing = AS_IT_IS) -> None:
        self.network, self.computing, self.rulesets = network, computing, (ruleset,)
        policy = new_policy(ruleset, network, forked=False)
        let_compute(policy, computing)
        self._policy = policy

    @property
    def weights(self) -> dict[str, nn.Parameter]:
        return dict(self._policy.named_parameters())

    def policy(self, ruleset: Ruleset) -> MaskableActorCriticPolicy:
        """The network of a ruleset, with the weights as they are now."""
        return self._policy

    def refresh(self) -> None:
        """The weights have changed: let the networks have them."""

    def pull_back(self, ruleset: Ruleset, gradients: Mapping[str, Tensor], wanted: Sequence[str]) -> list[Tensor]:
        """Gradients of the weights `wanted` from those of the ruleset's network, by name."""
        return [gradients[name] for name in wanted]

    def kept(self) -> dict[str, Tensor]:
        """The weights as they are now, not copied, by name; as `frozen` takes them."""
        return weights_of(self._policy)

    def set(self, weights: Mapping[str, Tensor]) -> None:
        """Take over weights that `kept` gave. Raises `ModelError`."""
        set_weights(self._policy, weights)

    def frozen(self, ruleset: Ruleset, weights: Mapping[str, Tensor]) -> MaskableActorCriticPolicy:
        """A network that plays by such weights and does not learn."""
        policy = self.empty(ruleset)
        set_weights(policy, weights)
        return policy

    def empty(self, ruleset: Ruleset) -> MaskableActorCriticPolicy:
        """A network of the same kind that does not learn, with any weights."""
        return playing(ruleset, self.network, self.computing)


class SharedNetwork:
    """Weights that several rulesets share (`hansa_training.networks.shared`); the methods of `OwnNetwork`."""

    def __init__(self, rulesets: Sequence[Ruleset], sizes: Mapping[str, int], computing: Computing = AS_IT_IS) -> None:
        self.rulesets, self.computing = tuple(rulesets), computing
        self.network: dict[str, Any] = BOARD | dict(sizes)
        widths = {name: size for name, size in self.network.items() if name != "kind"}
        self.shared = SharedWeights(names_of(rulesets), widths).to(computing.device)
        self._policies = {ruleset: new_policy(ruleset, self.network) for ruleset in self.rulesets}
        for policy in self._policies.values():
            let_compute(policy, computing)
        self._stale, self._lock = set(self.rulesets), Lock()

    @property
    def weights(self) -> dict[str, nn.Parameter]:
        return dict(self.shared.named_parameters())

    def policy(self, ruleset: Ruleset) -> MaskableActorCriticPolicy:
        with self._lock, torch.no_grad():
            policy = self._policies[ruleset]
            if ruleset in self._stale:
                own = dict(policy.named_parameters())
                for name, weights in self.shared.weights_for(ruleset).items():
                    own[name].copy_(weights)
                self._stale.discard(ruleset)
        return policy

    def refresh(self) -> None:
        self._stale = set(self.rulesets)

    def pull_back(self, ruleset: Ruleset, gradients: Mapping[str, Tensor], wanted: Sequence[str]) -> list[Tensor]:
        weights = self.weights
        return self.shared.pull_back(ruleset, gradients, [weights[name] for name in wanted])

    def kept(self) -> dict[str, Tensor]:
        return {name: one.detach() for name, one in self.weights.items()}

    def set(self, weights: Mapping[str, Tensor]) -> None:
        fill(self.shared, weights)
        self.refresh()

    @torch.no_grad()
    def frozen(self, ruleset: Ruleset, weights: Mapping[str, Tensor]) -> MaskableActorCriticPolicy:
        with torch.device("meta"):
            shared = SharedWeights(self.shared.names, self.shared.sizes)
        shared.load_state_dict(dict(weights), assign=True)
        policy = self.empty(ruleset)
        set_weights(policy, shared.weights_for(ruleset))
        return policy

    def empty(self, ruleset: Ruleset) -> MaskableActorCriticPolicy:
        return playing(ruleset, self.network, self.computing)


Trained = OwnNetwork | SharedNetwork


def playing(ruleset: Ruleset, network: dict[str, Any], computing: Computing = AS_IT_IS) -> MaskableActorCriticPolicy:
    """A network of fresh weights which plays and does not learn."""
    policy = new_policy(ruleset, network)
    let_compute(policy, computing)
    policy.set_training_mode(False)
    return policy


@torch.no_grad()
def fill(shared: SharedWeights, weights: Mapping[str, Tensor]) -> None:
    """Give shared weights these values. Raises `ModelError` where names, shapes or types differ, or some are no numbers."""
    own = dict(shared.named_parameters())
    for name in [*own, *weights]:
        if name not in weights:
            raise ModelError(f"there is no {name}")
        if name not in own:
            raise ModelError(f"{name} is not known")
        if weights[name].shape != own[name].shape:
            raise ModelError(f"{name} has shape {tuple(weights[name].shape)}, expected {tuple(own[name].shape)}")
        if weights[name].dtype != own[name].dtype or not weights[name].isfinite().all():
            raise ModelError(f"{name} has entries of another type, or that are no numbers")
    for name, one in own.items():
        if not one.is_meta:
            one.copy_(weights[name])


def of_value(names: Sequence[str]) -> list[str]:
    """Those of the names that belong to the value alone."""
    return [name for name in names if name.startswith(VALUE)]
