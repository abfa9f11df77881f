"""Expert iteration (Anthony, Tian and Barber 2017): a tree search that thinks with the learner's own network labels positions
that the learner meets, and the network learns from the labels while it learns from games.

Labels are spent where they matter: on positions in which the policy is unsure. They count only where the search is sure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from hansa_agents.search.compiled_network import network_from
from hansa_agents.search.tree import TreeAgent
from hansa_env import Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.results import masks_of, observations_of
from hansa_env.engine.view.observation import observation_size
from hansa_training.state import put_back, within

#: The policy is unsure where its likeliest decision is less likely than this; the search is sure from this share on.
UNSURE, SURE = 0.9, 0.5
#: The arrays of labels.
ARRAYS_OF_LABELS = ("observations", "masks", "shares", "values")
#: Shares of visits are raised to this power: a tree visits much that it does not believe in.
SHARPNESS = 2


class Lesson(NamedTuple):
    """Labelled positions as tensors: observations (K, D) int8, masks (K, A) bool, shares (K, A) and values (K,) float32."""

    observations: Tensor
    action_masks: Tensor
    shares: Tensor
    values: Tensor


class Expert:
    """The labels of one shard: which positions get one, what the search says of them, and the newest of what it said.

    Args:
        ruleset: of the games.
        argument: of the tree's spec, what stands after `tree:`.
        seed: of the search and of which positions it labels.
        share: of the learner's decisions that are labelled, about; fewer where it is seldom unsure.
        capacity: how many labels are kept.

    Attributes, the first `size` rows in use:
        observations (capacity, D) int8; masks (capacity, A) bool; shares (capacity, A) float32; values (capacity,) float32, in
        the unit of the network's value.
    """

    def __init__(self, ruleset: Ruleset, argument: str, seed: int, share: float, capacity: int) -> None:
        self.ruleset, self.share, self.capacity = ruleset, share, capacity
        self.tree = TreeAgent.from_spec(ruleset, seed, argument)
        self.random = np.random.default_rng(seed)
        self.observations = np.zeros((capacity, observation_size(ruleset)), np.int8)
        self.masks = np.zeros((capacity, num_actions(ruleset)), np.bool_)
        self.shares = np.zeros((capacity, num_actions(ruleset)), np.float32)
        self.values = np.zeros(capacity, np.float32)
        self.labelled = 0
        self._new, self._due = 0, 0.0
        self._chosen: list[np.ndarray] = []
        self._seen, self._unsure = 0, 0

    @property
    def size(self) -> int:
        """How many labels there are."""
        return min(self.labelled, self.capacity)

    def consider(self, games: np.ndarray, logits: Tensor) -> None:
        """Note some of the positions in which the policy is unsure, to be labelled.

        Args:
            games: (N,) records in which the learner decides.
            logits: (N, A) of its policy, with what is not legal at −1e8.
        """
        unsure = np.flatnonzero((logits.softmax(1).amax(1) < UNSURE).cpu().numpy())
        self._seen, self._unsure = self._seen + len(games), self._unsure + len(unsure)
        rate = self.share * self._seen / max(self._unsure, 1)
        some = unsure[self.random.random(len(unsure)) < rate]
        if len(some):
            self._chosen.append(games.take(some))

    def drop(self) -> None:
        """Forget what was noted: it gets no label."""
        self._chosen, self._new, self._due = [], 0, 0.0

    def label(self, weights: Mapping[str, np.ndarray]) -> None:
        """Let the search judge what was noted.

        Args:
            weights: of the network that it is to think with, by the names of `hansa_training.networks.weights_of`.
        """
        chosen = self._chosen
        self.drop()
        if not chosen:
            return
        games = np.concatenate(chosen)
        self.tree.think_with(network_from(weights, self.ruleset))
        masks = masks_of(self.ruleset, games)
        visits, worths = self.tree.search(games, masks)
        shares = visits / visits.sum(axis=1, keepdims=True)
        own = worths[np.arange(len(games)), :, games["seat"]]
        values = np.nansum(own * shares, axis=1)
        shares = shares**SHARPNESS
        shares /= shares.sum(axis=1, keepdims=True)
        sure = np.flatnonzero(shares.max(axis=1) >= SURE)
        kept = np.require(games.take(sure), requirements=["C", "W"])
        self._keep(observations_of(self.ruleset, kept), masks[sure], shares[sure], values[sure])

    def _keep(self, observations: np.ndarray, masks: np.ndarray, shares: np.ndarray, values: np.ndarray) -> None:
        rows = np.arange(self.labelled, self.labelled + len(values))[-self.capacity :]
        count = len(rows)
        places = rows % self.capacity
        for name, new in (("observations", observations), ("masks", masks), ("shares", shares), ("values", values)):
            getattr(self, name)[places] = new[len(new) - count :]
        self.labelled += len(values)
        self._new = len(values)

    def due(self, times: float) -> int:
        """How many labels to draw, so that all draws between two calls of `label` are as many as its new labels, so many times
        over: what a call leaves of one is for the next."""
        self._due += times * self._new
        count = int(self._due)
        self._due -= count
        return count

    def draw(self, count: int, device: torch.device) -> Lesson:
        """So many of the labels, each as likely; some may come twice."""
        rows = self.random.integers(self.size, size=count)
        arrays = self.observations, self.masks, self.shares, self.values
        return Lesson(*(torch.from_numpy(one[rows]).to(device) for one in arrays))

    def state(self) -> dict[str, Any]:
        """All of it between two rollouts, as `hansa_training.state` keeps it."""
        counts = [self.labelled, self._seen, self._unsure]
        return {"labels": self._labels(), "counts": counts, "random": self.random.bit_generator.state}

    def _labels(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name)[: self.size] for name in ARRAYS_OF_LABELS}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there. Raises `RunError` where the labels do not fit this version."""
        counts = [within("counts of labels", int(one), 0, math.inf) for one in state["counts"]]
        self.labelled, self._seen, self._unsure = counts
        put_back(self._labels(), state["labels"], "Expert")
        self.random.bit_generator.state = state["random"]


def up_to_date(state: Mapping[str, Any]) -> dict[str, Any]:
    """What `Expert.state` told, perhaps in an earlier version, which also kept rows without labels."""
    return {**state, "labels": {name: one[: state["counts"][0]] for name, one in state["labels"].items()}}


def loss_of(lesson: Lesson, logits: Tensor, values: Tensor, vf_coef: float) -> Tensor:
    """How far a network is from labels, per label: cross entropy of the shares, and the values' squared error.

    Args:
        logits, values: of the network at the labelled positions, (K, A) and (K,).
    """
    likely = torch.where(lesson.action_masks, logits.log_softmax(1), 0)
    return -(lesson.shares * likely).sum(1).mean() + vf_coef * (lesson.values - values).square().mean()
