"""The interfaces of other libraries over the same engine, each beside an environment that its users know."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from hansa_benchmarks.peers.aec_play import player
from hansa_benchmarks.play import RULESET
from hansa_benchmarks.rows import Aim, Row, Scale, attempt
from hansa_benchmarks.timing import no_collection, rates

PLAYERS = RULESET.players
STEPS, STEP, TURN = "steps/s", "random pick, step", "last, random pick, step"
ENVS = 256
NOTE = "a step is a decision of the learner and of each opponent, about 5"
#: A function that steps once, and one that chooses the next actions, which is not timed.
Pair = tuple[Callable[[], object], Callable[[], object]]


def rows(scale: Scale) -> Iterator[Row]:
    """AEC, Gymnasium alone and vectorised, Stable-Baselines3, and CartPole by the same means."""
    yield from own_rows(scale)
    yield from cartpole_rows(scale)


def own_rows(scale: Scale) -> Iterator[Row]:
    """Ours; opponents play at random inside the step."""
    envs = min(ENVS, scale.main)
    for kind, aim in (("raw", Aim(30_000)), ("wrapped", None)):
        row = Row(f"front ends/aec {kind}", f"PettingZoo AEC, {kind}", TURN, "turns/s", "peers/pettingzoo/chess", aim)
        yield attempt(row, lambda kind=kind: _aec(kind, scale))
    row = Row("front ends/gymnasium", "Gymnasium, random opponents", STEP, STEPS, "front ends/cartpole/gymnasium")
    row.note = NOTE
    yield attempt(row, lambda: _single(scale))
    for key, make, what in (("vector", _vector, "Gymnasium vector"), ("sb3", _sb3, "Stable-Baselines3 VecEnv")):
        row = Row(f"front ends/{key}", f"{what}, random opponents", f"{envs} environments, step and masks", STEPS)
        row.reference, row.note = f"front ends/cartpole/{key}", NOTE
        yield attempt(row, lambda make=make: _stepped(make(envs), envs, scale))


def cartpole_rows(scale: Scale) -> Iterator[Row]:
    """What users of Gymnasium and Stable-Baselines3 know."""
    envs = min(ENVS, scale.main)
    row = Row("front ends/cartpole/gymnasium", "Gymnasium: CartPole-v1", STEP, STEPS)
    yield attempt(row, lambda: _cartpole(scale))
    for key, make, what in (
        ("vector", _cartpole_vector, "Gymnasium vector: CartPole-v1"),
        ("sb3", _cartpole_sb3, "Stable-Baselines3 DummyVecEnv: CartPole-v1"),
    ):
        row = Row(f"front ends/cartpole/{key}", what, f"{envs} environments, step", STEPS)
        yield attempt(row, lambda make=make: _stepped(make(envs), envs, scale))


def _aec(kind: str, scale: Scale) -> list[float]:
    from hansa_env import hansa_teutonica_v0

    make = hansa_teutonica_v0.raw_env if kind == "raw" else hansa_teutonica_v0.env
    return rates(player(make(players=PLAYERS), 200), 200, scale.repeats, scale.seconds)


def _single(scale: Scale) -> list[float]:
    from hansa_env.single_seat import HansaTeutonicaEnv

    env = HansaTeutonicaEnv(players=PLAYERS, opponents="random")
    env.reset(seed=0)
    rng = np.random.default_rng(0)

    def play() -> None:
        for _ in range(50):
            legal = np.flatnonzero(env.action_masks())
            _, _, terminated, truncated, _ = env.step(int(legal[int(rng.random() * len(legal))]))
            if terminated or truncated:
                env.reset()

    return rates(play, 50, scale.repeats, scale.seconds)


def _cartpole(scale: Scale) -> list[float]:
    import gymnasium

    env = gymnasium.make("CartPole-v1")
    env.reset(seed=0)
    rng = np.random.default_rng(0)

    def play() -> None:
        for _ in range(200):
            _, _, terminated, truncated, _ = env.step(int(rng.random() * 2))
            if terminated or truncated:
                env.reset()

    return rates(play, 200, scale.repeats, scale.seconds)


def masked_pair(env, actions: np.ndarray) -> Pair:
    """Steps of a vector environment with `action_masks`, choosing at random among what is legal."""
    rng = np.random.default_rng(0)
    masks = [env.action_masks()]

    def choose() -> None:
        actions[:] = (rng.random(masks[0].shape, np.float32) * masks[0]).argmax(axis=1)

    def step() -> None:
        env.step(actions)
        masks[0] = env.action_masks()

    return step, choose


def _vector(envs: int) -> Pair:
    from hansa_env.vector import HansaTeutonicaVectorEnv

    env = HansaTeutonicaVectorEnv(envs, players=PLAYERS, opponents="random")
    env.reset(seed=0)
    return masked_pair(env, np.zeros(envs, np.int64))


def _sb3(envs: int) -> Pair:
    from hansa_env.sb3 import HansaVecEnv

    env = HansaVecEnv(envs, RULESET)
    env.reset()
    return masked_pair(env, np.zeros(envs, np.int64))


def _unmasked_pair(env, envs: int) -> Pair:
    rng = np.random.default_rng(0)
    actions = np.zeros(envs, np.int64)
    return lambda: env.step(actions), lambda: np.copyto(actions, rng.integers(0, 2, envs))


def _cartpole_vector(envs: int) -> Pair:
    import gymnasium

    env = gymnasium.make_vec("CartPole-v1", envs, vectorization_mode="vector_entry_point")
    env.reset(seed=0)
    return _unmasked_pair(env, envs)


def _cartpole_sb3(envs: int) -> Pair:
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    env = DummyVecEnv([lambda: gymnasium.make("CartPole-v1")] * envs)
    env.reset()
    return _unmasked_pair(env, envs)


def _stepped(pair: Pair, envs: int, scale: Scale) -> list[float]:
    """Steps per second, the choosing not counted."""
    step, choose = pair

    def sample() -> float:
        taken, calls = 0.0, 0
        while taken < scale.seconds:
            choose()
            began = time.perf_counter()
            step()
            taken += time.perf_counter() - began
            calls += 1
        return envs * calls / taken

    sample()
    with no_collection():
        return [sample() for _ in range(scale.repeats)]
