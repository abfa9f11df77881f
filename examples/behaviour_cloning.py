"""Behaviour cloning: a network copies the decisions of a dataset, and plays against who its teacher plays against.

Make the data first, then run it on them:

    hansa collect expert --decisions 200000 --out runs/expert        (or `hansa collect greedy`: seconds instead of days)
    python examples/behaviour_cloning.py runs/expert --teacher tree

Where a teacher noted its policy (a search's is how often it visited each decision), that is copied, else the decision it took.
Needs the extra `train`.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hansa_agents.arena import play_match
from hansa_env import Agent, Ruleset
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.play.dataset import Dataset
from hansa_training.networks import evaluate, new_policy
from hansa_training.optimizer import new_optimizer
from hansa_training.sizes import NETWORKS

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("data", type=Path, help="folder of parts (*.npz), as `hansa collect` writes them")
parser.add_argument("--teacher", default="greedy", help="whose decisions are copied, and who is measured beside the clone")
parser.add_argument("--among", default="random", help="who holds the other seats in the test")
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--network", default="board")
parser.add_argument("--optimizer", choices=("adam", "muon"), default="adam")
parser.add_argument("--learning-rate", type=float, default=1.5e-3)
parser.add_argument("--minibatch", type=int, default=512)
parser.add_argument("--games", type=int, default=300, help="games of each test")
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
torch.manual_seed(arguments.seed)


class Clone(Agent):
    """Takes what the network puts most on."""

    sees = "observations"
    name = "clone"

    def __init__(self, policy: nn.Module) -> None:
        self.policy = policy

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        logits, _ = evaluate(self.policy, torch.from_numpy(inputs), torch.from_numpy(masks))
        return logits.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(1).numpy()


def lessons(path: Path) -> tuple[Ruleset, list[torch.Tensor], np.ndarray]:
    """Of the teacher's decisions in a part: observations, masks and what to copy (N, A); and the deals they are of."""
    data = Dataset.load(path)
    names = np.array([*data.agents, ""])  # a place of −1 is the last
    own = np.flatnonzero(names[data.players[data.games, data.seats]] == arguments.teacher)
    goal = np.zeros((len(own), data.action_masks.shape[1]), np.float32)
    if len(data.values):
        goal[:] = data.policies[own]
    silent = goal.sum(1) == 0
    goal[np.flatnonzero(silent), data.actions[own][silent]] = 1
    parts = torch.from_numpy(data.observations[own]), torch.from_numpy(data.action_masks[own]), torch.from_numpy(goal)
    return data.ruleset, list(parts), data.deals[data.games[own]]


files = sorted(arguments.data.glob("*.npz"))
if not files:
    parser.error(f"{arguments.data}: no *.npz; make some: hansa collect {arguments.teacher} --out {arguments.data}")
print(f"a {arguments.network} network copies {arguments.teacher}: {arguments.epochs} epochs of {len(files)} files", flush=True)
if arguments.teacher not in (there := Dataset.load(files[0]).agents):
    parser.error(f"--teacher is {arguments.teacher}; expected one of the agents of {files[0]}: {', '.join(there)}")
ruleset, held_out, deals = lessons(files[0])  # of the first part some deals are held out: whole deals, not rows
hold = torch.from_numpy(np.isin(deals, np.unique(deals)[::10]))
policy = new_policy(ruleset, NETWORKS[arguments.network])
optimizer = new_optimizer(arguments.optimizer, dict(policy.named_parameters()), arguments.learning_rate)


def learn_from(file: Path, rate: float, progress: Progress) -> int:
    """Steps of the optimiser over all that a file has to copy; returns how many."""
    _, data, _ = lessons(file)
    if file == files[0]:
        data = [part[~hold] for part in data]
    minibatches = torch.randperm(len(data[0])).split(arguments.minibatch)
    progress.begin(f"steps on {file.name}", len(minibatches))
    for number, rows in enumerate(minibatches, 1):
        seen, legal, goal = (part[rows] for part in data)
        logits, _ = evaluate(policy, seen, legal)
        loss = -(goal * logits.masked_fill(~legal, -1e8).log_softmax(1)).sum(1).mean()
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.at(number)
    progress.end()
    return len(minibatches)


steps = 0
for epoch in range(arguments.epochs):
    with progress_on() as progress:  # on stderr
        steps += sum(learn_from(file, arguments.learning_rate * (1 - epoch / arguments.epochs), progress) for file in files)
    with torch.no_grad():
        seen, legal, goal = (part[hold] for part in held_out)
        logits, _ = evaluate(policy, seen, legal)
        same = (logits.masked_fill(~legal, -1e8).argmax(1) == goal.argmax(1)).float().mean()
    print(
        f"epoch {epoch + 1} of {arguments.epochs}, {steps:,} steps: {same:.1%} of held-out decisions are the teacher's",
        flush=True,
    )

won = []
for name, agent in (("clone", Clone(policy)), (arguments.teacher, f"teacher={arguments.teacher}")):  # who may be among itself
    others = [arguments.among] * (ruleset.players - 1)
    match = play_match([agent, *others], ruleset, arguments.games, seed=2)
    won.append(match.rows[0].share)
    print(f"{name}: win share {won[-1]:.1%} of {match.games} games among {ruleset.players - 1} {arguments.among}")
if won[1]:
    print(f"the clone has {won[0] / won[1]:.0%} of its teacher's win share")
