"""End to end: MaskablePPO on one core, with the settings of `hansa train`, and on CartPole beside it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from hansa_benchmarks.play import RULESET
from hansa_benchmarks.rows import Row, Scale
from hansa_benchmarks.timing import no_collection

STEPS = "steps/s"
PHASES = {"rollout": "rollout", "train": "training", "whole": "both"}


def rows(scale: Scale) -> Iterator[Row]:
    """Steps per second of rollouts, of training on them, and of both together."""
    envs, steps, epochs, minibatch = scale.ppo
    setting = f"{envs} environments × {steps} steps, {epochs} epochs of {minibatch}"
    for key, what, measure in (("", "random opponents", _hansa), ("cartpole/", "CartPole-v1", _cartpole)):
        found = [
            Row(f"learning/{key}{phase}", f"MaskablePPO, {what}: {word}", setting, STEPS)
            for phase, word in PHASES.items()
        ]
        try:
            with no_collection():
                samples = measure(scale)
        except ImportError as error:
            for row in found:
                row.skipped = f"not installed: {error.name or error}"
        else:
            for row, phase in zip(found, PHASES):
                row.samples = samples[phase]
                row.reference = None if key else f"learning/cartpole/{phase}"
        yield from found


def _hansa(scale: Scale) -> dict[str, list[float]]:
    from hansa_env.sb3 import HansaVecEnv
    from hansa_training.policy import POLICY_KWARGS

    return _learn(HansaVecEnv(scale.ppo[0], RULESET), POLICY_KWARGS, True, scale)


def _cartpole(scale: Scale) -> dict[str, list[float]]:
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    from hansa_training.policy import POLICY_KWARGS

    env = DummyVecEnv([lambda: gymnasium.make("CartPole-v1")] * scale.ppo[0])
    kwargs = {name: value for name, value in POLICY_KWARGS.items() if name != "features_extractor_class"}
    return _learn(env, kwargs, False, scale)


def _learn(env, policy_kwargs: dict, masked: bool, scale: Scale) -> dict[str, list[float]]:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    class Clock(BaseCallback):
        """When each rollout began and ended."""

        def __init__(self) -> None:
            super().__init__()
            self.times: list[float] = []

        def _on_rollout_start(self) -> None:
            self.times.append(time.perf_counter())

        def _on_rollout_end(self) -> None:
            self.times.append(time.perf_counter())

        def _on_step(self) -> bool:
            return True

    envs, steps, epochs, minibatch = scale.ppo
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=steps, n_epochs=epochs, batch_size=minibatch, policy_kwargs=policy_kwargs,
            seed=0, device="cpu",
        )  # fmt: skip
        clock = Clock()
        model.learn(envs * steps * (scale.rollouts + 1), callback=clock, use_masking=masked)
        ended = time.perf_counter()
    finally:
        torch.set_num_threads(threads)
    times = np.array([*clock.times, ended])
    began, between, after = times[:-1:2], times[1::2], times[2::2]
    taken = {"rollout": between - began, "train": after - between, "whole": after - began}
    return {phase: list(envs * steps / seconds[1:]) for phase, seconds in taken.items()}  # the first one warms up
