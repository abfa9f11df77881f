"""What is measured in this process: the engine alone, `HansaBatch`, the front ends, learning."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import numpy as np

from hansa_agents import Bot
from hansa_benchmarks.peers.measure import aec_player, no_collection, rates
from hansa_benchmarks.play import PARTS, RULESET, RandomPlay, Trace
from hansa_benchmarks.rows import Row, Scale, in_turns
from hansa_env import Game, Ruleset
from hansa_env.api.registration import SINGLE_SEAT_ID

ENVS = 256
BOT_GAMES = 64
#: From this batch size on a decision should cost the same.
FLAT = 64


def engine_rows(scale: Scale) -> Iterator[Row]:
    """Random play in one compiled call: mask, pick and step, without the mask, and in two threads."""
    n, each = scale.main, max(1, scale.warm // 5)
    play, half = RandomPlay(n, scale.warm).play, n // 2
    many, one = np.full(n, each), np.ones(n, np.int64)
    words = f"{n:,} games, {each} decisions of one, then of the next"
    for key, what, counts, with_mask in (
        ("mask", f"mask, pick, step: {words}", many, True),
        ("pick", f"pick, step: {words}", many, False),
        ("sweep", f"mask, pick, step: {n:,} games, one decision each per call", one, True),
    ):
        work = lambda counts=counts, with_mask=with_mask: play(counts, with_mask, 0, n)  # noqa: E731
        samples = rates(work, *scale.sampling)
        yield Row(f"engine/{key}", what, samples, reference="peers/open_spiel/chess")
    with ThreadPoolExecutor(1) as pool:
        taken = np.zeros(2)  # seconds of cores, and of the clock

        def on_both() -> int:
            began = np.array([time.process_time(), time.perf_counter()])
            other = pool.submit(play, many, True, half, n)
            played = play(many, True, 0, half) + other.result()
            taken[:] += np.array([time.process_time(), time.perf_counter()]) - began
            return played

        samples = rates(on_both, *scale.sampling)
        note = f"had {taken[0] / taken[1]:.1f} cores"
        yield Row("engine/both", f"mask, pick, step: {n:,} games, two threads", samples, reference="engine/mask", note=note)


def batch_rows(scale: Scale, sizes_only: bool = False) -> Iterator[Row]:
    """Recorded play at every size; then, unless `sizes_only`, two threads, greedy, the other boards and all modules, and the
    limit that memory sets."""
    traces = {size: Trace(size, scale.trace // (8 if size < 64 else 1), scale.warm) for size in scale.sizes}
    turns: list[tuple[Row, Callable[[], float]]] = []
    for size, trace in traces.items():
        for parts, peer in ((1, None), (2, None), (3, "peers/pgx/chess")):
            row = Row(f"batch/{size}/{parts}", f"batch of {size:,}: {' + '.join(PARTS[:parts])}", reference=peer)
            turns.append((row, partial(trace.replay, parts)))
    one = f"batch/{scale.both}/3"
    if not sizes_only:
        greedy = Trace(scale.main, scale.trace, warm=0, agent="greedy")
        turns.append((Row("batch/greedy", f"batch of {scale.main:,}: whole games of greedy, all three"), greedy.replay))
        two = Trace(scale.both, scale.trace, scale.warm, threads=2)
        turns.append((Row(f"{one}/both", f"batch of {scale.both:,}, threads=2: all three", reference=one), two.replay))
        for name, ruleset in beyond_the_base_game().items():
            row = Row(f"batch/{name}", f"batch of {scale.main:,}, {ruleset}: all three", reference=f"batch/{scale.main}/3")
            turns.append((row, Trace(scale.main, scale.trace, scale.warm, ruleset=ruleset).replay))
    yield from in_turns(turns, scale.repeats, scale.turn)
    if sizes_only:
        return
    rows = {row.key: row for row, _ in turns}
    gains = [a / b for a, b in zip(rows[f"{one}/both"].samples, rows[one].samples)]
    yield Row("batch/both", f"two threads over one, batch of {scale.both:,}", gains, "×")
    cost = {size: 1 / float(np.median(rows[f"batch/{size}/3"].samples)) for size in scale.sizes if size >= FLAT}
    dear, cheap = max(cost, key=cost.__getitem__), min(cost, key=cost.__getitem__)
    words = f"dearest decision (batch of {dear:,}) over cheapest ({cheap:,}), from {FLAT} games on"
    yield Row("batch/flat", words, [cost[dear] / cost[cheap]], "×")
    for size in dict.fromkeys((scale.main, scale.sizes[-1])):
        yield _limit(traces[size], size, scale)
    for name, array in (("state", trace.batch.games), ("mask", trace.mask), ("observation", trace.view)):
        yield Row(f"batch/bytes/{name}", f"{name} of a game", [array.nbytes / len(array)], "bytes")


def beyond_the_base_game() -> dict[str, Ruleset]:
    """The other boards for as many players, and all modules at once on the board that is measured throughout."""
    players = RULESET.players
    return {
        "east": Ruleset(players, board="east"),
        "britannia": Ruleset(players, board="britannia-4-5"),
        "modules": Ruleset(players, missions=True, favours=True, pile="promos"),
    }


def _limit(trace: Trace, size: int, scale: Scale) -> Row:
    """State, mask and observation each copied once: no step that reads and writes them can be faster."""
    pairs = [(array, np.empty_like(array)) for array in (trace.batch.games.view(np.uint8), trace.mask, trace.view)]

    def copy() -> int:
        for source, target in pairs:
            np.copyto(target, source)
        return size

    words = f"limit: copying {sum(source.nbytes for source, _ in pairs) // size:,} bytes each, batch of {size:,}"
    return Row(f"batch/copy/{size}", words, rates(copy, *scale.sampling), reference=f"batch/{size}/3")


def front_end_rows(scale: Scale) -> Iterator[Row]:
    """AEC, Gymnasium alone and vectorised, Stable-Baselines3; opponents play at random inside the step."""
    import gymnasium

    from hansa_env import hansa_teutonica_v0

    players, envs = RULESET.players, min(ENVS, scale.main)
    for kind, make in (("raw", hansa_teutonica_v0.raw_env), ("wrapped", hansa_teutonica_v0.env)):
        samples = rates(aec_player(make(players=players)), *scale.sampling)
        yield Row(f"front ends/aec {kind}", "last, random pick, step", samples, "turns/s", "peers/pettingzoo/chess")
    env = gymnasium.make(SINGLE_SEAT_ID, players=players).unwrapped
    yield Row("front ends/gymnasium", "step with masks", _stepped(env, scale), "steps/s")
    many = gymnasium.make_vec(SINGLE_SEAT_ID, num_envs=envs, players=players).unwrapped
    yield Row("front ends/vector", f"Gymnasium vector of {envs}, step with masks", _stepped(many, scale), "steps/s")
    row = Row("front ends/sb3", f"Stable-Baselines3 VecEnv of {envs}, step with masks", unit="steps/s")
    try:
        from hansa_env.sb3 import HansaVecEnv

        row.samples = _stepped(HansaVecEnv(envs, RULESET), scale)
    except ImportError as error:
        row.note = f"not installed: {error.name}"
    yield row


def alike_rows(scale: Scale) -> Iterator[Row]:
    """What is like what peers are measured by, in seconds that this process had a core: random play in compiled code, in a
    batch from Python with mask and observation, and by PettingZoo's AEC interface."""
    from hansa_env import hansa_teutonica_v0

    n, clock = scale.main, time.process_time
    many = np.full(n, max(1, scale.warm // 5))
    random_play = RandomPlay(n, scale.warm)
    words = f"compiled: mask, random decision, step and new games, {n:,} games"
    yield Row("ours/compiled", words, rates(lambda: random_play.play(many, True, 0, n), *scale.sampling, clock=clock))
    batch, rng, actions = random_play.batch, np.random.default_rng(0), np.zeros(n, np.int64)
    mask, view = batch.action_mask.copy(), batch.observe()

    def choose() -> None:
        actions[...] = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1)

    def step() -> int:
        batch.step(actions)
        batch.write_mask(mask)
        batch.observe(view)
        return n

    words = f"from Python: step, mask and observation, batch of {n:,}; choosing at random is not timed"
    yield Row("ours/batch", words, rates(step, *scale.sampling, before=choose, clock=clock))
    player = aec_player(hansa_teutonica_v0.env(players=RULESET.players))
    yield Row("ours/aec", "PettingZoo's AEC interface, random play", rates(player, *scale.sampling, clock=clock), "turns/s")


class ChoosesAtRandom(Bot):
    """The shortest bot: any legal decision."""

    def choose(self, game: Game, random: Random) -> str:
        return random.choice(game.legal())


def agent_rows(scale: Scale) -> Iterator[Row]:
    """How fast bots answer that are written by hand, one game at a time."""
    count = min(BOT_GAMES, scale.main)
    batch, bot = RandomPlay(count, scale.warm).batch, ChoosesAtRandom(RULESET, 1)
    masks, seats = batch.action_mask.copy(), batch.seat.copy()

    def answer() -> int:
        bot.act(batch.games, masks, seats)
        return count

    words = f"Bot that chooses among game.legal() at random, {count:,} games a call"
    yield Row("agents/bot", words, rates(answer, *scale.sampling))


def _stepped(env: Any, scale: Scale) -> list[float]:
    """Steps per second of an environment with `action_masks`; choosing among what is legal is not timed."""
    env.reset()
    rng, masks = np.random.default_rng(0), [env.action_masks()]
    actions = np.zeros(masks[0].shape[:-1], np.int64)

    def choose() -> None:
        actions[...] = (rng.random(masks[0].shape, np.float32) * masks[0]).argmax(axis=-1)

    def step() -> int:
        ends = env.step(actions)[2:4]
        if not actions.ndim and any(ends):
            env.reset()
        masks[0] = env.action_masks()
        return actions.size

    return rates(step, *scale.sampling, before=choose)


def learning_rows(scale: Scale) -> Iterator[Row]:
    """Steps per second of MaskablePPO on one core: rollouts, training on them, both together."""
    envs, steps, epochs, minibatch = scale.ppo
    try:
        seconds, note = _learn(scale), ""
    except ImportError as error:
        seconds, note = np.zeros((2, 0)), f"not installed: {error.name}"
    for phase, word, taken in (("rollout", "rollouts", seconds[0]), ("train", "training", seconds[1]),
                               ("whole", "both", seconds.sum(axis=0))):  # fmt: skip
        words = f"MaskablePPO, {word}: {envs} environments × {steps} steps, {epochs} epochs of {minibatch}"
        yield Row(f"learning/{phase}", words, (envs * steps / taken).tolist(), "steps/s", note=note)


def _learn(scale: Scale) -> np.ndarray:
    """Seconds (2, repeats) of rollouts and of training on them."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger

    from hansa_env.sb3 import HansaVecEnv

    def clocked(call: Callable[..., Any], times: list[float]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            began = time.perf_counter()
            result = call(*arguments, **options)
            times.append(time.perf_counter() - began)
            return result

        return run

    envs, steps, epochs, minibatch = scale.ppo
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model = MaskablePPO(
            "MlpPolicy", HansaVecEnv(envs, RULESET), n_steps=steps, n_epochs=epochs, batch_size=minibatch, seed=0,
            device="cpu", policy_kwargs={"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
        )  # fmt: skip
        model.set_logger(Logger(None, []))  # its own would leave an empty folder
        rollouts: list[float] = []
        trainings: list[float] = []
        model.collect_rollouts, model.train = clocked(model.collect_rollouts, rollouts), clocked(model.train, trainings)  # type: ignore[method-assign]
        with no_collection():
            model.learn(envs * steps * (scale.repeats + 1))
    finally:
        torch.set_num_threads(threads)
    return np.array([rollouts, trainings])[:, 1:]  # the first ones warm up
