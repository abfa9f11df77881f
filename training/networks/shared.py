"""One set of weights for every ruleset: each ruleset's `board` network is read off it, by the names of what it sees and does.

The weights of a ruleset's network are sums of shared ones (of its columns by their names, of its routes and cities by their
features), so they are linear in these, and gradients go back the same way. What plays and what is compiled is an ordinary
`board` network, as quick as one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from hansa_env import Ruleset
from hansa_training.errors import ModelError
from hansa_training.networks.names import Entry, Features, city_features, entries, other_actions, route_features, table_features

#: Kinds of names: entries of the observation by block, other actions, and features.
KINDS = ("table", "routes", "cities", "actions", "route features", "city features", "table features")
#: Logits that a route can have: trader, merchant, route, and on ships merchant and route.
ROUTE_LOGITS = 5
EXTRACTOR = "features_extractor."
#: How much smaller the features that boards have in common begin.
COMMON_GAIN = 0.2
#: Layers that all rulesets have in common as they are, by their names in a `BoardPolicy`, and their (out, in) widths.
_COMMON = (
    ("route_summary", "route_summary", "route"), ("city_summary", "city_summary", "city"), ("context_out", "global", "global"),
    ("route_context", "route", "global"), ("city_context", "city", "global"),
)  # fmt: skip


def names_of(rulesets: Iterable[Ruleset]) -> dict[str, list[str]]:
    """All names that rulesets have, by kind, in the order in which they come."""
    found: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for ruleset in rulesets:
        for kind in ("table", "routes", "cities"):
            found[kind] |= dict.fromkeys(_both(entries(ruleset, kind)))
        found["actions"] |= dict.fromkeys(_both(other_actions(ruleset)))
        for kind, features in zip(KINDS[-3:], _features_of(ruleset)):
            found[kind] |= dict.fromkeys(features.names)
    return {kind: list(names) for kind, names in found.items()}


def _both(some: Sequence[Entry]) -> list[str]:
    return [name for entry in some for name in entry if name]


def _features_of(ruleset: Ruleset) -> tuple[Features, Features, Features]:
    return route_features(ruleset), city_features(ruleset), table_features(ruleset)


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
        self._read: dict[Ruleset, dict[str, Tensor]] = {}
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
        """Where a ruleset's names stand among the shared ones (one past the end: nowhere), and its features."""
        if ruleset in self._read:
            return self._read[ruleset]
        found = {}
        some: dict[str, Sequence[Entry]] = {kind: entries(ruleset, kind) for kind in ("table", "routes", "cities")}
        some["actions"] = other_actions(ruleset)
        for kind, several in some.items():
            place = self._place[kind]
            for which, names in zip(("shared", "own"), zip(*several)):
                found[f"{kind} {which}"] = torch.tensor([place.get(name, len(place)) for name in names])
        for kind, features in zip(KINDS[-3:], _features_of(ruleset)):
            values = np.zeros((len(features.values), len(self.names[kind])), np.float32)
            for name, column in zip(features.names, features.values.T):
                if name in self._place[kind]:
                    values[:, self._place[kind][name]] = column
            found[kind] = torch.from_numpy(values)
        device = self.city_in.device
        self._read[ruleset] = {name: one.to(device) for name, one in found.items()}
        return self._read[ruleset]

    def weights_for(self, ruleset: Ruleset) -> dict[str, Tensor]:
        """The weights of a ruleset's `board` network, by name, as `hansa_training.networks.weights_of` has them."""
        read = self._reading(ruleset)

        def columns(weights: Tensor, kind: str) -> Tensor:
            """(out, names) -> (out, entries)."""
            more = torch.cat([weights, weights.new_zeros(len(weights), 1)], 1)
            return more.index_select(1, read[f"{kind} shared"]) + more.index_select(1, read[f"{kind} own"])

        routes, cities, table = (read[kind] for kind in KINDS[-3:])
        board = [
            (features @ weights.flatten(1)).view(-1, weights.shape[2])
            for features, weights in ((routes, self.context_route), (cities, self.context_city))
        ]
        found = {
            "city_in.weight": columns(self.city_in, "cities"),
            "city_own": (cities @ self.city_own).flatten(),
            "route_in.weight": torch.cat([columns(self.route_in, "routes"), columns(self.route_city_in, "cities")], 1),
            "route_own": (routes @ self.route_own).flatten(),
            "context_in.weight": columns(self.context_in, "table"),
            "context_in.bias": (table @ self.context_own)[0],
            "context_board.weight": torch.cat(board).T,
            "route_out.weight": self.route_out, "city_out.weight": self.city_out,
            "city_logits.weight": self.city_logits_weight, "city_logits.bias": self.city_logits_bias,
        }  # fmt: skip
        kinds = ROUTE_LOGITS if any(route.ships for route in ruleset.board_data.routes) else 3
        found |= {
            "route_logits.weight": self.route_logits_weight[:kinds], "route_logits.bias": self.route_logits_bias[:kinds],
        }  # fmt: skip
        for name, _, _ in _COMMON:
            found |= {f"{name}.{what}": getattr(self, f"{name}_{what}") for what in ("weight", "bias")}
        weights = {EXTRACTOR + name: one for name, one in found.items()}
        for name in ("first", "last"):
            for what in ("weight", "bias"):
                weights[f"value_net.{name}.{what}"] = getattr(self, f"value_{name}_{what}")
        weights["action_net.others.weight"] = columns(self.others.T, "actions").T
        weights["action_net.others.bias"] = columns(self.others_bias[None], "actions")[0]
        return weights

    def pull_back(self, ruleset: Ruleset, gradients: Mapping[str, Tensor], parameters: Sequence[nn.Parameter]) -> list[Tensor]:
        """What gradients of the weights of a ruleset's network, by name, are as gradients of shared ones."""
        with torch.enable_grad():
            weights = self.weights_for(ruleset)
            outputs = [weights[name] for name in gradients]
            return list(
                torch.autograd.grad(outputs, parameters, list(gradients.values()), allow_unused=True, materialize_grads=True)
            )


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


__all__ = ["KINDS", "SharedWeights", "carried_over", "names_of"]
