"""A network with the structure of the game, made from the graph tables of any board and number of players.

Every route and every city has a token, computed by weights that all routes (all cities) share and a bias of its own; a
route's token also reads the two cities at its ends. A global context reads the rest of the observation (the question, the
seats) and a short summary of every token; then each token reads the context. The logits of the actions that name a route
or a city are read off its token, all others off the context, and so is the value.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn
from torch.nn.functional import linear, pad

from hansa_agents.networks.route_logits import logit_of_action
from hansa_env import Ruleset, graph_tables, observation_blocks
from hansa_env.engine.view.observation import observation_high

#: Numbers of rows in bfloat16 are filled up to a multiple of this: for every number that it has not met, oneDNN compiles its
#: kernels anew, which takes longer than a small batch. Most minibatches are a multiple of it already.
ROWS = 64


class _AddBias(torch.autograd.Function):
    """x (N, K) + bias (K,); the bias's gradient as a matrix product, which is exact and quick in bfloat16 too."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, bias: Tensor) -> Tensor:
        return x + bias

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        return gradient, (gradient.new_ones(1, len(gradient)) @ gradient)[0]


class BoardFeatures(BaseFeaturesExtractor):
    """From observations (N, D) to the logits of the actions that name a route or a city, and the context (N, global).

    Args:
        observation_space: of the ruleset.
        ruleset: whose board gives the structure.
        sizes: the widths of `hansa_training.sizes.BOARD`.

    Attributes:
        dtype: of the computation, float32 or bfloat16; the weights and what comes out are float32.
    """

    dtype: torch.dtype
    scale: Tensor
    incidence: Tensor
    places: Tensor | None

    def __init__(self, observation_space: spaces.Box, ruleset: Ruleset, sizes: dict[str, int]) -> None:
        blocks, tables = observation_blocks(ruleset), graph_tables(ruleset)
        self.routes, self.cities = blocks["routes"].rows, blocks["cities"].rows
        self.route_columns, self.city_columns = blocks["routes"].columns, blocks["cities"].columns
        self.first_route, self.first_city = blocks["routes"].start, blocks["cities"].start
        columns = logit_of_action(tables)
        named = tables.action_route >= 0
        assert named[: len(columns)].all(), "actions that name a route come first"
        self.named, self.per_route = len(columns) + self.cities, int(columns.max()) + 1
        width, route, city = sizes["global"], sizes["route"], sizes["city"]
        super().__init__(observation_space, self.named + width)
        self.width, self.dtype = width, torch.float32
        self._casts: dict[int, tuple[int, torch.dtype, Tensor]] = {}
        self.register_buffer("scale", torch.from_numpy(1 / observation_high(ruleset).astype(np.float32)), persistent=False)
        # Of the logits in the order (column, route), those that there are; None: all, in the order of the actions.
        places = columns * self.routes + tables.action_route[: len(columns)]
        ordered = np.array_equal(places, np.arange(self.per_route * self.routes))
        self.register_buffer("places", None if ordered else torch.from_numpy(places), persistent=False)
        self.register_buffer("incidence", torch.from_numpy(tables.incidence.astype(np.float32)), persistent=False)

        self.city_in = nn.Linear(self.city_columns, city, bias=False)
        self.city_own = nn.Parameter(torch.zeros(self.cities * city))
        self.route_in = nn.Linear(self.route_columns + self.city_columns, route, bias=False)
        self.route_own = nn.Parameter(torch.zeros(self.routes * route))
        self.route_summary = nn.Linear(route, sizes["route_summary"])
        self.city_summary = nn.Linear(city, sizes["city_summary"])
        summary = self.routes * sizes["route_summary"] + self.cities * sizes["city_summary"]
        self.context_in = nn.Linear(self.first_route, width)
        self.context_board = nn.Linear(summary, width, bias=False)
        self.context_out = nn.Linear(width, width)
        self.route_out = nn.Linear(route, route, bias=False)
        self.route_context = nn.Linear(width, route)
        self.city_out = nn.Linear(city, city, bias=False)
        self.city_context = nn.Linear(width, city)
        self.route_logits = nn.Linear(route, self.per_route)
        self.city_logits = nn.Linear(city, 1)

    def forward(self, observations: Tensor) -> Tensor:
        """(N, named + global) float32: one logit per action that names a route or a city, then the context."""
        if self.dtype == torch.bfloat16 and observations.device.type == "cpu" and len(observations) % ROWS:
            count = len(observations)
            return self._read(pad(observations, (0, 0, 0, -count % ROWS)))[:count]
        return self._read(observations)

    def _read(self, observations: Tensor) -> Tensor:
        x = observations.to(self.dtype) * self._cast(self.scale)
        cities = x[:, self.first_city :].unflatten(1, (self.city_columns, self.cities))
        routes = x[:, self.first_route : self.first_city].unflatten(1, (self.route_columns, self.routes))
        routes = torch.cat([routes, cities @ self._cast(self.incidence)], 1)
        city = self._tokens(self.city_in, self.city_own, cities)
        route = self._tokens(self.route_in, self.route_own, routes)
        route, city = self._exchange(route, city)
        summary = [self._linear(self.route_summary, route).flatten(1), self._linear(self.city_summary, city).flatten(1)]
        context = self._linear(self.context_in, x[:, : self.first_route])
        context = torch.relu_(context + self._linear(self.context_board, torch.cat(summary, 1)))
        context = torch.relu_(self._linear(self.context_out, context))
        route = torch.relu_(self._linear(self.route_out, route) + self._linear(self.route_context, context).unsqueeze(1))
        city = torch.relu_(self._linear(self.city_out, city) + self._linear(self.city_context, context).unsqueeze(1))
        of_routes = self._linear(self.route_logits, route).float().transpose(1, 2).flatten(1)
        if self.places is not None:
            of_routes = of_routes[:, self.places]
        of_cities = self._linear(self.city_logits, city).float().flatten(1)
        return torch.cat([of_routes, of_cities, context.float()], 1)

    def _exchange(self, route: Tensor, city: Tensor) -> tuple[Tensor, Tensor]:
        """What the tokens (N, rows, width) become before the context reads them."""
        return route, city

    def _tokens(self, layer: nn.Linear, own: nn.Parameter, block: Tensor) -> Tensor:
        """Tokens (N, rows, width) of a block (N, columns, rows)."""
        tokens = self._linear(layer, block.transpose(1, 2).contiguous())
        shape = tokens.shape
        return torch.relu_(_AddBias.apply(tokens.flatten(1), self._cast(own))).view(shape)

    def _linear(self, layer: nn.Linear, x: Tensor) -> Tensor:
        bias = None if layer.bias is None else self._cast(layer.bias)
        return linear(x, self._cast(layer.weight), bias)

    def _cast(self, weights: Tensor) -> Tensor:
        """Weights as `dtype`; kept while they stay as they are, where no gradient is wanted: small batches are many. On a GPU
        they are cast each time, so that what is recorded there (`networks.recorded`) reads them as they are then."""
        if self.dtype == weights.dtype or torch.is_grad_enabled() or weights.is_cuda:
            return weights.to(self.dtype)
        version, dtype, cast = self._casts.get(id(weights), (-1, None, weights))
        if version != weights._version or dtype != self.dtype or cast.device != weights.device:
            version, cast = weights._version, weights.to(self.dtype)
            self._casts[id(weights)] = version, self.dtype, cast
        return cast

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_casts": {}}


