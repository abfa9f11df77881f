"""PPO with action masks in one file: a network that knows the board learns to beat `greedy` by self-play. Needs torch alone.

What is particular to a heavy game of several players, and what each is worth, see `docs/learning.md`:

* `Network`: routes and cities are read by weights that all of them share; the logit of a decision comes from what it names.
* `imitate`: a network that plays at random never sees a game won. It begins by copying `greedy` in positions of its own play.
* `Table`: who learns sits among copies of itself and `greedy`, and every decision of its seats is learned from.
* `advantages`: the next decision of a seat comes after those of the others, so each seat of each game is a stream of its own.

`hansa train` learns in the same way, faster and with far more around it; this file is for reading, copying and changing.

Run it: `python examples/masked_ppo.py`. The default is the whole way, five and a half minutes of one core (AMD EPYC): it won
58.7 % (55.0–62.7) of 600 games among two `greedy`, where equals would win 33.3 %.
"""

import argparse
import time
from collections import deque

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from hansa_agents import make_agent
from hansa_agents.arena import play_match
from hansa_agents.report import print_match
from hansa_env import Agent, HansaBatch, Ruleset, graph_tables, observation_blocks
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.engine.view.observation import observation_high

GREEDY = "greedy"


class Network(nn.Module):
    """Action logits (N, A) and values (N,) of observations (N, D) int8, on the boards of the base game."""

    def __init__(self, ruleset: Ruleset, num_actions: int, width: int = 128, route: int = 32, city: int = 16) -> None:
        super().__init__()
        self.blocks, graph = observation_blocks(ruleset), graph_tables(ruleset)
        routes, cities = self.blocks["routes"], self.blocks["cities"]
        kinds = 3  # of decisions that name a route: a trader there, a merchant, the route itself; these come first of all
        assert (graph.action_route[: kinds * routes.rows] == np.tile(np.arange(routes.rows), kinds)).all()
        self.register_buffer("scale", 1 / torch.tensor(observation_high(ruleset), dtype=torch.float32))
        self.register_buffer("ends", torch.tensor(graph.incidence.T, dtype=torch.float32))  # (R, C), the cities of a route
        self.read_city, self.city_own = nn.Linear(cities.columns, city), nn.Parameter(torch.zeros(cities.rows, city))
        self.read_route, self.route_own = nn.Linear(routes.columns, route), nn.Parameter(torch.zeros(routes.rows, route))
        self.read_ends = nn.Linear(cities.columns, route, bias=False)
        self.sum_up_route, self.sum_up_city = nn.Linear(route, 8), nn.Linear(city, 4)
        context = routes.start + 8 * routes.rows + 4 * cities.rows
        self.context = nn.Sequential(nn.Linear(context, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.look_at_route, self.tell_route = nn.Linear(route, route), nn.Linear(width, route)
        self.look_at_city, self.tell_city = nn.Linear(city, city), nn.Linear(width, city)
        self.route_logits, self.city_logit = nn.Linear(route, kinds), nn.Linear(city, 1)
        self.other_logits = nn.Linear(width, num_actions - kinds * routes.rows - cities.rows)
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        logits = self.route_logits, self.city_logit, self.other_logits
        for layer in [layer for layer in self.modules() if isinstance(layer, nn.Linear)]:
            nn.init.orthogonal_(layer.weight, 0.01 if layer in logits else 2**0.5)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        seen = observations.float() * self.scale
        cities, routes = self.blocks["cities"].view(seen), self.blocks["routes"].view(seen)  # (N, C, .), (N, R, .)
        city = torch.relu(self.read_city(cities) + self.city_own)
        route = torch.relu(self.read_route(routes) + self.ends @ self.read_ends(cities) + self.route_own)
        board = [self.sum_up_route(route).flatten(1), self.sum_up_city(city).flatten(1)]
        question_and_seats = seen[:, : self.blocks["routes"].start]
        context = self.context(torch.cat([question_and_seats, *board], 1))
        route = torch.relu(self.look_at_route(route) + self.tell_route(context).unsqueeze(1))
        city = torch.relu(self.look_at_city(city) + self.tell_city(context).unsqueeze(1))
        named = [self.route_logits(route).transpose(1, 2).flatten(1), self.city_logit(city).flatten(1)]
        logits = torch.cat([*named, self.other_logits(context)], 1)
        return logits.masked_fill(~masks, -1e8), self.value(context).squeeze(1)


class NetworkAgent(Agent):
    """The network as a player of the arena: takes what is likeliest."""

    sees = "observations"
    name = "masked ppo"

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return self.network(torch.from_numpy(inputs), torch.from_numpy(masks))[0].argmax(1).numpy()


def imitate(network: Network, ruleset: Ruleset, decisions: int, games: int, minibatch: int, seed: int, ticks: int = 32) -> None:
    """Copy `greedy`, which says what it would do: the network plays half of the games at first and all of them in the end."""
    batch, teacher = HansaBatch(games, ruleset, seed=seed, autoreset=True), make_agent(GREEDY, ruleset)
    optimizer, rng = torch.optim.Adam(network.parameters(), 2e-3), np.random.default_rng(seed)
    for done in range(0, decisions, games * ticks):
        lessons, left = [], 1 - done / decisions
        by_teacher = rng.random(games) < left / 2
        for _ in range(ticks):
            seen, legal = torch.from_numpy(batch.observe()), torch.from_numpy(batch.action_mask.copy())
            said = teacher.act(batch.games, batch.action_mask, batch.seat)
            with torch.no_grad():
                own = network(seen, legal)[0].argmax(1).numpy()
            lessons.append((seen, legal, torch.from_numpy(said)))
            batch.step(np.where(by_teacher, said, own))
        data = [torch.cat(part) for part in zip(*lessons)]
        optimizer.param_groups[0]["lr"] = 2e-3 * max(left, 0.05)
        for rows in [rows for _ in range(2) for rows in torch.randperm(len(data[0])).split(minibatch)]:
            seen, legal, said = (part[rows] for part in data)
            logits, _ = network(seen, legal)
            loss = nn.functional.cross_entropy(logits, said)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if done // (games * ticks) % 5 == 0:
            print(f"{done:>9,} decisions copied: {(logits.argmax(1) == said).float().mean():.0%} are greedy's")


def advantages(
    seats: np.ndarray, own: np.ndarray, values: np.ndarray, worth: np.ndarray, over: np.ndarray, smoothing: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation over the streams of seats, without a discount.

    Args:
        seats, own, values: (T, N) who decided, whether it learns, and what the network thought of the position.
        worth: (T, N, P) of a game that ended, to every seat; over: (T, N) whether it did.

    Returns:
        (T, N) advantages; (T, N) bool, whether what came of the decision is known and to be learned from.
    """
    steps, games, players = worth.shape
    result, known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    earned, next_value, next_advantage = np.zeros((3, games, players), np.float32)  # of each seat since its decision
    has_next, rows = np.zeros((games, players), np.bool_), np.arange(games)
    for step in reversed(range(steps)):
        end, seat = over[step], seats[step]
        earned[end], next_value[end], next_advantage[end], has_next[end] = 0, 0, 0, True
        earned += worth[step]
        delta = earned[rows, seat] + next_value[rows, seat] - values[step]
        known[step] = has_next[rows, seat] & own[step]
        result[step] = np.where(known[step], delta + smoothing * next_advantage[rows, seat], 0)
        earned[rows, seat], next_value[rows, seat], next_advantage[rows, seat] = 0, values[step], result[step]
        has_next[rows, seat] = True
    return result, known


class Table:
    """Games side by side: in a quarter the network has every seat, in a quarter two, else one; `greedy` has the others."""

    def __init__(self, ruleset: Ruleset, games: int, steps: int, max_turns: int, seed: int) -> None:
        self.batch = HansaBatch(games, ruleset, seed=seed, max_turns=max_turns, autoreset=True)
        self.greedy, self.rng, self.shares = make_agent(GREEDY, ruleset), np.random.default_rng(seed), deque[float](maxlen=300)
        shape = steps, games
        self.observations = np.empty((*shape, self.batch.observation_size), np.int8)
        self.masks, self.own, self.over = np.empty((*shape, self.batch.num_actions), np.bool_), *np.empty((2, *shape), np.bool_)
        self.seats, self.actions = np.empty(shape, np.int8), np.empty(shape, np.int64)
        self.values, self.log_probs = np.zeros((2, *shape), np.float32)
        self.worth = np.zeros((*shape, ruleset.players), np.float32)
        self.learns = self._seat(games)
        self._spread(200)

    def _seat(self, games: int) -> np.ndarray:
        """Which seats of new games learn, (games, P) bool."""
        players = self.worth.shape[2]
        count = self.rng.choice([players, 2, 1], games, p=[0.25, 0.25, 0.5])
        return self.rng.random((games, players)).argsort(1) < count[:, None]

    def _spread(self, most: int) -> None:
        """`greedy` plays each game up to a decision drawn at random: games that begin together stay in step for long."""
        begins = self.rng.integers(most, size=self.batch.num_games)
        for number in range(most):
            said = self.greedy.act(self.batch.games, self.batch.action_mask, self.batch.seat)
            self.batch.step(np.where(number < begins, said, -1))  # −1: this game waits

    @torch.no_grad()
    def play(self, network: Network) -> None:
        """One rollout; `shares` has the win shares of lone learners in the games that ended recently."""
        batch, rows = self.batch, np.arange(self.batch.num_games)
        self.worth[:] = 0
        for step in range(len(self.seats)):
            batch.observe(out=self.observations[step])
            batch.write_mask(self.masks[step])
            self.seats[step], self.own[step] = batch.seat, self.learns[rows, batch.seat]
            own, others = np.flatnonzero(self.own[step]), np.flatnonzero(~self.own[step])
            logits, values = network(torch.from_numpy(self.observations[step, own]), torch.from_numpy(self.masks[step, own]))
            policy = torch.distributions.Categorical(logits=logits, validate_args=False)
            action = policy.sample()
            self.actions[step, own], self.values[step, own] = action, values
            self.log_probs[step, own] = policy.log_prob(action)
            self.actions[step, others] = self.greedy.act(batch.games[others], self.masks[step, others], batch.seat[others])
            batch.step(self.actions[step])
            self.over[step] = batch.ended
            for game in np.flatnonzero(batch.ended):
                total = batch.final_scores[game, :, TOTAL].astype(np.float32)
                ahead = total - [np.delete(total, seat).max() for seat in range(len(total))]
                self.worth[step, game] = 0.5 * batch.rewards[game] + 0.5 * ahead / 20  # half a win, half a lead
                if self.learns[game].sum() == 1:
                    self.shares.append(float((batch.rewards[game, self.learns[game]][0] * (len(total) - 1) + 1) / len(total)))
                self.learns[game] = self._seat(1)[0]

    def rows(self, smoothing: float) -> list[Tensor]:
        """What is to be learned from: observations, masks, actions, their log-probabilities, advantages, returns."""
        advantage, known = advantages(self.seats, self.own, self.values, self.worth, self.over, smoothing)
        parts = self.observations, self.masks, self.actions, self.log_probs, advantage, advantage + self.values
        return [torch.from_numpy(part[known]) for part in parts]


def learn(
    network: Network, optimizer: torch.optim.Optimizer, data: list[Tensor], options: argparse.Namespace, value_alone: bool
) -> tuple[float, float]:
    """One update of PPO; how far it moved the policy (the approximate KL divergence in nats), and the entropy."""
    network.requires_grad_(not value_alone)
    network.value.requires_grad_(True)
    mean, spread = data[4].mean(), data[4].std() + 1e-8
    moved, entropies = [], []
    for rows in [rows for _ in range(options.epochs) for rows in torch.randperm(len(data[0])).split(options.minibatch)]:
        seen, legal, action, old_log_prob, gain, goal = (part[rows] for part in data)
        logits, value = network(seen, legal)
        policy = torch.distributions.Categorical(logits=logits, validate_args=False)
        log_ratio, entropy = policy.log_prob(action) - old_log_prob, policy.entropy().mean()
        gain, ratio = (gain - mean) / spread, log_ratio.exp()
        clipped = torch.min(ratio * gain, ratio.clamp(1 - options.clip, 1 + options.clip) * gain).mean()
        loss = options.value_weight * (value - goal).square().mean()
        if not value_alone:
            loss = loss - clipped - options.entropy * entropy
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
        moved.append((ratio - 1 - log_ratio).mean().item())
        entropies.append(entropy.item())
    return float(np.mean(moved)), float(np.mean(entropies))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copied", type=int, default=650_000, help="decisions of greedy's to learn from first")
    parser.add_argument("--decisions", type=int, default=2_500_000, help="of the network's seats")
    parser.add_argument("--games", type=int, default=512, help="games side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions of each game in a rollout")
    parser.add_argument("--value-rollouts", type=int, default=6, help="first of all, in which the value alone is learned")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--learning-rate", type=float, default=1.5e-3, help="the largest; it follows how far the policy moves")
    parser.add_argument("--divergence", type=float, default=0.02, help="how far a rollout should move it, in nats")
    parser.add_argument("--smoothing", type=float, default=0.96, help="lambda of GAE")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.02)
    parser.add_argument("--value-weight", type=float, default=5.0)
    parser.add_argument("--max-turns", type=int, default=100, help="turns per seat; then the board is scored as it stands")
    parser.add_argument("--test-games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    torch.set_num_threads(1)  # layers are small, and figures are the same on any number of cores
    torch.manual_seed(options.seed)
    ruleset, began = Ruleset(players=3), time.perf_counter()
    table = Table(ruleset, options.games, options.steps, options.max_turns, options.seed + 1)
    network = Network(ruleset, table.batch.num_actions)
    if options.copied:
        imitate(network, ruleset, options.copied, options.games, options.minibatch, options.seed)

    optimizer = torch.optim.Adam(network.parameters(), options.learning_rate, eps=1e-5)
    rate, done, rollout = options.learning_rate, 0, 0
    average = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(0.95))  # plays better than any it is made of
    while done < options.decisions:
        value_alone = rollout < options.value_rollouts
        table.play(network)
        data = table.rows(options.smoothing)
        divergence, entropy = learn(network, optimizer, data, options, value_alone)
        done, rollout = done + len(data[0]), rollout + 1
        if rollout == options.value_rollouts:
            rate = options.learning_rate / 10  # the optimiser knows nothing yet of the policy's gradients
        elif not value_alone:
            rate *= 1 / 1.5 if divergence > 2 * options.divergence else 1.5 if divergence < options.divergence / 2 else 1
        left = min(1.0, max(0.05, (1 - done / options.decisions) / 0.4))
        rate = min(rate, options.learning_rate * left)
        optimizer.param_groups[0]["lr"] = rate
        average.update_parameters(network)
        if rollout % 5 == 0 or done >= options.decisions:
            seconds = time.perf_counter() - began
            share = np.mean(table.shares) if table.shares else np.nan
            print(f"{done:>9,} decisions, {seconds / 60:.1f} minutes: {share:.0%} against greedy, "
                  f"entropy {entropy:.2f}, divergence {divergence:.3f}, learning rate {rate:.1e}")  # fmt: skip

    agents = [NetworkAgent(average), GREEDY, GREEDY]
    print_match(play_match(agents, ruleset, options.test_games, seed=1, max_turns=options.max_turns))


if __name__ == "__main__":
    main()
