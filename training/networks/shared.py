"""One set of weights for every ruleset, as a module, off which each ruleset's `board` network is read.

What plays and what is compiled is an ordinary `board` network, as quick as one of its own; gradients go back the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from hansa_agents.search.shared import KINDS, ROUTE_LOGITS, names_of, places_of, read_off
from hansa_env import Ruleset
from hansa_training.errors import ModelError

#: How the layers of a network are called in a `BoardPolicy`, by how their names begin; all others are the extractor's.
PARTS = {"value.": "value_net.", "head.": "action_net."}
EXTRACTOR = "features_extractor."
#: How much smaller the features that boards have in common begin.
COMMON_GAIN = 0.2
#: Layers that all rulesets have in common as they are, and their (out, in) widths.
_COMMON = (
    ("route_summary", "route_summary", "route"), ("city_summary", "city_summary", "city"), ("context_out", "global", "global"),
    ("route_context", "route", "global"), ("city_context", "city", "global"),
)  # fmt: skip


class SharedWeights(nn.Module):
    """The weights, and how a ruleset's network is read off them.

    Args:
        names: of `names_of`, of the rulesets that are to be trained on. What another ruleset has beyond them counts nothing.
        sizes: the widths of `hansa_training.sizes.BOARD`.
    """

    def __init__(self, names: Mapping[str, Sequence[str]], sizes: Mapping[str, int]) -> None:
        super().__init__()
        self.names = {kind: list(names[kind]) for kind in KINDS}
        self.sizes = dict(sizes)
        self._place = {kind: {name: i for i, name in enumerate(some)} for kind, some in self.names.items()}
        self._read: dict[Ruleset, dict[str, Tensor]] = {}  # by ruleset, on the device of the weights
        wide = {name: sizes[name] for name in ("global", "route", "city", "route_summary", "city_summary")}
        count = {kind: len(some) for kind, some in self.names.items()}

        def fresh(*shape: int, inputs: float, gain: float = 1.0) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * gain * inputs**-0.5)

        def none(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(*shape))

        gain = 2**0.5
        own = {kind: [" of " in name for name in self.names[kind]] for kind in ("table", "routes", "cities", "actions")}
        columns = {"routes": 60, "cities": 60, "table": 300}  # about so many entries a network has
        self.city_in = fresh(wide["city"], count["cities"], inputs=columns["cities"], gain=gain)
        self.route_in = fresh(wide["route"], count["routes"], inputs=columns["routes"], gain=gain)
        self.route_city_in = fresh(wide["route"], count["cities"], inputs=columns["cities"], gain=gain)
        self.context_in = fresh(wide["global"], count["table"], inputs=columns["table"], gain=gain)
        self.others = none(count["actions"], wide["global"])
        self.others_bias = none(count["actions"])
        with torch.no_grad():
            for weights, kind in (
                (self.city_in, "cities"), (self.route_in, "routes"), (self.route_city_in, "cities"), (self.context_in, "table"),
            ):  # fmt: skip
                weights.mul_(1 - torch.tensor(own[kind], dtype=torch.float32))
        self.route_own = none(count["route features"], wide["route"])
        self.city_own = none(count["city features"], wide["city"])
        self.context_own = none(count["table features"], wide["global"])
        inputs = 25 * wide["route_summary"] + 25 * wide["city_summary"]
        self.context_route = fresh(count["route features"], wide["route_summary"], wide["global"], inputs=inputs, gain=gain)
        self.context_city = fresh(count["city features"], wide["city_summary"], wide["global"], inputs=inputs, gain=gain)
        for name, out, into in _COMMON:
            setattr(self, f"{name}_weight", fresh(wide[out], wide[into], inputs=wide[into], gain=gain))
            setattr(self, f"{name}_bias", none(wide[out]))
        with torch.no_grad():  # a board's own features stand alone, those of all boards add up
            for weights, kind in ((self.context_route, "route features"), (self.context_city, "city features")):
                gains = [1.0 if ": " in name else COMMON_GAIN for name in self.names[kind]]
                weights.mul_(torch.tensor(gains)[:, None, None])
        self.route_out = fresh(wide["route"], wide["route"], inputs=wide["route"], gain=gain)
        self.city_out = fresh(wide["city"], wide["city"], inputs=wide["city"], gain=gain)
        self.route_logits_weight = fresh(ROUTE_LOGITS, wide["route"], inputs=wide["route"], gain=0.01)
        self.route_logits_bias = none(ROUTE_LOGITS)
        self.city_logits_weight = fresh(1, wide["city"], inputs=wide["city"], gain=0.01)
        self.city_logits_bias = none(1)
        self.value_first_weight = fresh(wide["global"], wide["global"], inputs=wide["global"], gain=gain)
        self.value_first_bias = none(wide["global"])
        self.value_last_weight = fresh(1, wide["global"], inputs=wide["global"])
        self.value_last_bias = none(1)

    def place(self, kind: str, name: str) -> int:
        """Where a name stands among those of a kind; -1: nowhere."""
        return self._place[kind].get(name, -1)

    def _reading(self, ruleset: Ruleset) -> dict[str, Tensor]:
        if ruleset not in self._read:
            device = self.city_in.device
            places = places_of(ruleset, self.names)
            self._read[ruleset] = {name: torch.from_numpy(one).to(device) for name, one in places.items()}
        return self._read[ruleset]

    def weights_for(self, ruleset: Ruleset) -> dict[str, Tensor]:
        """The weights of a ruleset's `board` network, by name, as `hansa_training.networks.weights_of` has them."""
        ships = any(route.ships for route in ruleset.board_data.routes)
        found = read_off(dict(self.named_parameters()), self._reading(ruleset), ships, _join)
        return {name_in_policy(name): one for name, one in found.items()}

    def pull_back(self, ruleset: Ruleset, gradients: Mapping[str, Tensor], parameters: Sequence[nn.Parameter]) -> list[Tensor]:
        """What gradients of the weights of a ruleset's network, by name, are as gradients of shared ones."""
        with torch.enable_grad():
            weights = self.weights_for(ruleset)
            outputs = [weights[name] for name in gradients]
            return list(
                torch.autograd.grad(outputs, parameters, list(gradients.values()), allow_unused=True, materialize_grads=True)
            )


