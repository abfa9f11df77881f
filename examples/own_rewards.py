"""Rewards of one's own: `MaskablePPO` with and without a potential that tells it about points before the game is over.

Run it: `python examples/own_rewards.py --steps 40000`; needs the extra `train`
"""

import argparse

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from hansa_env import Ruleset
from hansa_env.engine.results import scores_of
from hansa_env.sb3 import HansaVecEnv

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=40_000, help="decisions of each learner")
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--games", type=int, default=200, help="games of the final test")
parser.add_argument("--gamma", type=float, default=0.998)
parser.add_argument("--max-turns", type=int, default=30)
arguments = parser.parse_args()
ruleset = Ruleset(players=3)


def lead(ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """How well the seats (N,) of game records (N,) stand: points ahead of the mean of the others, in units of 50."""
    totals = scores_of(ruleset, games)[:, :, -1].astype(np.float64)  # (N, P): the points as the boards stand
    own = totals[np.arange(len(games)), seats]
    return (own - (totals.sum(axis=1) - own) / (ruleset.players - 1)) / 50


def mean_lead(model: MaskablePPO) -> float:
    """By how many points the model ends ahead of the others, in the first game of each row: of games that follow one another
    until there are enough, short ones would count for more."""
    test = HansaVecEnv(arguments.games, ruleset, ["random"], seed=2, max_turns=arguments.max_turns)
    observations, leads = test.reset(), {}
    while len(leads) < arguments.games:
        actions, _ = model.predict(observations, action_masks=test.action_masks(), deterministic=True)
        observations, _, done, infos = test.step(actions)
        for row in np.flatnonzero(done):
            points, seat = infos[row]["scores"][:, -1].astype(float), infos[row]["seat"]
            leads.setdefault(row, points[seat] - np.delete(points, seat).mean())
    return float(np.mean([*leads.values()]))


# To every reward, `discount * lead(next decision) - lead(this one)` is added; at the end the potential is 0. With the learner's
# gamma as discount, that adds the same to every game whatever is played: it changes when a learner is told, and not what for.
for name, potential in (("the end alone", None), ("the end, and the lead on the way", lead)):
    env = HansaVecEnv(
        arguments.envs, ruleset, ["random"], seed=1, max_turns=arguments.max_turns,
        potential=potential, discount=arguments.gamma,
    )  # fmt: skip
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=512, learning_rate=5e-4, n_epochs=4, gamma=arguments.gamma, seed=1,
        device="cpu",
    )  # fmt: skip
    model.set_logger(Logger(None, []))  # its own would leave an empty folder
    model.learn(arguments.steps)
    print(f"rewards of {name}: {mean_lead(model):+.1f} points ahead of random after {arguments.steps:,} decisions")
