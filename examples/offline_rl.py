"""Offline learning from mixed play: decisions that led to more than was expected are copied more than others.

Advantage-weighted regression (Peng et al., 2019): a value network learns the return of every position of the data; a decision
is then copied with the weight exp((return − value) / temperature), at most `--most`. Plain cloning of the same data, without
weights, is measured beside it: of mixed play that copies the bad decisions as well.

    hansa collect mixed --decisions 200000 --out runs/mixed
    python examples/offline_rl.py runs/mixed

Needs the extra `train`.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hansa_agents.arena import play_match
from hansa_env import Agent
from hansa_env.play.dataset import Dataset
from hansa_training.networks import evaluate, new_policy
from hansa_training.sizes import NETWORKS

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("data", type=Path, help="folder of parts (*.npz), as `hansa collect` writes them")
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--temperature", type=float, default=0.25)
parser.add_argument("--most", type=float, default=20.0)
parser.add_argument("--network", default="board")
parser.add_argument("--minibatch", type=int, default=512)
parser.add_argument("--among", nargs="+", default=["random", "greedy"], help="who holds the other seats in the tests")
parser.add_argument("--games", type=int, default=300, help="games of each test")
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()


class Learned(Agent):
    """Takes what the network puts most on."""

    sees = "observations"
    name = "learned"

    def __init__(self, policy: nn.Module) -> None:
        self.policy = policy

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        logits, _ = evaluate(self.policy, torch.from_numpy(inputs), torch.from_numpy(masks))
        return logits.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(1).numpy()


files = sorted(arguments.data.glob("*.npz"))
if not files:
    parser.error(f"{arguments.data}: no *.npz; make some: hansa collect mixed --out {arguments.data}")
ruleset = Dataset.load(files[0]).ruleset


def learn(weighted: bool) -> nn.Module:
    """A network that learned from the data, with or without weights."""
    torch.manual_seed(arguments.seed)
    policy = new_policy(ruleset, NETWORKS[arguments.network])
    optimizer = torch.optim.Adam(policy.parameters(), 1e-3)
    for epoch in range(arguments.epochs):
        mean = []
        for data in map(Dataset.load, files):
            columns = data.observations, data.action_masks, data.actions.astype(np.int64), data.returns.astype(np.float32)
            tensors = [torch.from_numpy(np.ascontiguousarray(column)) for column in columns]
            for rows in torch.randperm(len(tensors[0])).split(arguments.minibatch):
                seen, legal, action, worth = (column[rows] for column in tensors)
                logits, value = evaluate(policy, seen, legal)
                chosen = logits.masked_fill(~legal, -1e8).log_softmax(1).gather(1, action[:, None]).squeeze(1)
                weight = torch.ones_like(worth)
                if weighted:
                    weight = ((worth - value.detach()) / arguments.temperature).exp().clamp(max=arguments.most)
                    weight = weight / weight.mean()
                loss = -(weight * chosen).mean() + 0.5 * nn.functional.mse_loss(value.view(-1), worth)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                mean.append(float(loss.detach()))
        print(
            f"{'weighted' if weighted else 'plain'}: epoch {epoch + 1} of {arguments.epochs}, loss {np.mean(mean):.3f}",
            flush=True,
        )
    return policy


for weighted in (False, True):
    agent = Learned(learn(weighted))
    for other in arguments.among:
        match = play_match([agent, *[other] * (ruleset.players - 1)], ruleset, arguments.games, seed=2)
        share = np.mean([game.shares[game.agents.index(agent.name)] for game in match.results])
        kind = "advantage-weighted" if weighted else "plain cloning"
        print(f"{kind}: win share {share:.1%} of {match.games} games among {ruleset.players - 1} {other}", flush=True)
