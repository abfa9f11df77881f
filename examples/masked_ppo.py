"""PPO with action masks in one file: from nothing to a player who beats the scripted one, in less than ten minutes.

Three things make it work. Each stands in a function of its own:

* `imitate`: the network first learns to choose as `greedy` does, in positions of its games and of those that the network plays
  itself (DAgger). PPO from random weights would take hours to find out what a good game looks like.
* `advantages`: a seat's next decision comes after those of the others, so each seat of each game is a stream of its own. The
  rewards until its next decision belong to the one before; its last decision in a rollout is not learned from, since what
  came of it is not known yet.
* the company: in half of the games `greedy` has two of the three seats, in the others all seats learn. Playing only itself,
  the network would learn what beats itself.

The network is the package's own, which knows what routes and cities are; any module with logits and values would do.

Run it: `python examples/masked_ppo.py`. RESULT
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import Tensor, nn

from hansa_agents import make_agent
from hansa_agents.arena import play_match
from hansa_agents.report import print_match
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine.rules.scoring import TOTAL
from hansa_training.networks import NETWORKS, draw, evaluate, new_policy

RULESET = Ruleset(players=3)


class NetworkAgent(Agent):
    """The network as a player of the arena: takes the likeliest action."""

    sees = "observations"
    name = "masked ppo"

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        logits, _ = evaluate(self.network, torch.from_numpy(inputs), torch.from_numpy(masks))
        return logits.argmax(1).numpy()


def imitate(network: nn.Module, options: argparse.Namespace) -> None:
    """Learn `greedy`'s choices, in games that it plays itself and more and more in those that the network's choices lead to."""
    teacher, batch = make_agent("greedy", RULESET), HansaBatch(options.games, RULESET, seed=options.seed, autoreset=True)
    optimizer, steps = torch.optim.Adam(network.parameters(), 2e-3), 32
    rounds = options.labels // (steps * options.games)
    random = np.random.default_rng(options.seed)
    for number in range(rounds):
        seen, masks, labels = [], [], []
        by_teacher = random.random(options.games) < 0.5 * (1 - number / rounds)
        for _ in range(steps):
            seen.append(torch.from_numpy(batch.observe().copy()))
            masks.append(torch.from_numpy(batch.action_mask.copy()))
            labels.append(torch.from_numpy(teacher.act(batch.games, batch.action_mask, batch.seat)))
            with torch.no_grad():
                own = evaluate(network, seen[-1], masks[-1])[0].argmax(1).numpy()
            batch.step(np.where(by_teacher, labels[-1].numpy(), own))
        data = [torch.cat(part) for part in (seen, masks, labels)]
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * (1 - number / rounds)
        for _ in range(2):
            for rows in torch.randperm(len(data[0])).split(2048):
                observations, mask, label = (part[rows] for part in data)
                loss = nn.functional.cross_entropy(evaluate(network, observations, mask)[0], label)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(f"imitation, round {number + 1} of {rounds}: loss {loss:.3f}", flush=True)


def advantages(
    seats: np.ndarray, learns: np.ndarray, values: np.ndarray, rewards: np.ndarray, over: np.ndarray, smoothing: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation over the streams of seats, undiscounted.

    Args:
        seats, learns, values: (T, N) who decided, whether the network did, and what it thought of the position.
        rewards: (T, N, P) of every seat; over: (T, N) whether the decision ended the game.

    Returns:
        (T, N) advantages; (T, N) bool, whether what came of the decision is known.
    """
    steps, games, players = rewards.shape
    result, known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    earned, next_value, next_advantage = np.zeros((3, games, players), np.float32)  # of each seat since its decision
    has_next = np.zeros((games, players), np.bool_)
    for step in reversed(range(steps)):
        end = over[step]
        earned[end], next_value[end], next_advantage[end], has_next[end] = 0, 0, 0, True
        earned += rewards[step]
        rows = np.flatnonzero(learns[step])
        at = rows, seats[step, rows]
        known[step, rows] = has_next[at]
        gain = earned[at] + next_value[at] - values[step, rows] + smoothing * next_advantage[at]
        result[step, rows] = np.where(has_next[at], gain, 0)
        earned[at], next_value[at], next_advantage[at], has_next[at] = 0, values[step, rows], result[step, rows], True
    return result, known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=800_000, help="decisions labelled by greedy")
    parser.add_argument("--decisions", type=int, default=3_000_000, help="of PPO, of all seats together")
    parser.add_argument("--games", type=int, default=512, help="games side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions of each game in a rollout")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    parser.add_argument("--smoothing", type=float, default=0.96, help="lambda of GAE")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.001)
    parser.add_argument("--value-rollouts", type=int, default=6, help="first rollouts, which train the value alone")
    parser.add_argument("--test-games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    generator, random = torch.Generator().manual_seed(options.seed), np.random.default_rng(options.seed)
    network, greedy = new_policy(RULESET, NETWORKS["board"]), make_agent("greedy", RULESET)
    imitate(network, options)

    batch = HansaBatch(options.games, RULESET, seed=options.seed + 1, reward="margin", autoreset=True)
    optimizer = torch.optim.Adam(network.parameters(), options.learning_rate, eps=1e-5)
    shape, began, done = (options.steps, options.games), time.perf_counter(), 0
    observations = np.empty((*shape, batch.observation_size), np.int8)
    masks = np.empty((*shape, batch.num_actions), np.bool_)
    seats, actions = np.empty(shape, np.int8), np.empty(shape, np.int64)
    values, log_probs = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    rewards, over = np.empty((*shape, RULESET.players), np.float32), np.empty(shape, np.bool_)
    learns = np.empty(shape, np.bool_)
    alone = random.integers(-RULESET.players, RULESET.players, options.games)  # the one seat that learns; below 0: all do

    for rollout in range(max(1, options.decisions // (options.steps * options.games))):
        for step in range(options.steps):
            batch.observe(out=observations[step])
            batch.write_mask(masks[step])
            seats[step] = batch.seat
            learns[step] = (alone < 0) | (batch.seat == alone)
            actions[step] = greedy.act(batch.games, batch.action_mask, batch.seat)
            mine = np.flatnonzero(learns[step])
            with torch.no_grad():
                logits, value = evaluate(network, *(torch.from_numpy(part[step, mine]) for part in (observations, masks)))
                logits = logits.log_softmax(1)
                action = draw(logits, generator)
            actions[step, mine], values[step, mine] = action, value
            log_probs[step, mine] = logits.gather(1, action[:, None])[:, 0]
            batch.step(actions[step])
            over[step] = batch.ended
            rewards[step] = 2.5 * batch.rewards  # 20 points above the mean are worth 1
            alone[over[step]] = random.integers(-RULESET.players, RULESET.players, over[step].sum())

        advantage, known = advantages(seats, learns, values, rewards, over, options.smoothing)
        target = advantage + values
        advantage = (advantage - advantage[known].mean()) / (advantage[known].std() + 1e-8)
        data = [torch.from_numpy(part[known]) for part in (observations, masks, actions, log_probs, advantage, target)]
        policy_weight = 0.0 if rollout < options.value_rollouts else 1.0
        for _ in range(options.epochs):
            for rows in torch.randperm(int(known.sum())).split(options.minibatch):
                seen, mask, action, old_log_prob, gain, goal = (part[rows] for part in data)
                logits, value = evaluate(network, seen, mask)
                logits = logits.log_softmax(1)
                ratio = (logits.gather(1, action[:, None])[:, 0] - old_log_prob).exp()
                clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
                policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
                entropy: Tensor = -(logits.exp() * logits).sum(1).mean()
                loss = policy_weight * (policy_loss - options.entropy * entropy) + 5.0 * (value - goal).square().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        done += int(learns.sum())
        print(
            f"{done:,} decisions ({done / (time.perf_counter() - began):,.0f}/s): {over.sum()} games ended, "
            f"mean score of the last {batch.final_scores[:, :, TOTAL].mean():.1f}, entropy {entropy:.2f}",
            flush=True,
        )

    for opponent in ("random", "greedy"):
        print_match(play_match([NetworkAgent(network), opponent, opponent], RULESET, options.test_games, seed=1))


if __name__ == "__main__":
    main()
