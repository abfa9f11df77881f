"""PPO (Schulman et al. 2017) on the decisions of all seats that learn, played and learned from in shards.

Written out because the decisions of one player of many do not come in the steps of an environment: between two of them
others decide, and a rollout has as many rows as there were decisions. Policies are Stable-Baselines3's, so that what was
learned here can be loaded, played and learned on there.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from hansa_env.engine.rules.scoring import TOTAL
from hansa_training.descent import descend, part_by_part
from hansa_training.expert import loss_of
from hansa_training.league import League
from hansa_training.networks import evaluate
from hansa_training.networks.trained import OwnNetwork, Trained, of_value
from hansa_training.on_gpu import GradientsOnGPU
from hansa_training.optimizer import new_optimizer
from hansa_training.ranks import ALONE, Ranks
from hansa_training.rollout import Samples
from hansa_training.shard import Shard
from hansa_training.workers import Workers

#: What a minibatch says of itself.
FIGURES = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "expert_loss")
#: Their means over a rollout, by the names under which TensorBoard shows them.
LOSSES = tuple(f"train/{name}" for name in FIGURES)
#: The last of them is a label's, and so is weighed by labels: behind the figures a minibatch says how many it drew.
EXPERT_LOSS, LABELS_DRAWN = len(FIGURES) - 1, len(FIGURES)
#: Factor by which the learning rate changes, and the smallest.
STRIDE, SMALLEST_RATE = 1.5, 1e-6
#: Gradients that are longer are shortened to this.
MAX_GRAD_NORM = 0.5


@dataclass(frozen=True)
class Settings:
    """How PPO learns from a rollout; names and meaning are those of Stable-Baselines3. What is usual, the plan says."""

    batch_size: int
    n_epochs: int
    clip_range: float
    ent_coef: float
    vf_coef: float
    #: Weights in the loss of PPO's own objective, and of each label of a search (`hansa_training.expert`), where a decision has
    #: the weight 1; and how often each label is learned from, on the average.
    policy_coef: float
    expert_coef: float
    expert_replays: float
    #: How far an update should move the policy, in nats: the approximate KL divergence, as the mean of its minibatches. The
    #: learning rate shrinks where it is more than twice that and grows where it is less than half.
    target_kl: float
    #: "adam" or "muon" (`hansa_training.optimizer`).
    optimizer: str


class SelfPlayPPO:
    """Rollouts that shards play, and learning from them.

    Args:
        trained: what learns.
        shards: those of this rank, by their numbers; they play and compute gradients.
        leagues: whom each shard meets, those of other ranks too, in the order of their numbers.
        workers: in how many threads.
        learning_rate: the first one; it is changed by `rate`.

    Attributes:
        value_only: learn the value and leave the policy as it is.
        decisions: of the seats that learn, so far; updates: passes over a rollout so far.
        figures: of the last rollout, by the names under which TensorBoard shows them.
    """

    def __init__(
        self, trained: Trained, shards: Mapping[int, Shard], leagues: Sequence[League], workers: Workers, settings: Settings,
        learning_rate: float, ranks: Ranks = ALONE,
    ) -> None:  # fmt: skip
        self.trained, self.shards, self.leagues = trained, shards, leagues
        self.workers, self.settings, self.ranks = workers, settings, ranks
        self.optimizer = new_optimizer(settings.optimizer, trained.weights, learning_rate, trained.computing.dtype)
        self.value_only, self.decisions, self.updates = False, 0, 0
        self.figures: dict[str, float] = {}
        self.seconds: dict[str, float] = {}
        # Whether of the value alone; mean and spread of the advantages; what finds the gradients.
        self._on_gpu: tuple[bool, Tensor, GradientsOnGPU] | None = None
        self._told: list[dict[str, Any]] = []  # what each shard, of all ranks, said of its rollout

    def collect(self) -> None:
        """Let every shard play; the shards' buffers are the rollout."""
        began = time.perf_counter()
        check = self.workers.check
        self.workers.map(lambda shard: shard.collect(self.trained.policy(shard.ruleset), check), self.shards.values())
        self.seconds = {"play": time.perf_counter() - began}
        for name in ("engine", "inference", "opponents"):
            self.seconds[name] = sum(shard.seconds[name] for shard in self.shards.values())
        told = self.ranks.concatenate([_told(shard) for shard in self.shards.values()])
        self.decisions += sum(one["rows"] for one in told)
        self._told, self.figures = told, self._of_games(told)

    def learn(self) -> None:
        """Learn from the shards' buffers."""
        began = time.perf_counter()
        rows = {number: shard.buffer.learnable() for number, shard in self.shards.items()}
        sizes = [one["learnable"] for one in self._told]
        if sum(sizes) == 0:
            return
        mean, variance = _moments([one["advantages"] for one in self._told], sizes)
        spread = variance**0.5 + 1e-8
        weights = self.trained.weights
        learning = of_value(list(weights)) if self.value_only else list(weights)
        parameters = [weights[name] for name in learning]
        figures: list[np.ndarray] = []
        on_gpu = self._bring_to_gpu(mean, spread, parameters)
        gradients = on_gpu or part_by_part(
            self.workers, lambda part, some, size: self._gradients(self.shards[part], some, size, mean, spread, learning)
        )

        def step() -> None:
            torch.nn.utils.clip_grad_norm_(parameters, MAX_GRAD_NORM)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.trained.refresh()

        for _ in range(self.settings.n_epochs):
            order = {number: shard.random.permutation(rows[number]) for number, shard in self.shards.items()}
            batches = max(1, round(sum(sizes) / self.settings.batch_size))
            figures += descend(
                gradients, parameters, order, batches, step, ranks=self.ranks, sizes=sizes, told=LABELS_DRAWN + 1,
                at_once=self.trained.parts_at_once, number=self.updates, together=on_gpu is not None,
            )  # fmt: skip
            self.updates += 1
        self.seconds["learning"] = time.perf_counter() - began
        mean_figures = np.mean(figures, 0)
        if mean_figures[LABELS_DRAWN]:
            mean_figures[EXPERT_LOSS] /= mean_figures[LABELS_DRAWN]
        means = dict(zip(FIGURES, mean_figures.tolist()))
        self.figures |= self._of_learning(means, sizes)
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

    def _bring_to_gpu(self, mean: float, spread: float, parameters: Sequence[Tensor]) -> GradientsOnGPU | None:
        """What finds gradients there, with the rollout; None where each shard finds its own."""
        computing, shards = self.trained.computing, self.shards
        if not computing.on_gpu or not isinstance(self.trained, OwnNetwork) or any(one.expert for one in shards.values()):
            return None
        if self._on_gpu is None or self._on_gpu[0] != self.value_only:
            self._on_gpu = None  # its rows go before the new ones come
            moments = torch.ones(2, device=computing.device)
            policy = self.trained.policy(self.trained.rulesets[0])
            settings, value_only = self.settings, self.value_only

            def loss(rows: list[Tensor], row_weights: Tensor) -> tuple[Tensor, Tensor]:
                return ppo_loss(policy, Samples(*rows), moments[0], moments[1], settings, value_only, row_weights)

            parts = {number: shard.buffer.columns for number, shard in shards.items()}
            self._on_gpu = value_only, moments, GradientsOnGPU(parts, loss, parameters, computing.device)
        _, moments, found = self._on_gpu
        moments.copy_(torch.tensor([mean, spread]))
        found.bring({number: shard.buffer.size for number, shard in shards.items()})
        return found

    def _gradients(
        self, shard: Shard, rows: np.ndarray, size: int, mean: float, spread: float, learning: Sequence[str]
    ) -> list[Tensor]:
        """Gradients of some rows' part in the loss of a minibatch of `size`, and its figures."""
        data, settings = shard.buffer.take(rows), self.settings
        policy = self.trained.policy(shard.ruleset)
        loss, figures = ppo_loss(policy, data, mean, spread, settings, self.value_only)
        own = dict(policy.named_parameters())
        if self.value_only:
            own = {name: own[name] for name in of_value(list(own))}
        if shard.expert is not None and not self.value_only:
            part = len(rows) / (len(shard.buffer.learnable()) * settings.n_epochs)
            count = shard.expert.due(part * settings.expert_replays)
            if count:
                lesson = shard.expert.draw(count, shard.buffer.device)
                seen = evaluate(policy, lesson.observations, lesson.action_masks)
                label_loss = loss_of(lesson, *seen, settings.vf_coef)
                loss = loss + settings.expert_coef * count * label_loss
                figures[EXPERT_LOSS], figures[LABELS_DRAWN] = count * label_loss.detach(), count
        found = dict(zip(own, torch.autograd.grad(loss / size, list(own.values()))))
        return [*self.trained.pull_back(shard.ruleset, found, learning), figures / size]

    def _of_games(self, told: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        """What the games say that ended; the leagues hear of them in the order of the shards."""
        figures = {}
        for league, one in zip(self.leagues, told):
            for opponent, ahead in one["ahead"]:
                league.note(opponent, ahead)
        ended = sum(one["ended"] for one in told)
        if ended:
            figures["games/points"] = sum(one["points"] for one in told) / ended
            figures["games/truncated"] = sum(one["truncated"] for one in told) / ended
        leagues = dict.fromkeys(self.leagues)
        for league in leagues:
            where = f" on {league.ruleset}" if len(leagues) > 1 else ""
            for number, label in league.labels.items():
                opponent = league.opponents[number]
                if opponent.games:
                    figures[f"league/ahead of {label}{where}"] = opponent.share
        return figures

    def _of_learning(self, means: dict[str, float], sizes: Sequence[int]) -> dict[str, float]:
        explained = self._explained("returns", "errors", sizes)
        ends = self._explained("outcomes", "misses", [one["foreseen"] for one in self._told])
        return {
            **dict(zip(LOSSES, means.values())),
            "train/learning_rate": self.rate,
            "train/explained_variance": explained or 0.0,
            **({} if ends is None else {"train/explained_variance_of_ends": ends}),
            **{f"time/seconds of {name}": seconds for name, seconds in self.seconds.items()},
        }

    def _explained(self, what: str, left: str, sizes: Sequence[int]) -> float | None:
        """The share of a variance that the value explains; None where there is none."""
        if not sum(sizes):
            return None
        _, spread = _moments([one[what] for one in self._told], sizes)
        _, unexplained = _moments([one[left] for one in self._told], sizes)
        return 1 - unexplained / spread if spread > 0 else None


def ppo_loss(
    policy: MaskableActorCriticPolicy, data: Samples, mean: float | Tensor, spread: float | Tensor, settings: Settings,
    value_only: bool, weights: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The loss of some rows, and what `FIGURES` names, both summed over the rows, each by its weight; of labels, which have no
    part here, 0 and that there are 0.

    Args:
        mean, spread: by which advantages are normalised.
        value_only: the loss is the value's alone.
        weights: (N,) float32; None: each row counts 1.
    """

    def total(one: Tensor) -> Tensor:
        return one.sum() if weights is None else (one * weights).sum()

    logits, values = evaluate(policy, data.observations, data.action_masks)
    logits = logits.log_softmax(1)
    log_prob = logits.gather(1, data.actions[:, None])[:, 0]
    advantages = (data.advantages - mean) / spread
    log_ratio = log_prob - data.old_log_prob
    ratio = log_ratio.exp()
    clip = settings.clip_range
    policy_loss = -total(torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)))
    value_loss = total((data.returns - values).square())
    surprise = logits.softmax(1) * logits
    entropy = -total(surprise if weights is None else surprise.sum(1))
    loss = settings.vf_coef * value_loss
    if not value_only:
        loss = loss + settings.policy_coef * policy_loss - settings.ent_coef * entropy
    with torch.no_grad():
        kl = total(ratio - 1 - log_ratio)
        clipped = total(((ratio - 1).abs() > clip).float())
        none = torch.zeros_like(kl)
        figures = torch.stack([policy_loss, value_loss, entropy, kl, clipped, none, none])
    return loss, figures


def _told(shard: Shard) -> dict[str, Any]:
    """What a shard says of its rollout to all ranks."""
    buffer, rows = shard.buffer, shard.buffer.learnable()
    returns, values = buffer.returns[rows].astype(np.float64), buffer.values[rows]
    outcomes = buffer.outcomes[rows].astype(np.float64)
    ended = ~np.isnan(outcomes)
    return {
        "rows": buffer.size - buffer.waiting, "learnable": len(rows),
        "advantages": _sums(buffer.advantages[rows].astype(np.float64)),
        "returns": _sums(returns), "errors": _sums(returns - values), "foreseen": int(ended.sum()),
        "outcomes": _sums(outcomes[ended]), "misses": _sums((outcomes - values)[ended]), "ended": len(shard.results),
        "points": float(sum(one["scores"][TOTAL] for one in shard.results)),
        "truncated": sum(one["truncated"] for one in shard.results),
        "ahead": [[opponent, ahead] for one in shard.results for opponent, ahead in one["ahead"].items()],
    }  # fmt: skip


def _sums(numbers: np.ndarray) -> list[float]:
    return [float(numbers.sum()), float(np.square(numbers).sum())]


def _moments(sums: Sequence[Sequence[float]], sizes: Sequence[int]) -> tuple[float, float]:
    """Mean and variance of numbers of which each part told its sums, added in the order of the parts."""
    count = sum(sizes)
    mean = sum(one[0] for one in sums) / count
    return mean, max(0.0, sum(one[1] for one in sums) / count - mean * mean)
