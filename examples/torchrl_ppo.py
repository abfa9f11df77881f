"""PPO of TorchRL with action masks. Whole games step as one batch, which TorchRL takes for a batched environment.

TorchRL's own wrapper takes the PettingZoo environment as it is, a game at a time:
`PettingZooWrapper(hansa_teutonica_v0.env(players=3), use_mask=True, group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT)`.
There `env.reset(seed=5)` plays game 5: after `env.set_seed(5)` a rollout resets once more, and plays the game that follows.
`HansaEnv(...).reset(seed=5)` below deals the N games that a batch of seed 5 has.

Run it: `python examples/torchrl_ppo.py --steps 400000`; needs `pip install torch torchrl hansa-env`
"""

import argparse
import time

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from hansa_env import Ruleset, observation_high
from hansa_env.engine.results import scores_of
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.play.result import win_shares

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=20_000, help="decisions of the learner")
parser.add_argument("--envs", type=int, default=32)
parser.add_argument("--rollout", type=int, default=64, help="decisions per environment and rollout")
parser.add_argument("--games", type=int, default=100, help="games of the final test")
parser.add_argument("--opponents", nargs="+", default=["random"])
parser.add_argument("--least", type=float, default=0.0, help="win share below which the test fails")
parser.add_argument("--max-turns", type=int, default=30)
parser.add_argument("--gamma", type=float, default=0.995)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
torch.manual_seed(arguments.seed)
ruleset = Ruleset(players=3)


class HansaEnv(EnvBase):
    """N games with one learner each; the opponents play inside the step. Rewards may have the lead in points as a potential."""

    def __init__(self, num_envs: int, seed: int, shaped: bool) -> None:
        super().__init__(batch_size=[num_envs])
        self.core = LearnerBatch(num_envs, ruleset, arguments.opponents, seed, max_turns=arguments.max_turns, mix=True)
        self.high, self.shaped = np.array(observation_high(ruleset), np.float32), shaped
        size, actions = self.core.batch.observation_size, self.core.num_actions
        self.observation_spec = Composite(
            observation=Unbounded((num_envs, size)), action_mask=Binary(actions, (num_envs, actions), dtype=torch.bool),
            shape=(num_envs,),
        )  # fmt: skip
        self.action_spec = Categorical(actions, shape=(num_envs,))
        self.reward_spec = Unbounded((num_envs, 1))

    def _lead(self) -> np.ndarray:
        """How well each learner stands: points ahead of the mean of the others, in units of 50; 0 at the end."""
        totals = scores_of(ruleset, self.core.batch.games)[:, :, -1].astype(np.float32)
        own = totals[np.arange(len(totals)), self.core.seats]
        return np.where(self.core.ended, 0, (own - (totals.sum(1) - own) / (ruleset.players - 1)) / 50)

    def _seen(self) -> dict:
        core = self.core
        over = torch.from_numpy(core.ended).unsqueeze(1)  # a game that is cut off is scored and over: nothing is truncated
        return {
            "observation": torch.from_numpy(core.observation / self.high),
            "action_mask": torch.from_numpy(core.action_mask.copy()),
            "done": over, "terminated": over.clone(), "truncated": torch.zeros_like(over),
        }  # fmt: skip

    def _reset(self, tensordict: TensorDict | None = None, *, seed: int | None = None, **_: object) -> TensorDict:
        given = None if tensordict is None else tensordict.get("_reset", None)
        self.core.reset(seed, None if given is None else given.reshape(-1).numpy())
        return TensorDict(self._seen(), self.batch_size)

    def _step(self, tensordict: TensorDict) -> TensorDict:
        before = self._lead()
        self.core.step(tensordict["action"].numpy())
        reward = self.core.rewards.copy()
        if self.shaped:
            reward += (arguments.gamma * self._lead() - before).astype(np.float32)
        return TensorDict(self._seen() | {"reward": torch.from_numpy(reward).unsqueeze(1)}, self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        self.core.reset(seed)


def layers(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, 256), nn.Tanh(), nn.Linear(256, 128), nn.Tanh(), nn.Linear(128, outputs))


env = HansaEnv(arguments.envs, arguments.seed, shaped=True)
size, actions = env.core.batch.observation_size, env.core.num_actions
logits = TensorDictModule(layers(size, actions), in_keys=["observation"], out_keys=["logits"])
actor = ProbabilisticActor(
    logits, in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"], spec=env.action_spec,
    distribution_class=MaskedCategorical, return_log_prob=True,
)  # fmt: skip
critic = ValueOperator(layers(size, 1), in_keys=["observation"])
loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
advantage = GAE(gamma=arguments.gamma, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters(), 5e-4)
frames = arguments.envs * arguments.rollout
collector = Collector(env, actor, frames_per_batch=frames, total_frames=max(frames, arguments.steps),
                      auto_register_policy_transforms=False)  # fmt: skip

began, done = time.perf_counter(), 0
for batch in collector:
    with torch.no_grad():
        advantage(batch)
    rows = batch.reshape(-1)
    for _ in range(4):
        for part in torch.randperm(len(rows)).split(512):
            losses = loss(rows[part])
            optimizer.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
    done += len(rows)
    rate = done / (time.perf_counter() - began)
    left = max(arguments.steps - done, 0) / rate
    print(f"{done:>8,} of {arguments.steps:,} decisions, {rate:,.0f}/s, {left:.0f} s left", flush=True)
collector.shutdown()

# A game a row, each to its end: of games that follow one another until there are enough, short ones would count for more.
test = LearnerBatch(arguments.games, ruleset, arguments.opponents, seed=2, max_turns=arguments.max_turns, mix=True)
while not test.ended.all():
    with torch.no_grad():
        said = logits.module(torch.from_numpy(test.observation / env.high))
    test.step(said.masked_fill(~torch.from_numpy(test.action_mask), -1e9).argmax(1).numpy())
shares = win_shares(test.final_ranks)[np.arange(arguments.games), test.seats]
print(f"win share {np.mean(shares):.1%} of {len(shares)} games among {', '.join(arguments.opponents)}")
if np.mean(shares) < arguments.least:
    raise SystemExit(f"expected at least {arguments.least:.0%}")