def _join(several: Sequence[Tensor], axis: int) -> Tensor:
    return torch.cat(list(several), axis)


def name_in_policy(layer: str) -> str:
    """What weights of a `board` network are called in its Stable-Baselines3 policy."""
    for part, name in PARTS.items():
        if layer.startswith(part):
            return name + layer.removeprefix(part)
    return EXTRACTOR + layer


#: Along which kind of names each weight is counted, and on which of its axes.
_ALONG = {
    "city_in": ("cities", 1), "route_in": ("routes", 1), "route_city_in": ("cities", 1), "context_in": ("table", 1),
    "others": ("actions", 0), "others_bias": ("actions", 0), "route_own": ("route features", 0),
    "city_own": ("city features", 0), "context_own": ("table features", 0), "context_route": ("route features", 0),
    "context_city": ("city features", 0),
}  # fmt: skip


def carried_over(given: SharedWeights, to: SharedWeights) -> dict[str, Tensor]:
    """Weights for the names of another: where `given` knows a name its own, else as `to` has them. Raises `ModelError`."""
    if given.sizes != to.sizes:
        raise ModelError(f"the widths are {given.sizes}; expected {to.sizes}")
    found = {}
    own = dict(given.named_parameters())
    for name, weights in to.named_parameters():
        found[name] = weights.detach().clone()
        if name not in _ALONG:
            found[name].copy_(own[name].detach())
            continue
        kind, axis = _ALONG[name]
        known = [(i, given.place(kind, one)) for i, one in enumerate(to.names[kind]) if given.place(kind, one) >= 0]
        here, there = (torch.tensor(places, dtype=torch.int64) for places in (zip(*known) if known else ((), ())))
        found[name].index_copy_(axis, here, own[name].detach().index_select(axis, there))
    return found


__all__ = ["KINDS", "SharedWeights", "carried_over", "name_in_policy", "names_of"]
