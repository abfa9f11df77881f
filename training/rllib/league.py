"""A frozen copy of the learner that joins the tables of an RLlib run."""

from __future__ import annotations

import zlib
from typing import Any

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.callbacks.callbacks import RLlibCallback

from hansa_training.networks import set_weights, weights_of

LEARNER, SNAPSHOT = "learner", "snapshot"


def who_plays(agent: str, episode: Any, players: int, **_: Any) -> str:
    """The module of an agent: in half of the episodes the learner has one seat and the snapshot the others, else every seat."""
    draw = zlib.crc32(str(episode.id_).encode())
    return LEARNER if draw % 2 or agent == f"player_{draw // 2 % players}" else SNAPSHOT


def renew(process: Any) -> None:
    """In a process that learns or plays: the snapshot becomes what the learner is now."""
    set_weights(process.module[SNAPSHOT].unwrapped().policy, weights_of(process.module[LEARNER].unwrapped().policy))


class League(RLlibCallback):
    """After every so many iterations the snapshot becomes what the learner is now, in every process."""

    every = 10

    def on_train_result(self, *, algorithm: Algorithm, **_: Any) -> None:
        if algorithm.iteration % self.every == 0:
            algorithm.learner_group.foreach_learner(renew)
            algorithm.env_runner_group.foreach_env_runner(renew)
