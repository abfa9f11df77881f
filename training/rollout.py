"""What a part of self-play brought in: one row per decision of a learner's seat, in the order of play."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

from hansa_env.engine.compile import kernel


@kernel
def compute_gae(games, seats, rewards, ended, values, discount, decay, advantages, returns, known, next_row):
    """Generalised advantage estimation (Schulman et al. 2016) along the decisions of each (game, seat).

    Args:
        games, seats, rewards, ended, values: (K,), rows in the order of play; `ended`: the seat's last decision of a game.
        discount, decay: gamma and lambda.
        advantages, returns: (K,) float32, written.
        known: (K,) bool, written: False at a decision whose successor has not been taken yet.
        next_row: (number of games, P) int64, room to work in.
    """
    next_row[:] = -1
    for row in range(len(games) - 1, -1, -1):
        game, seat = games[row], seats[row]
        after = next_row[game, seat]
        next_row[game, seat] = row
        known[row] = ended[row] or after >= 0
        if ended[row]:
            advantages[row] = rewards[row] - values[row]
        elif after >= 0:
            advantages[row] = rewards[row] + discount * values[after] - values[row]
            if known[after]:
                advantages[row] += discount * decay * advantages[after]
        else:
            advantages[row] = 0.0
        returns[row] = advantages[row] + values[row]


class SeatBuffer(MaskableRolloutBuffer):
    """A rollout buffer of Stable-Baselines3 whose rows are the decisions of all seats that learn, however many there are.

    Attributes, the first `size` rows of each in use:
        observations (capacity, D) int8; action_masks (capacity, A) bool; actions (capacity,) int64.
        log_probs, values, rewards, advantages, returns (capacity,) float32.
        games, seats (capacity,) int32; ended, known (capacity,) bool: see `compute_gae`.
    """

    def reset(self) -> None:
        if not hasattr(self, "games"):
            capacity = self.buffer_size * self.n_envs
            spaces: Any = (self.observation_space, self.action_space)
            self.observations = np.empty((capacity, *spaces[0].shape), np.int8)
            self.action_masks = np.empty((capacity, int(spaces[1].n)), np.bool_)
            self.actions = np.empty(capacity, np.int64)
            self.log_probs, self.values, self.rewards = (np.zeros(capacity, np.float32) for _ in range(3))
            self.advantages, self.returns = (np.zeros(capacity, np.float32) for _ in range(2))
            self.games, self.seats = (np.empty(capacity, np.int32) for _ in range(2))
            self.ended, self.known = (np.empty(capacity, np.bool_) for _ in range(2))
            self._next_row = np.empty((self.n_envs, 8), np.int64)
        self.pos, self.full = 0, False
        self.generator_ready = False

    def size(self) -> int:
        return self.pos

    def room(self, count: int) -> slice:
        """The rows of the next `count` decisions, without rewards."""
        rows = slice(self.pos, self.pos + count)
        self.rewards[rows], self.ended[rows] = 0, False
        self.pos += count
        return rows

    def compute_returns(self) -> None:
        """Compute advantages and returns of all rows."""
        n = self.pos
        compute_gae(
            self.games[:n], self.seats[:n], self.rewards[:n], self.ended[:n], self.values[:n], self.gamma, self.gae_lambda,
            self.advantages[:n], self.returns[:n], self.known[:n], self._next_row,
        )  # fmt: skip
        self.full = True

    def learnable(self) -> np.ndarray:
        """The rows whose advantage is known, (K,) int64."""
        return np.flatnonzero(self.known[: self.pos])

    def take(self, rows: np.ndarray) -> MaskableRolloutBufferSamples:
        """Some rows as tensors on the buffer's device: observations int8, masks bool, actions int64, all else float32."""
        arrays = {
            "observations": self.observations, "actions": self.actions, "old_values": self.values,
            "old_log_prob": self.log_probs, "advantages": self.advantages, "returns": self.returns,
            "action_masks": self.action_masks,
        }  # fmt: skip
        tensors = {name: torch.from_numpy(one[rows]).to(self.device) for name, one in arrays.items()}
        return MaskableRolloutBufferSamples(**tensors)

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Minibatches in random order (NumPy's global generator, as in Stable-Baselines3)."""
        rows = np.random.permutation(self.learnable())
        for start in range(0, len(rows), batch_size or len(rows)):
            yield self.take(rows[start : start + (batch_size or len(rows))])
