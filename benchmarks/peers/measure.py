"""Random play in others' games: `python measure.py PEER REPEATS SECONDS [cpu]`, by any interpreter that has the peer.

With `cpu` seconds are those that the process had a core, and not the clock's, for a machine that others use too.
Prints {"about": words, "rows": {game: [decisions/s, ...]}} or {"skipped": why}; imports nothing of ours.
"""

import gc
import importlib.metadata
import itertools
import json
import os
import random
import sys
import time
from contextlib import contextmanager

import numpy as np

BATCH, STEPS = 1024, 8


@contextmanager
def no_collection():
    """Garbage is collected before, not meanwhile."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def at_once():
    """Nobody else takes turns."""


def rates(play, repeats, seconds, turn=at_once, before=lambda: None, clock=time.perf_counter):
    """Samples of how much `play` does per second; it returns how much it did. A sample takes `seconds` at least.

    The first one warms up and is left out. `turn()` is called ahead of each sample, and waits until it may be taken;
    `before()` ahead of each call. Neither is timed.
    """
    samples = []
    for _ in range(repeats + 1):
        turn()
        made, taken = 0, 0.0
        with no_collection():
            while not made or taken < seconds:
                before()
                began = clock()
                made += play()
                taken += clock() - began
        samples.append(made / taken)
    return samples[1:]


def aec_player(env, turns=200):
    """A function that plays `turns` turns (last, a random legal action, step) by PettingZoo's AEC interface."""
    rng = random.Random(0)
    env.reset(seed=0)

    def play():
        for _ in range(turns):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
        return turns

    return play


def pettingzoo():
    """AEC, random play"""
    from pettingzoo.classic import chess_v6, connect_four_v3

    return {"chess": aec_player(chess_v6.env()), "connect_four": aec_player(connect_four_v3.env())}


def open_spiel():
    """whole games in C++ by uniform random bots"""
    import pyspiel

    bots, seeds = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)], itertools.count()

    def play(game):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return sum(entry.player >= 0 for entry in state.full_history())

    games = {name: pyspiel.load_game(name) for name in ("chess", "backgammon")}
    return {name: lambda game=game: play(game) for name, game in games.items()}


def pgx():
    """mask, random action, step and auto-reset in one jitted scan, batch 1,024, one CPU core"""
    if hasattr(os, "sched_setaffinity"):  # before JAX starts its threads
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental.wrappers import auto_reset

    def player(name):
        env = make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def advance(carry, _):
            state, key = carry
            key, of_action, of_step = jax.random.split(key, 3)
            actions = jax.random.categorical(of_action, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
            return (step(state, actions, jax.random.split(of_step, BATCH)), key), None

        run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, STEPS)[0])
        start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
        carry = [(start, jax.random.PRNGKey(1))]

        def play():
            carry[0] = jax.block_until_ready(run(carry[0]))
            return BATCH * STEPS

        return play

    return {name: player(name) for name in ("chess", "backgammon", "connect_four")}


def catanatron():
    """Settlers of Catan, whole games of four random players"""
    from catanatron import Color, Game, RandomPlayer

    colors, seeds = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE), itertools.count()

    def play():
        game = Game([RandomPlayer(color) for color in colors], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return {"random": play}


#: By the name of their distribution.
PEERS = {"pettingzoo": pettingzoo, "open_spiel": open_spiel, "pgx": pgx, "catanatron": catanatron}


def measure(peer, repeats, seconds, clock=time.perf_counter):
    """What this script prints."""
    try:
        plays = PEERS[peer]()
    except ImportError as error:
        return {"skipped": f"not installed: {error.name or error}"}
    rows = {game: rates(play, repeats, seconds, clock=clock) for game, play in plays.items()}
    return {"about": f"{peer} {importlib.metadata.version(peer)}, {PEERS[peer].__doc__}", "rows": rows}


if __name__ == "__main__":
    chosen = time.process_time if sys.argv[4:] == ["cpu"] else time.perf_counter
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), chosen)))
