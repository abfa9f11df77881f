"""PPO (Schulman et al. 2017) on the decisions of all seats that learn, played and learned from in shards."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from hansa_training.networks import evaluate
from hansa_training.rollout import SeatBuffer
from hansa_training.shard import Shard
from hansa_training.workers import Workers, descend

FIGURES = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
#: Factor by which the learning rate changes, and the smallest.
STRIDE, SMALLEST_RATE = 1.5, 1e-6


class SelfPlayPPO(MaskablePPO):
    """`MaskablePPO` whose rollouts are played by shards, and whose gradients are computed in them and averaged.

    Args:
        shards, workers: who plays and learns, and in how many threads.

    Attributes:
        value_only: learn the value and leave the policy as it is.
        divergence: how far a rollout's update should move the policy, in nats (its approximate KL divergence); the learning
            rate is made smaller or larger where it is more than twice or less than half of that.

    The environment given is asked for its spaces only. Saving, loading, callbacks and logging are Stable-Baselines3's.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.shards: Sequence[Shard] = ()
        self.workers = Workers(1)
        self.value_only = False
        self.divergence = 0.01
        self.seconds: dict[str, float] = {}

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "shards", "workers"]

    def collect_rollouts(
        self, env: VecEnv, callback: BaseCallback, rollout_buffer: RolloutBuffer, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Let every shard play; the shards' buffers are the rollout. The callback is called once for all of it."""
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        began = time.perf_counter()
        self.workers.map(lambda shard: shard.collect(self.policy), self.shards)
        self.num_timesteps += sum(shard.buffer.pos for shard in self.shards)
        self.seconds = {"play": time.perf_counter() - began}
        for name in ("engine", "inference", "opponents"):
            self.seconds[name] = sum(shard.seconds[name] for shard in self.shards)
        self._log_games()
        callback.update_locals(locals())
        if not callback.on_step():
            return False
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Learn from the shards' buffers."""
        began = time.perf_counter()
        rows = [shard.buffer.learnable() for shard in self.shards]
        total = sum(map(len, rows))
        if total == 0:
            return
        advantages = np.concatenate([shard.buffer.advantages[one] for shard, one in zip(self.shards, rows)])
        mean, spread = float(advantages.mean()), float(advantages.std()) + 1e-8
        parameters = [p for p in self._learning() if p.requires_grad]
        batches = max(1, round(total / (self.batch_size or total)))
        figures: list[np.ndarray] = []

        def gradients(part: int, some: np.ndarray, size: int) -> tuple[list[Tensor], np.ndarray]:
            return self._gradients(self.shards[part].buffer, some, size, mean, spread, parameters)

        def step() -> None:
            torch.nn.utils.clip_grad_norm_(parameters, self.max_grad_norm)
            self.policy.optimizer.step()
            self.policy.optimizer.zero_grad()

        for _ in range(self.n_epochs):
            order = [shard.random.permutation(one) for shard, one in zip(self.shards, rows)]
            figures += descend(self.workers, parameters, order, batches, gradients, step)
            self._n_updates += 1
        self.seconds["learning"] = time.perf_counter() - began
        means = dict(zip(FIGURES, np.mean(figures, 0).tolist()))
        self._log_learning(means, rows)
        if not self.value_only:
            self._adapt_rate(means["approx_kl"])

    def limit_rate(self, limit: float) -> None:
        """The learning rate from now on, unless it is smaller already."""
        self.rate = min(self.rate, limit)

    @property
    def rate(self) -> float:
        """The learning rate as it is now."""
        return self.policy.optimizer.param_groups[0]["lr"]

    @rate.setter
    def rate(self, rate: float) -> None:
        for group in self.policy.optimizer.param_groups:
            group["lr"] = rate

    def _adapt_rate(self, divergence: float) -> None:
        """The rate follows how far an update moves the policy, which at one rate differs a hundredfold in a run."""
        if divergence > 2 * self.divergence:
            self.rate = max(self.rate / STRIDE, SMALLEST_RATE)
        elif divergence < self.divergence / 2:
            self.rate = min(self.rate * STRIDE, 1.0)

    def _learning(self) -> list[torch.nn.Parameter]:
        return list((self.policy.value_net if self.value_only else self.policy).parameters())

    def _gradients(
        self, buffer: SeatBuffer, rows: np.ndarray, size: int, mean: float, spread: float, parameters: list
    ) -> tuple[list[Tensor], np.ndarray]:
        """Gradients of some rows' part in the loss of a minibatch of `size`, and its figures."""
        data = buffer.take(rows)
        logits, values = evaluate(self.policy, data.observations, data.action_masks)
        logits = logits.log_softmax(1)
        log_prob = logits.gather(1, data.actions[:, None])[:, 0]
        advantages = (data.advantages - mean) / spread
        log_ratio = log_prob - data.old_log_prob
        ratio = log_ratio.exp()
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        policy_loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).sum()
        value_loss = (data.returns - values).square().sum()
        entropy = -(logits.exp() * logits).sum()
        loss = self.vf_coef * value_loss
        if not self.value_only:
            loss = loss + policy_loss - self.ent_coef * entropy
        gradients = torch.autograd.grad(loss / size, parameters)
        with torch.no_grad():
            kl = (ratio - 1 - log_ratio).sum()
            clipped = ((ratio - 1).abs() > clip).sum()
            figures = torch.stack([policy_loss, value_loss, entropy, kl, clipped.float()]) / size
        return list(gradients), figures.cpu().numpy()

    def _log_games(self) -> None:
        results = [one for shard in self.shards for one in shard.results]
        if not results:
            return
        league = self.shards[0].league
        for one in results:
            for number, ahead in one["ahead"].items():
                league.note(number, ahead)
        self.logger.record("games/points", np.mean([one["scores"][-1] for one in results]))
        self.logger.record("games/truncated", np.mean([one["truncated"] for one in results]))
        for opponent in league.opponents.values():
            if opponent.games:
                self.logger.record(f"league/ahead of {opponent.name}", opponent.share)

    def _log_learning(self, figures: dict[str, float], rows: list[np.ndarray]) -> None:
        values = np.concatenate([shard.buffer.values[one] for shard, one in zip(self.shards, rows)])
        returns = np.concatenate([shard.buffer.returns[one] for shard, one in zip(self.shards, rows)])
        for name, value in figures.items():
            self.logger.record(f"train/{name}", value)
        self.logger.record("train/learning_rate", self.rate)
        explained = explained_variance(values, returns)  # NaN where all returns are the same, which JSON does not know
        self.logger.record("train/explained_variance", float(np.nan_to_num(explained)))
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        for name, seconds in self.seconds.items():
            self.logger.record(f"time/seconds of {name}", seconds)
