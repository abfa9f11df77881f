"""A frozen copy of the learner that joins the tables of an RLlib run."""

from __future__ import annotations

import zlib
from typing import Any

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.callbacks.callbacks import RLlibCallback

LEARNER, SNAPSHOT = "learner", "snapshot"


def who_plays(agent: str, episode: Any, players: int, **_: Any) -> str:
    """The module of an agent: in half of the episodes the learner has one seat and the snapshot the others, else every seat."""
    draw = zlib.crc32(str(episode.id_).encode())
    return LEARNER if draw % 2 or agent == f"player_{draw // 2 % players}" else SNAPSHOT


class League(RLlibCallback):
    """After every so many iterations the snapshot becomes what the learner is now."""

    every = 10

    def on_train_result(self, *, algorithm: Algorithm, result: dict, **_: Any) -> None:
        if algorithm.iteration % self.every == 0:
            now = algorithm.get_module(LEARNER).get_state()
            algorithm.set_state({"learner_group": {"learner": {"rl_module": {SNAPSHOT: now}}}})
            result["snapshot of iteration"] = algorithm.iteration
