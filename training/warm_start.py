"""A warm start from teachers: DAgger (Ross, Gordon, Bagnell 2011).

Games are played by the teacher in part, and by the learner, who plays what seems likeliest to it; every state met is
labelled with what the teacher would do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor
from torch.nn.functional import cross_entropy

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.play.agents import ask_agents
from hansa_env.play.arguments import MAX_TURNS
from hansa_training.descent import descend, part_by_part
from hansa_training.networks import evaluate
from hansa_training.networks.recorded import Inference
from hansa_training.networks.trained import OwnNetwork, Trained
from hansa_training.on_gpu import GradientsOnGPU
from hansa_training.ranks import ALONE, Ranks
from hansa_training.state import contents, optimizer_state, set_contents, set_optimizer_state, within
from hansa_training.workers import Workers, split_evenly

LEARNING_RATE = 2e-3
#: The last of the learning rate, as a share of the first.
LAST = 0.05
ROWS = 2048
PASSES = 2
#: Share of the games that the teacher plays, at the beginning; at the end it plays none.
TEACHER_PLAYS = 0.5


class Lesson:
    """A shard of the games of one ruleset: plays them, and keeps what was seen and what the teacher said."""

    def __init__(
        self, ruleset: Ruleset, games: int, ticks: int, seed: int, max_turns: int, teacher: str, device: torch.device
    ) -> None:
        self.ruleset, self.inference = ruleset, Inference(ruleset, games, device)
        self.batch = HansaBatch(games, ruleset, seed, max_turns, autoreset=True)
        self.teacher = make_agent(teacher, ruleset, seed)
        self.random = np.random.default_rng(seed)
        self.observations = np.empty((ticks, games, self.batch.observation_size), np.int8)
        self.masks = np.empty((ticks, games, self.batch.num_actions), np.bool_)
        self.labels = np.empty((ticks, games), np.int64)

    @torch.no_grad()
    def collect(
        self, policy: MaskableActorCriticPolicy, teacher_plays: float, check: Callable[[], None] = lambda: None
    ) -> None:  # fmt: skip
        """Play `ticks` decisions of every game; the teacher plays that share of the games. `check` is called before each, and
        may raise."""
        batch, everyone = self.batch, np.zeros(self.batch.num_games, np.int64)
        by_teacher = self.random.random(batch.num_games) < teacher_plays
        for observations, masks, labels in zip(self.observations, self.masks, self.labels):
            check()
            batch.observe(observations)
            batch.write_mask(masks)
            labels[:] = ask_agents([self.teacher], everyone, batch.ruleset, batch.games)
            logits, _ = self.inference(policy, observations, masks)
            batch.step(np.where(by_teacher, labels, logits.argmax(1).numpy()))

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """What was seen, what was legal and what the teacher said, a row for each decision."""
        count = self.labels.size
        return self.observations.reshape(count, -1), self.masks.reshape(count, -1), self.labels.reshape(count)

    def gradients(self, trained: Trained, rows: np.ndarray, size: int) -> list[Tensor]:
        """Gradients of some rows' part in the loss of a minibatch of `size`, and how many choices were the teacher's."""
        policy = trained.policy(self.ruleset)
        given = [torch.from_numpy(one[rows]).to(policy.device) for one in self.columns]
        loss, same = copying_loss(policy, *given)
        own = dict(policy.named_parameters())
        found = torch.autograd.grad(loss / size, list(own.values()), allow_unused=True, materialize_grads=True)
        return [*trained.pull_back(self.ruleset, dict(zip(own, found)), list(trained.weights)), same]


def copying_loss(
    policy: MaskableActorCriticPolicy, seen: Tensor, legal: Tensor, labels: Tensor, weights: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The cross entropy of labels (K,), summed over rows, each by its weight; and of how many rows they are the likeliest."""
    logits, _ = evaluate(policy, seen, legal)
    same = logits.argmax(1) == labels
    if weights is None:
        return cross_entropy(logits, labels, reduction="sum"), same.sum().float()
    return (weights * cross_entropy(logits, labels, reduction="none")).sum(), (same & (weights > 0)).sum().float()


