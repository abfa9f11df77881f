"""Thousands of games at once, as NumPy arrays: masks, actions, rewards.

Run it: `python examples/batch_random.py --games 1024 --steps 2000`
"""

import argparse
import time

import numpy as np

from hansa_env import HansaBatch, Ruleset

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--players", type=int, default=4)
parser.add_argument("--games", type=int, default=1024)
parser.add_argument("--steps", type=int, default=2000)
parser.add_argument("--max-turns", type=int, default=50, help="turns per seat")
arguments = parser.parse_args()

# With autoreset a game that ends is dealt anew in the same step, so that every row always has a decision to take.
batch = HansaBatch(arguments.games, Ruleset(players=arguments.players), seed=1, max_turns=arguments.max_turns, autoreset=True)
rng = np.random.default_rng(0)
ended, wins = 0, np.zeros(arguments.players)
began = time.perf_counter()

for _ in range(arguments.steps):
    mask = batch.action_mask  # (N, A) bool: what the seat that decides in each game may do; overwritten by `step`
    actions = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1)  # (N,): a random legal action per game
    batch.step(actions)
    over = batch.ended  # (N,): games that ended in this step; their row shows the next game already
    if over.any():
        ended += over.sum()
        best = batch.rewards[over].max(axis=1, keepdims=True)  # (games, P): the reward of the win, by seat
        won = batch.rewards[over] == best
        wins += (won / won.sum(axis=1, keepdims=True)).sum(axis=0)  # who tie share a win

decisions = arguments.games * arguments.steps
print(f"{decisions:,} decisions, {ended} games ended, {decisions / (time.perf_counter() - began):,.0f} decisions/s")
print("wins by seat:", " ".join(f"{share:.1%}" for share in wins / max(ended, 1)))
print("the deciding seats' views:", batch.observe().shape, batch.observe().dtype)