class ActionHead(nn.Module):
    """Logits (N, A) of the features: those that tokens gave, and the others from the context."""

    def __init__(self, named: int, width: int, actions: int) -> None:
        super().__init__()
        self.named = named
        self.others = nn.Linear(width, actions - named)

    def forward(self, features: Tensor) -> Tensor:
        return torch.cat([features[:, : self.named], self.others(features[:, self.named :])], 1)


class ValueHead(nn.Module):
    """Value (N, 1) of the context."""

    def __init__(self, named: int, width: int) -> None:
        super().__init__()
        self.named = named
        self.first, self.last = nn.Linear(width, width), nn.Linear(width, 1)

    def forward(self, features: Tensor) -> Tensor:
        return self.last(torch.relu(self.first(features[:, self.named :])))


class BoardPolicy(MaskableActorCriticPolicy):
    """For `MaskablePPO(BoardPolicy, env, policy_kwargs={"features_extractor_kwargs": {"ruleset": ..., "sizes": ...}})`;
    `hansa_training.networks.policy_arguments` gives both."""

    features_extractor: BoardFeatures
    features_class: type[BoardFeatures] = BoardFeatures

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        defaults: dict[str, Any] = {"net_arch": [], "features_extractor_class": self.features_class}
        super().__init__(*arguments, **defaults | settings)

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()
        features, actions = self.features_extractor, cast(spaces.Discrete, self.action_space)
        action_net = ActionHead(features.named, features.width, int(actions.n))
        value_net = ValueHead(features.named, features.width)
        gains: dict[nn.Module, float] = {features: 2**0.5, value_net: 2**0.5, value_net.last: 1.0}
        gains |= {action_net: 0.01, features.route_logits: 0.01, features.city_logits: 0.01}
        for module, gain in gains.items():
            module.apply(partial(self.init_weights, gain=gain))
        self.action_net, self.value_net = action_net, value_net  # type: ignore[assignment]
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)
