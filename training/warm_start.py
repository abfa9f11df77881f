"""A warm start from a teacher: DAgger (Ross, Gordon, Bagnell 2011) against `greedy`'s choices.

Games are played by the learner and the teacher in turn; every state met is labelled with what the teacher would do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_training.agent import PPOAgent
from hansa_training.policy import logits

GAMES = 512
LEARNING_RATE = 1e-3
ROWS = 1024
TICKS = 32  # decisions per game and round
PASSES = 2


def imitate(
    policy: MaskableActorCriticPolicy,
    ruleset: Ruleset,
    decisions: int,
    seed: int,
    progress: Callable[[int, float], None],
    teacher: str = "greedy",
) -> float:
    """Train the policy's actor in place on so many labelled decisions; returns the share it copied in the last round.

    `progress(done, share)` is called after each round.
    """
    batch = HansaBatch(GAMES, ruleset, seed=seed, autoreset=True)
    expert = make_agent(teacher, ruleset, seed)
    learner = PPOAgent(policy, seed)
    rng = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    done, share = 0, 0.0
    while done < decisions:
        mixing = 1.0 - done / decisions  # share of games the teacher plays himself
        observations, masks, labels = _collect(batch, expert, learner, rng.random(GAMES) < mixing)
        share = _fit(policy, optimizer, observations, masks, labels, rng)
        done += len(labels)
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * max(0.05, 1 - done / decisions)
        progress(done, share)
    return share


def _collect(batch: HansaBatch, expert, learner: PPOAgent, by_teacher: np.ndarray) -> tuple[np.ndarray, ...]:
    """TICKS decisions of every game: observations, masks and the teacher's labels."""
    observations = np.empty((TICKS, GAMES, batch.observation_size), np.int8)
    masks = np.empty((TICKS, GAMES, batch.num_actions), np.bool_)
    labels = np.empty((TICKS, GAMES), np.int64)
    for tick in range(TICKS):
        batch.observe(observations[tick])
        batch.write_mask(masks[tick])
        labels[tick] = expert.act(batch.games, masks[tick], batch.seat)
        own = learner.act(observations[tick], masks[tick], batch.seat)
        batch.step(np.where(by_teacher, labels[tick], own))
    rows = TICKS * GAMES
    return observations.reshape(rows, -1), masks.reshape(rows, -1), labels.reshape(rows)


def _fit(policy, optimizer, observations, masks, labels, rng: np.random.Generator) -> float:
    policy.set_training_mode(True)
    right = 0
    for _ in range(PASSES):
        order = rng.permutation(len(labels))
        right = 0
        for start in range(0, len(order), ROWS):
            rows = order[start : start + ROWS]
            scores = logits(policy, torch.from_numpy(observations[rows]), torch.from_numpy(masks[rows]))
            target = torch.from_numpy(labels[rows])
            loss = torch.nn.functional.cross_entropy(scores, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += int((scores.argmax(1) == target).sum())
    policy.set_training_mode(False)
    return right / len(labels)
