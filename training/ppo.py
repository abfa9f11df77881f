"""PPO (Schulman et al. 2017) on the decisions of all seats that learn, played and learned from in shards.

Written out because the decisions of one player of many do not come in the steps of an environment: between two of them
others decide, and a rollout has as many rows as there were decisions. Policies are Stable-Baselines3's, so that what was
learned here can be loaded, played and learned on there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from hansa_training.networks import evaluate
from hansa_training.networks.trained import Trained, of_value
from hansa_training.shard import Shard
from hansa_training.workers import Workers, descend

#: What a minibatch says of itself.
FIGURES = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
#: Shards in a minibatch where these are of several rulesets: each costs a way back to the shared weights.
AT_ONCE = 4
#: Factor by which the learning rate changes, and the smallest.
STRIDE, SMALLEST_RATE = 1.5, 1e-6


@dataclass(frozen=True)
class Settings:
    """How PPO learns from a rollout; names and meaning are those of Stable-Baselines3."""

    batch_size: int = 2048
    n_epochs: int = 2
    clip_range: float = 0.2
    ent_coef: float = 0.02
    vf_coef: float = 5.0
    max_grad_norm: float = 0.5
    #: How far a rollout's update should move the policy, in nats (approximate KL divergence). The learning rate shrinks where
    #: it is more than twice that and grows where it is less than half.
    target_kl: float = 0.02


class SelfPlayPPO:
    """Rollouts that shards play, and learning from them.

    Args:
        trained: what learns.
        shards, workers: who plays and computes gradients, and in how many threads.
        learning_rate: the first one; it is changed by `rate`.

    Attributes:
        value_only: learn the value and leave the policy as it is.
        decisions: of the seats that learn, so far; updates: passes over a rollout so far.
        figures: of the last rollout, by the names under which TensorBoard shows them.
    """

    def __init__(
        self, trained: Trained, shards: Sequence[Shard], workers: Workers, settings: Settings, learning_rate: float
    ) -> None:  # fmt: skip
        self.trained, self.shards, self.workers, self.settings = trained, shards, workers, settings
        self.optimizer = torch.optim.Adam(trained.weights.values(), learning_rate, eps=1e-5)
        self.value_only, self.decisions, self.updates = False, 0, 0
        self.figures: dict[str, float] = {}
        self.seconds: dict[str, float] = {}

    def collect(self) -> None:
        """Let every shard play; the shards' buffers are the rollout."""
        began = time.perf_counter()
        self.workers.map(lambda shard: shard.collect(self.trained.policy(shard.ruleset)), self.shards)
        self.decisions += sum(shard.buffer.size for shard in self.shards)
        self.seconds = {"play": time.perf_counter() - began}
        for name in ("engine", "inference", "opponents"):
            self.seconds[name] = sum(shard.seconds[name] for shard in self.shards)
        self.figures = self._of_games()

    def learn(self) -> None:
        """Learn from the shards' buffers."""
        began = time.perf_counter()
        rows = [shard.buffer.learnable() for shard in self.shards]
        total = sum(map(len, rows))
        if total == 0:
            return
        advantages = np.concatenate([shard.buffer.advantages[one] for shard, one in zip(self.shards, rows)])
        mean, spread = float(advantages.mean()), float(advantages.std()) + 1e-8
        weights = self.trained.weights
        learning = of_value(list(weights)) if self.value_only else list(weights)
        parameters = [weights[name] for name in learning]
        figures: list[np.ndarray] = []

        def gradients(part: int, some: np.ndarray, size: int) -> tuple[list[Tensor], np.ndarray]:
            return self._gradients(self.shards[part], some, size, mean, spread, learning)

        def step() -> None:
            torch.nn.utils.clip_grad_norm_(parameters, self.settings.max_grad_norm)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.trained.refresh()

        several = len(self.trained.rulesets) > 1
        for _ in range(self.settings.n_epochs):
            order = [shard.random.permutation(one) for shard, one in zip(self.shards, rows)]
            batches = max(1, round(total / self.settings.batch_size))
            figures += descend(self.workers, parameters, order, batches, gradients, step, AT_ONCE if several else 0)
            self.updates += 1
        self.seconds["learning"] = time.perf_counter() - began
        means = dict(zip(FIGURES, np.mean(figures, 0).tolist()))
        self.figures |= self._of_learning(means, rows)
        if not self.value_only:
            self._adapt_rate(means["approx_kl"])

    def limit_rate(self, limit: float) -> None:
        """The learning rate from now on, unless it is smaller already."""
        self.rate = min(self.rate, limit)

    @property
    def rate(self) -> float:
        """The learning rate as it is now."""
        return self.optimizer.param_groups[0]["lr"]

    @rate.setter
    def rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def _adapt_rate(self, divergence: float) -> None:
        """The rate follows how far an update moves the policy, which at one rate differs a hundredfold in a run."""
        if divergence > 2 * self.settings.target_kl:
            self.rate = max(self.rate / STRIDE, SMALLEST_RATE)
        elif divergence < self.settings.target_kl / 2:
            self.rate = min(self.rate * STRIDE, 1.0)

    def _gradients(
        self, shard: Shard, rows: np.ndarray, size: int, mean: float, spread: float, learning: Sequence[str]
    ) -> tuple[list[Tensor], np.ndarray]:
        """Gradients of some rows' part in the loss of a minibatch of `size`, and its figures."""
        data, settings = shard.buffer.take(rows), self.settings
        policy = self.trained.policy(shard.ruleset)
        logits, values = evaluate(policy, data.observations, data.action_masks)
        logits = logits.log_softmax(1)
        log_prob = logits.gather(1, data.actions[:, None])[:, 0]
        advantages = (data.advantages - mean) / spread
        log_ratio = log_prob - data.old_log_prob
        ratio = log_ratio.exp()
        clip = settings.clip_range
        policy_loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).sum()
        value_loss = (data.returns - values).square().sum()
        entropy = -(logits.exp() * logits).sum()
        loss = settings.vf_coef * value_loss
        own = dict(policy.named_parameters())
        if self.value_only:
            own = {name: own[name] for name in of_value(list(own))}
        else:
            loss = loss + policy_loss - settings.ent_coef * entropy
        found = dict(zip(own, torch.autograd.grad(loss / size, list(own.values()))))
        with torch.no_grad():
            kl = (ratio - 1 - log_ratio).sum()
            clipped = ((ratio - 1).abs() > clip).sum()
            figures = torch.stack([policy_loss, value_loss, entropy, kl, clipped.float()]) / size
        return self.trained.pull_back(shard.ruleset, found, learning), figures.cpu().numpy()

    def _of_games(self) -> dict[str, float]:
        figures = {}
        results = [one for shard in self.shards for one in shard.results]
        for shard in self.shards:
            for one in shard.results:
                for number, ahead in one["ahead"].items():
                    shard.league.note(number, ahead)
        if results:
            figures["games/points"] = float(np.mean([one["scores"][-1] for one in results]))
            figures["games/truncated"] = float(np.mean([one["truncated"] for one in results]))
        leagues = {id(shard.league): (shard.ruleset, shard.league) for shard in self.shards}
        for ruleset, league in leagues.values():
            where = f" on {ruleset}" if len(leagues) > 1 else ""
            for opponent in league.opponents.values():
                if opponent.games:
                    figures[f"league/ahead of {opponent.name}{where}"] = opponent.share
        return figures

    def _of_learning(self, means: dict[str, float], rows: list[np.ndarray]) -> dict[str, float]:
        values = np.concatenate([shard.buffer.values[one] for shard, one in zip(self.shards, rows)])
        returns = np.concatenate([shard.buffer.returns[one] for shard, one in zip(self.shards, rows)])
        spread = returns.var()
        return {
            **{f"train/{name}": value for name, value in means.items()},
            "train/learning_rate": self.rate,
            "train/explained_variance": float(1 - (returns - values).var() / spread) if spread > 0 else 0.0,
            **{f"time/seconds of {name}": seconds for name, seconds in self.seconds.items()},
        }
