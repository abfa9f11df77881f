"""PPO of Tianshou with action masks, by self-play: the other seats are held by earlier copies of the network, and by `random`.

Why not Tianshou's `PettingZooEnv`: it joins the decisions of all seats into one stream, so that the position after a decision
is another seat's, and only who ends the game sees its reward. Here each game is one seat's stream; copies play inside the step.

Run it: `python examples/tianshou_self_play.py --steps 200000`; needs `pip install torch 'tianshou>=2' hansa-env`
"""

import argparse
import copy

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

import hansa_env  # noqa: F401  (makes the environments known to Gymnasium)
from hansa_env import Agent, Ruleset, observation_high
from hansa_env.engine.results import scores_of
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.play.result import win_shares

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=20_000, help="decisions of the learner")
parser.add_argument("--envs", type=int, default=16)
parser.add_argument("--rollout", type=int, default=2048, help="decisions between updates")
parser.add_argument("--epochs", type=int, default=5, help="after each, the copies become what the network is then")
parser.add_argument("--games", type=int, default=100, help="games of the final test")
parser.add_argument("--least", type=float, default=0.0, help="win share below which the test fails")
parser.add_argument("--max-turns", type=int, default=30)
parser.add_argument("--gamma", type=float, default=0.995)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
torch.manual_seed(arguments.seed)
np.random.seed(arguments.seed)
ruleset = Ruleset(players=3)
high = torch.tensor(observation_high(ruleset), dtype=torch.float32)


class Network(nn.Module):
    """Logits of legal actions, -1e8 for the others; or with one output and no mask a value."""

    def __init__(self, outputs: int, masked: bool) -> None:
        super().__init__()
        self.masked = masked
        self.layers = nn.Sequential(
            nn.Linear(len(high), 256), nn.Tanh(), nn.Linear(256, 128), nn.Tanh(), nn.Linear(128, outputs)
        )

    def forward(self, obs, state=None, info=None):
        found = self.layers(torch.as_tensor(obs["observation"]).float() / high)
        if self.masked:
            found = found.masked_fill(torch.as_tensor(obs["action_mask"]) == 0, -1e8)
            return found, state
        return found


class Copy(Agent):
    """A frozen copy of the network at other seats; draws from its policy."""

    sees = "observations"

    def __init__(self, network: Network, greedy: bool = False) -> None:
        self.network, self.greedy, self.generator = copy.deepcopy(network), greedy, torch.Generator().manual_seed(0)

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        logits, _ = self.network({"observation": inputs, "action_mask": masks})
        if self.greedy:
            return logits.argmax(1).numpy()
        return torch.multinomial(logits.softmax(1), 1, generator=self.generator).squeeze(1).numpy()


class Lead(gymnasium.Wrapper):
    """Adds points as a potential to the reward (`own_rewards.py` says why that changes nothing but when a learner is told)."""

    def reset(self, **options):
        found = self.env.reset(**options)
        self.before = self.lead()
        return found

    def step(self, action):
        seen, reward, over, cut, _ = self.env.step(action)
        after = 0.0 if over else self.lead()
        reward, self.before = reward + arguments.gamma * after - self.before, after
        return seen, reward, over, cut, {}  # Tianshou keeps infos of one form alone

    def lead(self) -> float:
        core = self.env.unwrapped.core
        points, seat = scores_of(ruleset, core.batch.games)[0, :, -1].astype(float), int(core.seats[0])
        return float(points[seat] - np.delete(points, seat).mean()) / 50


def make(copies: Copy) -> gymnasium.Env:
    """A game of one learner; each other seat is a copy or `random`, drawn anew for each game."""
    return Lead(gymnasium.make(
        "hansa/HansaTeutonica-v0", ruleset=ruleset, opponents=[copies, "random"], mix=True, max_turns=arguments.max_turns,
        mask_in_observation=True, disable_env_checker=True,
    ))  # fmt: skip


actions = gymnasium.make("hansa/HansaTeutonica-v0", ruleset=ruleset).action_space
actor, critic = Network(int(actions.n), masked=True), Network(1, masked=False)
copies = Copy(actor)
envs = DummyVectorEnv([lambda: make(copies) for _ in range(arguments.envs)])
envs.seed(arguments.seed)
policy = DiscreteActorPolicy(actor=actor, action_space=actions)
algorithm = PPO(
    policy=policy, critic=critic, optim=AdamOptimizerFactory(lr=5e-4), gamma=arguments.gamma, max_grad_norm=0.5, ent_coef=0.01
)
collector = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(arguments.rollout + arguments.envs, arguments.envs))


def renew(epoch: int, steps: int) -> None:
    """The copies become what the network is now, at the beginning of each epoch."""
    if epoch != renew.epoch:
        renew.epoch = epoch
        copies.network.load_state_dict(actor.state_dict())


renew.epoch = 0
algorithm.run_training(OnPolicyTrainerParams(
    training_collector=collector, max_epochs=arguments.epochs,
    epoch_num_steps=max(arguments.rollout, arguments.steps // arguments.epochs),
    collection_step_num_env_steps=arguments.rollout, batch_size=512, update_step_num_repetitions=4, training_fn=renew,
))  # fmt: skip

# A game a row, each to its end: of games that follow one another until there are enough, short ones would count for more.
test = LearnerBatch(arguments.games, ruleset, ["random"], seed=2, max_turns=arguments.max_turns)
agent = Copy(actor, greedy=True)
while not test.ended.all():
    test.step(agent.act(test.observation, test.action_mask, test.seats))
shares = win_shares(test.final_ranks)[np.arange(arguments.games), test.seats]
print(f"win share {np.mean(shares):.1%} of {len(shares)} games among two random")
if np.mean(shares) < arguments.least:
    raise SystemExit(f"expected at least {arguments.least:.0%}")
