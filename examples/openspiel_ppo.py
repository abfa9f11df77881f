"""PPO of OpenSpiel (its PyTorch version, with masks) learns Hansa Teutonica at one seat, random players at the others.

The learner's stream is from its decision to its next one, whatever the others do between. Points gained on the way are told as
a potential (`own_rewards.py`), so that it need not wait for the end of a game to hear that points are good.

Run it: `python examples/openspiel_ppo.py --steps 200000`; needs `pip install torch 'hansa-env[openspiel]'`
"""

import argparse
import time

import numpy as np
import pyspiel
import torch
from open_spiel.python.pytorch.ppo import PPO, PPOAgent
from open_spiel.python.rl_environment import StepType, TimeStep

from hansa_env import Ruleset
from hansa_env.openspiel import game_string

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=20_000, help="decisions of the learner")
parser.add_argument("--envs", type=int, default=16)
parser.add_argument("--rollout", type=int, default=128, help="decisions per environment and rollout")
parser.add_argument("--games", type=int, default=100, help="games of the final test")
parser.add_argument("--least", type=float, default=0.0, help="win share below which the test fails")
parser.add_argument("--max-turns", type=int, default=20)
parser.add_argument("--gamma", type=float, default=0.995)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
torch.manual_seed(arguments.seed)
random = np.random.default_rng(arguments.seed)
game = pyspiel.load_game(game_string(Ruleset(players=3), max_turns=arguments.max_turns))
observer = game.make_py_observer()


class Seat:
    """A game in which one seat learns; the others play at random."""

    def __init__(self) -> None:
        self.deal()

    def deal(self) -> None:
        """A new game, up to the learner's first decision."""
        self.state, self.seat = game.new_initial_state(), int(random.integers(game.num_players()))
        self.state.apply_action(int(random.integers(game.max_chance_outcomes())))
        self.others()
        self.lead = self.potential()

    def others(self) -> None:
        while not self.state.is_terminal() and self.state.current_player() != self.seat:
            self.state.apply_action(int(random.choice(self.state.legal_actions())))

    def potential(self) -> float:
        if self.state.is_terminal():
            return 0.0
        points = self.state.position.batch.scores()[0, :, -1].astype(float)
        return float(points[self.seat] - np.delete(points, self.seat).mean()) / 50

    def play(self, action: int) -> tuple[float, bool]:
        """Reward with the potential, and whether the game is over."""
        self.state.apply_action(action)
        self.others()
        before, self.lead = self.lead, self.potential()
        return self.state.returns()[self.seat] + arguments.gamma * self.lead - before, self.state.is_terminal()

    def look(self) -> TimeStep:
        observer.set_from(self.state, self.seat)
        seen = {"info_state": [observer.tensor.copy()], "legal_actions": [self.state.legal_actions(self.seat)]}
        return TimeStep(seen, None, None, StepType.MID)


agent = PPO(
    observer.tensor.shape, game.num_distinct_actions(), game.num_players(), num_envs=arguments.envs,
    steps_per_batch=arguments.rollout, learning_rate=5e-4, gamma=arguments.gamma, agent_fn=PPOAgent,
)  # fmt: skip
seats, began = [Seat() for _ in range(arguments.envs)], time.perf_counter()
for _ in range(max(1, arguments.steps // (arguments.envs * arguments.rollout))):
    for _ in range(arguments.rollout):
        said = agent.step([seat.look() for seat in seats])
        came = [seat.play(one.action) for seat, one in zip(seats, said)]
        agent.post_step([reward for reward, _ in came], [over for _, over in came])
        for seat, (_, over) in zip(seats, came):
            if over:
                seat.deal()
    agent.learn([seat.look() for seat in seats])
    rate = agent.total_steps_done / (time.perf_counter() - began)
    left = (arguments.steps - agent.total_steps_done) / rate
    done = f"{agent.total_steps_done:>8,} of {arguments.steps:,} decisions"
    print(f"{done}, {rate:,.0f}/s, {max(left, 0):.0f} s left", flush=True)

# New games, each to its end: of games that follow one another until there are enough, short ones would count for more.
shares, playing = [], [Seat() for _ in range(arguments.games)]
while playing:
    said = agent.step([seat.look() for seat in playing], is_evaluation=True)
    over = [seat.play(int(one.probs.argmax()))[1] for seat, one in zip(playing, said)]
    shares += [(2 * seat.state.returns()[seat.seat] + 1) / 3 for seat, ended in zip(playing, over) if ended]
    playing = [seat for seat, ended in zip(playing, over) if not ended]
print(f"win share {np.mean(shares):.1%} of {len(shares)} games among two random")
if np.mean(shares) < arguments.least:
    raise SystemExit(f"expected at least {arguments.least:.0%}")
