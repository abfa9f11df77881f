"""What a part of self-play brought in: one row per decision of a learner's seat, in the order of play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from hansa_env import Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_training.errors import RunError
from hansa_training.gae import compute_gae
from hansa_training.state import GO_ON

#: The columns of decisions that wait for the next rollout.
WAITING = ("observations", "action_masks", "actions", "log_probs", "weights", "rewards", "games", "seats")


class Samples(NamedTuple):
    """Some rows as tensors on one device: observations (N, D) int8, masks (N, A) bool, actions (N,) int64, all else (N,)
    float32."""

    observations: Tensor
    action_masks: Tensor
    actions: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor


class SeatBuffer:
    """A rollout whose rows are the decisions of all seats that learn, however many there are.

    What a seat's last decision in a rollout was worth is not known yet, unless its game ended: it waits for the next rollout.
    Dropped, it would take the end of the game with it where the seat does not decide again, and the value would be learned
    from the games that went on.

    Args:
        num_games, num_steps: games side by side, and decisions of each; their product is the room for new rows.
        gamma, gae_lambda: of `compute_gae`.
        device: where `take` brings rows.

    Attributes:
        waiting: how many of the first rows are of rollouts before. The policy has changed since they were drawn. They are
            learned from as if it had drawn them as it is now, and their advantages are multiplied by how much likelier it is to
            do so, at most 1: the weight that decoupled PPO (Hilton et al. 2022) gives a sample, cut off as V-trace does.
            Advantages are normalised afterwards, so one of little weight becomes that of an advantage of 0, not one that does
            not count.

    Attributes, the first `size` rows of each in use:
        observations (capacity, D) int8; action_masks (capacity, A) bool; actions (capacity,) int64.
        log_probs, weights, values, rewards, advantages, returns, outcomes (capacity,) float32: see `compute_gae`.
        games, seats (capacity,) int32; ended, known (capacity,) bool: see `compute_gae`.
    """

    def __init__(
        self, ruleset: Ruleset, num_games: int, num_steps: int, gamma: float = 1.0, gae_lambda: float = 1.0,
        device: torch.device | str = "cpu",
    ) -> None:  # fmt: skip
        self.num_games, self.num_steps, self.gamma, self.gae_lambda = num_games, num_steps, gamma, gae_lambda
        self.device = torch.device(device)
        capacity = num_games * (num_steps + ruleset.players)
        self.observations = self._room((capacity, observation_size(ruleset)), torch.int8)
        self.action_masks = self._room((capacity, num_actions(ruleset)), torch.bool)
        self.actions = np.empty(capacity, np.int64)
        self.log_probs, self.weights, self.values, self.rewards = (np.zeros(capacity, np.float32) for _ in range(4))
        self.advantages, self.returns, self.outcomes = (np.zeros(capacity, np.float32) for _ in range(3))
        self.games, self.seats = (np.empty(capacity, np.int32) for _ in range(2))
        self.ended, self.known = (np.empty(capacity, np.bool_) for _ in range(2))
        self._next_row = np.empty((num_games, ruleset.players), np.int64)
        self.size = self.waiting = 0

    def begin(self) -> None:
        """Forget all rows but those that wait, which come first."""
        self._put(self.state())

    def room(self, count: int) -> slice:
        """The rows of the next `count` decisions, without rewards."""
        rows = slice(self.size, self.size + count)
        self.rewards[rows], self.ended[rows], self.weights[rows] = 0, False, 1
        self.size += count
        return rows

    def judge_anew(self, rows: np.ndarray, log_probs: np.ndarray, values: np.ndarray) -> None:
        """What the policy of now thinks of rows that wait: of their actions, and of what they are worth."""
        self.weights[rows] *= np.exp(log_probs - self.log_probs[rows])
        self.log_probs[rows], self.values[rows] = log_probs, values

    def compute_returns(self) -> None:
        """Compute advantages and returns of all rows."""
        n = self.size
        compute_gae(
            self.games[:n], self.seats[:n], self.rewards[:n], self.ended[:n], self.values[:n], self.gamma, self.gae_lambda,
            self.advantages[:n], self.returns[:n], self.outcomes[:n], self.known[:n], self._next_row,
        )  # fmt: skip
        self.advantages[: self.waiting] *= np.minimum(self.weights[: self.waiting], 1)

    def learnable(self) -> np.ndarray:
        """The rows whose advantage is known, (K,) int64."""
        return np.flatnonzero(self.known[: self.size])

    def state(self) -> dict[str, np.ndarray]:
        """The rows that wait, by column, after `compute_returns`. Values are not among them: the policy has changed since."""
        rows = np.flatnonzero(~self.known[: self.size])
        return {name: getattr(self, name)[rows] for name in WAITING}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Let these rows wait. Raises `RunError` where they are no decisions of different seats of these games."""
        own = {name: getattr(self, name) for name in WAITING}
        arrays = {name: state[name] for name in WAITING if isinstance(state.get(name), np.ndarray)}
        shapes = {name: (one.dtype, one.shape[1:]) for name, one in arrays.items()}
        fits = shapes == {name: (one.dtype, one.shape[1:]) for name, one in own.items()}
        count = len(state["games"]) if fits else 0
        if not fits or {len(state[name]) for name in WAITING} != {count} or not self._are_decisions(state):
            raise RunError(f"the checkpoint's waiting decisions are none of its games; {GO_ON}")
        self._put(state)

    def _are_decisions(self, state: Mapping[str, np.ndarray]) -> bool:
        """Whether they index nothing that is not there, and no seat of a game twice."""
        (games, seats), masks, actions = self._next_row.shape, state["action_masks"], state["actions"]
        for indices, bound in ((state["games"], games), (state["seats"], seats), (actions, masks.shape[1])):
            if ((indices < 0) | (indices >= bound)).any():
                return False
        places = state["games"].astype(np.int64) * seats + state["seats"]
        finite = all(np.isfinite(state[name]).all() for name in ("log_probs", "weights", "rewards"))
        finite = finite and bool((state["weights"] >= 0).all())
        return finite and len(np.unique(places)) == len(places) and bool(masks[np.arange(len(actions)), actions].all())

    def _put(self, rows: Mapping[str, np.ndarray]) -> None:
        self.size = self.waiting = count = len(rows["games"])
        for name in WAITING:
            getattr(self, name)[:count] = rows[name]
        self.ended[:count], self.known[:count] = False, False

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """What `Samples` is made of, all rows."""
        return self.observations, self.action_masks, self.actions, self.log_probs, self.advantages, self.returns

    def take(self, rows: np.ndarray) -> Samples:
        """Some rows as tensors."""
        return Samples(*(torch.from_numpy(one[rows]).to(self.device) for one in self.columns))

    def _room(self, shape: tuple[int, ...], dtype: torch.dtype) -> np.ndarray:
        """An array from which a GPU, if that is the device, reads by itself."""
        return torch.empty(shape, dtype=dtype, pin_memory=self.device.type == "cuda").numpy()