class Imitation:
    """Trains the policy of what learns, round by round, on decisions that teachers label.

    Args:
        trained: what learns.
        teachers: by spec, of each ruleset.
        decisions: how many labelled decisions there are to be.
        games, ticks: a round is `ticks` decisions of each of `games` games.
        shards: into how many parts the games of each ruleset are split.

    Attributes:
        done: decisions labelled so far; share: of the teacher's choices copied in the last round.
    """

    def __init__(
        self,
        trained: Trained,
        teachers: Mapping[Ruleset, str],
        decisions: int,
        seed: int,
        *,
        games: int = 512,
        ticks: int = 32,
        max_turns: int = MAX_TURNS,
        shards: int = 1,
        workers: Workers | None = None,
        ranks: Ranks = ALONE,
    ) -> None:
        self.trained, self.decisions, self.workers = trained, decisions, workers or Workers(1)
        self.ranks, self.sizes = ranks, [size * ticks for size in split_evenly(games, len(trained.rulesets) * shards)]
        several = list(trained.rulesets) * shards
        self.lessons = {
            i: Lesson(
                several[i],
                self.sizes[i] // ticks,
                ticks,
                seed + 7919 * i,
                max_turns,
                teachers[several[i]],
                trained.computing.device,
            )
            for i in ranks.own(len(several))
        }
        self.optimizer = torch.optim.Adam(trained.weights.values(), LEARNING_RATE, fused=trained.computing.on_gpu or None)
        self.done, self.share = 0, 0.0
        self._on_gpu: GradientsOnGPU | None = None
        if trained.computing.on_gpu and isinstance(trained, OwnNetwork):
            policy = trained.policy(trained.rulesets[0])

            def loss(rows: list[Tensor], weights: Tensor) -> tuple[Tensor, Tensor]:
                seen, legal, labels = rows
                return copying_loss(policy, seen, legal, labels, weights)

            parts = {i: lesson.columns for i, lesson in self.lessons.items()}
            parameters = list(trained.weights.values())
            self._on_gpu = GradientsOnGPU(parts, loss, parameters, trained.computing.device)

    @property
    def finished(self) -> bool:
        return self.done >= self.decisions

    def round(self) -> None:
        """Collect and learn from one round."""
        teacher_plays = TEACHER_PLAYS * (1.0 - self.done / self.decisions)
        for group in self.optimizer.param_groups:
            group["lr"] = LEARNING_RATE * max(LAST, 1 - self.done / self.decisions)
        check, trained = self.workers.check, self.trained
        self.workers.map(lambda one: one.collect(trained.policy(one.ruleset), teacher_plays, check), self.lessons.values())
        self.share = self._fit()
        self.done += sum(self.sizes)

    def _fit(self) -> float:
        parameters = list(self.trained.weights.values())
        total, batches = sum(self.sizes), max(1, round(sum(self.sizes) / ROWS))
        copied: list[np.ndarray] = []
        on_gpu = self._on_gpu
        if on_gpu:
            on_gpu.bring({i: lesson.labels.size for i, lesson in self.lessons.items()})
        gradients = on_gpu or part_by_part(
            self.workers, lambda part, rows, size: self.lessons[part].gradients(self.trained, rows, size)
        )

        before = self.done // total * PASSES
        for number in range(PASSES):
            order = {i: lesson.random.permutation(lesson.labels.size) for i, lesson in self.lessons.items()}
            copied = descend(
                gradients, parameters, order, batches, self._step, ranks=self.ranks, sizes=self.sizes, told=1,
                at_once=self.trained.parts_at_once, number=before + number, together=on_gpu is not None,
            )  # fmt: skip
        return float(np.sum(copied)) / total

    def _step(self) -> None:
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.trained.refresh()

    def state(self) -> dict[str, Any]:
        """Everything but the policy's weights, as `hansa_training.state` keeps it."""
        return {
            "done": self.done,
            "share": self.share,
            "games": self.ranks.concatenate([contents(lesson.batch) for lesson in self.lessons.values()]),
            "random": self.ranks.concatenate([lesson.random.bit_generator.state for lesson in self.lessons.values()]),
            "optimiser": optimizer_state(self.optimizer),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there. Raises `RunError` where the games do not fit this version."""
        self.done, self.share = within("done", state["done"], 0, self.decisions), within("share", state["share"], 0, 1)
        for i, lesson in self.lessons.items():
            set_contents(lesson.batch, state["games"][i])
            lesson.random.bit_generator.state = state["random"][i]
        set_optimizer_state(self.optimizer, state["optimiser"])
