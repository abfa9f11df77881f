"""The PettingZoo loop: every seat an agent, one decision at a time.

Run it: `python examples/pettingzoo_loop.py --players 4`
"""

import argparse

from hansa_env import hansa_teutonica_v0

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--players", type=int, default=3)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--max-turns", type=int, default=20)
arguments = parser.parse_args()

env = hansa_teutonica_v0.env(players=arguments.players, max_turns=arguments.max_turns, render_mode="ansi")
env.reset(seed=arguments.seed)
for seat, agent in enumerate(env.possible_agents):
    env.action_space(agent).seed(seat)  # `sample` draws from the space's own generator

decisions, rewards, places = 0, {}, {}
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        rewards[agent], places[agent] = reward, info["rank"] + 1
        env.step(None)  # PettingZoo takes leave of each agent in turn
        continue
    # The mask is a part of the observation; an action outside of it would end the game with a reward of −1.
    action = env.action_space(agent).sample(observation["action_mask"])
    if decisions == 40:
        print(env.render())
    env.step(action)
    decisions += 1

print(f"{decisions} decisions")
for agent in env.possible_agents:
    print(f"{agent}: place {places[agent]}, reward {rewards[agent]:+.2f}")
env.close()
