"""The environments under the checkers of Gymnasium, Stable-Baselines3 and PettingZoo, and the mask in the observation.

Checkers step with `action_space.sample()` and know no masks. With illegal_action="substitute" a legal action, drawn from the
game's own numbers, is played instead of an illegal one, and `info["substituted"]` says so. Learners should use the mask.

Run it: `python examples/checkers.py`. Stable-Baselines3 comes with the extra `train`; without it its checker is left out.
"""

import argparse
import warnings

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import hansa_env  # noqa: F401  (makes the environments known to Gymnasium)
from hansa_env import hansa_teutonica_v0

ID = "hansa/HansaTeutonica-v0"


def gymnasium_and_sb3(players: int) -> None:
    options = {"players": players, "opponents": "random", "max_turns": 30, "render_mode": "ansi"}
    check_env(gymnasium.make(ID, **options, illegal_action="substitute").unwrapped)
    print("Gymnasium's check_env passes")
    try:
        from stable_baselines3.common.env_checker import check_env as check_env_sb3
    except ModuleNotFoundError:
        print("Stable-Baselines3 is not installed: its check_env is left out")
        return
    with warnings.catch_warnings():  # it takes every int8 vector for a picture of unusual size
        warnings.filterwarnings("ignore", "Your observation .* has an unconventional shape")
        check_env_sb3(gymnasium.make(ID, **options, illegal_action="substitute").unwrapped)
    print("Stable-Baselines3's check_env passes")


def pettingzoo(players: int, cycles: int) -> None:
    # PettingZoo's test uses the mask, which is always a part of this environment's observation.
    with warnings.catch_warnings():  # of what it only recommends: observations of another shape and kind
        warnings.simplefilter("ignore")
        api_test(hansa_teutonica_v0.env(players=players), num_cycles=cycles)


def mask_in_the_observation(players: int) -> None:
    """For trainers that look for the mask there, and not in `info`: the space is a Dict then."""
    env = gymnasium.make(ID, players=players, opponents="greedy", mask_in_observation=True, max_turns=30)
    env.action_space.seed(1)
    observation, info = env.reset(seed=1)
    print({name: f"{space.shape} {space.dtype}" for name, space in env.observation_space.items()})
    done, decisions = False, 0
    while not done:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done, decisions = terminated or truncated, decisions + 1
    print(f"a game: {decisions} decisions, reward {reward:+.2f}, place {info['rank'] + 1} of {players}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--cycles", type=int, default=200, help="of PettingZoo's test")
    arguments = parser.parse_args()
    gymnasium_and_sb3(arguments.players)
    pettingzoo(arguments.players, arguments.cycles)
    mask_in_the_observation(arguments.players)


if __name__ == "__main__":
    main()
