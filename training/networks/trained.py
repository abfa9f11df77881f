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
from hansa_training.networks import (
    check_weights,
    let_compute,
    new_player,
    new_policy,
    set_weights,
    weights_of,
)
from hansa_training.networks.computing import AS_IT_IS, Computing
from hansa_training.networks.shared import SharedWeights, names_of
from hansa_training.sizes import BOARD

#: How the names of the value's own weights begin, in any network.
VALUE = ("value_net.", "value_", "mlp_extractor.value_net.")


class OwnNetwork:
    """A network of one ruleset.

    Attributes:
        network: its description, as in `hansa_training.sizes`.
        rulesets: that it plays.
        weights: what learns, by name.
    """

    #: How many parts of a rollout a minibatch takes rows of, 0 = of all.
    parts_at_once = 0

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
        return new_player(ruleset, self.network, self.computing)


class SharedNetwork:
    """Weights that several rulesets share (`hansa_training.networks.shared`); the methods of `OwnNetwork`."""

    #: Each ruleset in a minibatch costs a way back to the shared weights, so they take turns.
    parts_at_once = 4

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
        check_weights(self.kept(), weights)
        self.shared.load_state_dict(dict(weights))
        self.refresh()

    @torch.no_grad()
    def frozen(self, ruleset: Ruleset, weights: Mapping[str, Tensor]) -> MaskableActorCriticPolicy:
        policy = self.empty(ruleset)
        set_weights(policy, self.shared.weights_for(ruleset, weights))
        return policy

    def empty(self, ruleset: Ruleset) -> MaskableActorCriticPolicy:
        return new_player(ruleset, self.network, self.computing)


Trained = OwnNetwork | SharedNetwork


def of_value(names: Sequence[str]) -> list[str]:
    """Those of the names that belong to the value alone."""
    return [name for name in names if name.startswith(VALUE)]
