"""MaskablePPO of sb3-contrib against the agents you name, and how it does against them. Needs the extra `train`.

Run it: `python examples/sb3_maskable_ppo.py --steps 200000`
"""

import argparse

import numpy as np
from sb3_contrib import MaskablePPO

from hansa_env import Ruleset
from hansa_env.sb3 import HansaVecEnv

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=20_000, help="decisions of the learner")
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--rollout", type=int, default=64, help="decisions per environment and rollout")
parser.add_argument("--games", type=int, default=100, help="games of the final test")
parser.add_argument("--opponents", nargs="+", default=["random"])
parser.add_argument("--max-turns", type=int, default=30)
arguments = parser.parse_args()

# One learner per game; the opponents play inside the step, each seat drawing one of those named.
ruleset = Ruleset(players=3)
env = HansaVecEnv(arguments.envs, ruleset, arguments.opponents, seed=1, max_turns=arguments.max_turns)
model = MaskablePPO(
    "MlpPolicy", env, n_steps=arguments.rollout, batch_size=512, learning_rate=5e-4, n_epochs=4, seed=1, device="cpu",
    policy_kwargs={"net_arch": [256, 128]},
)  # fmt: skip
model.learn(arguments.steps)  # the masks come by env.action_masks()

# `infos` say how each game ended: "rank" is the learner's place, 0 = first.
test = HansaVecEnv(min(arguments.games, 50), ruleset, arguments.opponents, seed=2, max_turns=arguments.max_turns)
observations, ranks = test.reset(), []
while len(ranks) < arguments.games:
    actions, _ = model.predict(observations, action_masks=test.action_masks(), deterministic=True)
    observations, _, done, infos = test.step(actions)
    ranks += [infos[row]["rank"] for row in np.flatnonzero(done)]
print(f"first in {np.mean(np.array(ranks) == 0):.1%} of {len(ranks)} games against {', '.join(arguments.opponents)}")
