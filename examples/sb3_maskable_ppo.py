"""MaskablePPO of sb3-contrib against the agents you name, evaluated with masks on the way. Needs the extra `train`.

Training ends as soon as an evaluation comes to `--enough`, and the best model so far is the one that is tested.

Run it: `python examples/sb3_maskable_ppo.py --steps 400000`
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3.common.callbacks import StopTrainingOnRewardThreshold
from stable_baselines3.common.logger import configure

from hansa_env import Ruleset
from hansa_env.engine.results import scores_of
from hansa_env.sb3 import HansaVecEnv

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=20_000, help="decisions of the learner, at most")
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--rollout", type=int, default=64, help="decisions per environment and rollout")
parser.add_argument("--games", type=int, default=100, help="games of the final test")
parser.add_argument("--evaluate", type=int, default=20_000, help="decisions between evaluations")
parser.add_argument("--evaluation-games", type=int, default=60)
parser.add_argument("--enough", type=float, default=0.97, help="win share in an evaluation that ends the training")
parser.add_argument("--opponents", nargs="+", default=["random"])
parser.add_argument("--least", type=float, default=0.0, help="win share below which the test fails")
parser.add_argument("--max-turns", type=int, default=30)
parser.add_argument("--gamma", type=float, default=0.995)
parser.add_argument("--save", help="keep the best model in this file, mine.zip")
arguments = parser.parse_args()
ruleset = Ruleset(players=3)
settings = {"ruleset": ruleset, "opponents": arguments.opponents, "mix": True, "max_turns": arguments.max_turns}


def lead(ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """How well seats stand: points ahead of the mean of the others, in units of 50 (`own_rewards.py` says more)."""
    totals = scores_of(ruleset, games)[:, :, -1].astype(np.float64)
    own = totals[np.arange(len(games)), seats]
    return (own - (totals.sum(axis=1) - own) / (ruleset.players - 1)) / 50


# One learner per game; the opponents play inside the step, each seat drawing one of those named.
env = HansaVecEnv(arguments.envs, **settings, seed=1, potential=lead, discount=arguments.gamma)
model = MaskablePPO(
    "MlpPolicy", env, n_steps=arguments.rollout, batch_size=512, learning_rate=5e-4, n_epochs=4, gamma=arguments.gamma,
    seed=1, device="cpu", verbose=1, policy_kwargs={"net_arch": [256, 128]},
)  # fmt: skip

# Evaluations have no potential: their rewards are those of the game, (P · w − 1) / (P − 1) with w the share of the win.
players = ruleset.players
with tempfile.TemporaryDirectory() as folder:
    evaluation = MaskableEvalCallback(
        HansaVecEnv(min(arguments.evaluation_games, 20), **settings, seed=2),
        n_eval_episodes=arguments.evaluation_games,
        eval_freq=max(1, arguments.evaluate // arguments.envs),
        callback_on_new_best=StopTrainingOnRewardThreshold((players * arguments.enough - 1) / (players - 1)),
        best_model_save_path=folder,
        verbose=1,
    )
    model.set_logger(configure(folder, ["stdout"]))  # its own would leave an empty folder
    model.learn(arguments.steps, callback=evaluation)  # the masks come by env.env_method("action_masks")
    best = Path(folder) / "best_model.zip"
    if best.exists():
        model = MaskablePPO.load(best, device="cpu")  # runs code of the file: load none that you do not trust
if arguments.save:
    file = Path(arguments.save)
    file = file if file.suffix else file.with_suffix(".zip")
    model.save(file)
    print(f"let it play: hansa arena ppo:{file}:trust random random --players 3")

# The first game of each row: of games that follow one another until there are enough, short ones would count for more. `infos`
# say how each ended: "episode" has the sum of its rewards, "rank" the learner's place, which does not tell who shares it.
test = HansaVecEnv(arguments.games, **settings, seed=3)
observations, shares = test.reset(), {}
while len(shares) < arguments.games:
    actions, _ = model.predict(observations, action_masks=test.action_masks(), deterministic=True)
    observations, _, done, infos = test.step(actions)
    for row in np.flatnonzero(done):
        shares.setdefault(row, ((players - 1) * infos[row]["episode"]["r"] + 1) / players)
share = np.mean([*shares.values()])
print(f"win share {share:.1%} of {len(shares)} games against {', '.join(arguments.opponents)}")
if share < arguments.least:
    raise SystemExit(f"expected at least {arguments.least:.0%}")
