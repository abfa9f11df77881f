"""One set of weights for every ruleset: each ruleset's `board` network is read off it, by the names of what it sees and does.

A column of the observation takes the sum of the weights of its names, a route or a city the sum of the weights of its features
(`names.py`), so what is read off is linear in the shared weights, and gradients go back the same way. What plays is an ordinary
`board` network, as quick as one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch
from torch import Tensor, nn

from hansa_agents.networks.metadata import WIDTHS
from hansa_agents.networks.names import Entry, Features, city_features, entries, other_actions, route_features, table_features
from hansa_agents.networks.route_logits import WITH_SHIPS, route_logits
from hansa_env import Ruleset
from hansa_training.errors import ModelError

#: Kinds of names: entries of the observation by block, other actions, and features.
NAMED = ("table", "routes", "cities", "actions")
FEATURES = ("route features", "city features", "table features")
KINDS = (*NAMED, *FEATURES)
#: How much smaller the features that boards have in common begin.
COMMON_GAIN = 0.2
#: Layers that all rulesets have in common as they are, and their (out, in) widths.
_COMMON = (
    ("route_summary", "route_summary", "route"), ("city_summary", "city_summary", "city"), ("context_out", "global", "global"),
    ("route_context", "route", "global"), ("city_context", "city", "global"),
)  # fmt: skip
#: Where each weight is found in a `BoardPolicy`, but for those that are read off by names.
_AS_THEY_ARE = {
    **{f"{name}_{what}": f"features_extractor.{name}.{what}" for name, _, _ in _COMMON for what in ("weight", "bias")},
    **{f"value_{name}_{what}": f"value_net.{name}.{what}" for name in ("first", "last") for what in ("weight", "bias")},
    "route_out": "features_extractor.route_out.weight", "city_out": "features_extractor.city_out.weight",
    "city_logits_weight": "features_extractor.city_logits.weight", "city_logits_bias": "features_extractor.city_logits.bias",
}  # fmt: skip


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
        wide = {name: sizes[name] for name in WIDTHS}
        count = {kind: len(some) for kind, some in self.names.items()}

        def fresh(*shape: int, inputs: float, gain: float = 1.0) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * gain * inputs**-0.5)

        def none(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(*shape))

        gain = 2**0.5
        own = {kind: [" of " in name for name in self.names[kind]] for kind in NAMED[:-1]}
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
        self.route_logits_weight = fresh(WITH_SHIPS, wide["route"], inputs=wide["route"], gain=0.01)
        self.route_logits_bias = none(WITH_SHIPS)
        self.city_logits_weight = fresh(1, wide["city"], inputs=wide["city"], gain=0.01)
        self.city_logits_bias = none(1)
        self.value_first_weight = fresh(wide["global"], wide["global"], inputs=wide["global"], gain=gain)
        self.value_first_bias = none(wide["global"])
        self.value_last_weight = fresh(1, wide["global"], inputs=wide["global"])
        self.value_last_bias = none(1)

    def place(self, kind: str, name: str) -> int:
        """Where a name stands among those of a kind; -1: nowhere."""
        return self._place[kind].get(name, -1)

    def _places(self, ruleset: Ruleset) -> dict[str, Tensor]:
        """Where a ruleset's names stand among the shared ones, and its features.

        Of each of NAMED, "KIND shared" and "KIND own" (entries,), and "KIND has shared", "KIND has own" (entries,), 0 where the
        name is not known; of each of FEATURES, the features (rows, names).
        """
        if ruleset in self._read:
            return self._read[ruleset]
        found: dict[str, Tensor] = {}
        for kind, some in _named(ruleset).items():
            for which, several in zip(("shared", "own"), zip(*some)):
                where = torch.tensor([self.place(kind, name) for name in several])
                found[f"{kind} {which}"], found[f"{kind} has {which}"] = where.clamp(min=0), (where >= 0).float()
        for kind, features in zip(FEATURES, _features_of(ruleset)):
            found[kind] = torch.zeros(len(features.values), len(self.names[kind]))
            for name, column in zip(features.names, features.values.T):
                if self.place(kind, name) >= 0:
                    found[kind][:, self.place(kind, name)] = torch.from_numpy(column)
        self._read[ruleset] = {name: one.to(self.city_in.device) for name, one in found.items()}
        return self._read[ruleset]

    def weights_for(self, ruleset: Ruleset, weights: Mapping[str, Tensor] | None = None) -> dict[str, Tensor]:
        """The weights of a ruleset's `board` network, by name, as `hansa_training.networks.weights_of` has them; read off the
        module's own, or off others of the same names."""
        given = dict(self.named_parameters()) if weights is None else weights
        places = self._places(ruleset)
        routes, cities, table = (places[kind] for kind in FEATURES)

        def columns(layer: Tensor, kind: str) -> Tensor:
            """(out, names) -> (out, entries)."""
            shared = layer[:, places[f"{kind} shared"]] * places[f"{kind} has shared"]
            return shared + layer[:, places[f"{kind} own"]] * places[f"{kind} has own"]

        def board(features: Tensor, layer: Tensor) -> Tensor:
            """(names, out of a token, out) -> (out of all tokens, out)."""
            return (features @ layer.flatten(1)).reshape(-1, layer.shape[2])

        kinds = route_logits(ruleset)
        of_board = [board(routes, given["context_route"]), board(cities, given["context_city"])]
        return {name: given[own] for own, name in _AS_THEY_ARE.items()} | {
            "features_extractor.city_in.weight": columns(given["city_in"], "cities"),
            "features_extractor.city_own": (cities @ given["city_own"]).flatten(),
            "features_extractor.route_in.weight": torch.cat(
                [columns(given["route_in"], "routes"), columns(given["route_city_in"], "cities")], 1
            ),
            "features_extractor.route_own": (routes @ given["route_own"]).flatten(),
            "features_extractor.context_in.weight": columns(given["context_in"], "table"),
            "features_extractor.context_in.bias": (table @ given["context_own"]).flatten(),
            "features_extractor.context_board.weight": torch.cat(of_board).T,
            "features_extractor.route_logits.weight": given["route_logits_weight"][:kinds],
            "features_extractor.route_logits.bias": given["route_logits_bias"][:kinds],
            "action_net.others.weight": columns(given["others"].T, "actions").T,
            "action_net.others.bias": columns(given["others_bias"][None], "actions")[0],
        }

    def pull_back(self, ruleset: Ruleset, gradients: Mapping[str, Tensor], parameters: Sequence[nn.Parameter]) -> list[Tensor]:
        """What gradients of the weights of a ruleset's network, by name, are as gradients of shared ones."""
        with torch.enable_grad():
            weights = self.weights_for(ruleset)
            outputs = [weights[name] for name in gradients]
            return list(
                torch.autograd.grad(outputs, parameters, list(gradients.values()), allow_unused=True, materialize_grads=True)
            )


def names_of(rulesets: Iterable[Ruleset]) -> dict[str, list[str]]:
    """All names that rulesets have, by kind, in the order in which they come."""
    found: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for ruleset in rulesets:
        for kind, some in _named(ruleset).items():
            found[kind] |= dict.fromkeys(name for entry in some for name in entry if name)
        for kind, features in zip(FEATURES, _features_of(ruleset)):
            found[kind] |= dict.fromkeys(features.names)
    return {kind: list(names) for kind, names in found.items()}


def _named(ruleset: Ruleset) -> dict[str, Sequence[Entry]]:
    found: dict[str, Sequence[Entry]] = {kind: entries(ruleset, kind) for kind in NAMED[:-1]}
    return found | {NAMED[-1]: other_actions(ruleset)}


def _features_of(ruleset: Ruleset) -> tuple[Features, Features, Features]:
    return route_features(ruleset), city_features(ruleset), table_features(ruleset)


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
