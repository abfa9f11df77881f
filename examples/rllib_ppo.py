"""PPO of RLlib on as many machines as a Ray cluster has, with a network of this project, for those whose research lives there.

`hansa train` is far quicker on the same cores: RLlib moves every decision through Python objects. What matters here:

* `warmup()` comes before the runners: the first compilation takes longer than RLlib waits for a sample.
* The network of `--start` is loaded by the module itself, in every process. To set weights afterwards does not do: RLlib may
  drop the update that would tell the runners.
* Every decision that is sampled is learned from: seats that do not learn are played inside the environment.
* PyTorch has one thread in each process, since Ray has a process for each core.

Run it: `python examples/rllib_ppo.py --iterations 20`; needs `pip install torch 'hansa-env[train]' 'ray[rllib]'`. The model is
an agent: `hansa arena ppo:runs/rllib/model.safetensors random random --players 3`.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS

from hansa_agents.networks.run_models import MODEL
from hansa_env import HansaBatch, Ruleset, make_agent, warmup
from hansa_env.formats.file_writing import write_whole
from hansa_env.play.agents import ask_agents
from hansa_training.model_file import load_policy, model_bytes
from hansa_training.networks import evaluate, new_policy, spaces_of
from hansa_training.sizes import NETWORKS

LEARNER = "learner"


class HansaMultiAgentEnv(MultiAgentEnv):
    """Turns follow the game: an observation comes to whoever is asked next, rewards to every learning seat at the end.

    `config`: the arguments of `Ruleset`, and "opponents" (a spec; None = every seat learns), "all_learners" (share of the games
    in which every seat learns all the same; in the others one does), "max_turns", "reward".
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        settings = dict(config or {})
        opponents, self.all_learners = settings.pop("opponents", None), settings.pop("all_learners", 0.5)
        max_turns, reward = settings.pop("max_turns", 100), settings.pop("reward", "margin")
        self.ruleset = Ruleset(**settings)
        observation, action = spaces_of(self.ruleset)
        whole = spaces.Dict({"observations": observation, "action_mask": spaces.Box(0, 1, (int(action.n),), np.int8)})
        self.possible_agents = [f"player_{seat}" for seat in range(self.ruleset.players)]
        self.agents, self.learning = list(self.possible_agents), list(range(self.ruleset.players))
        self.observation_spaces = dict.fromkeys(self.possible_agents, whole)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self.batch = HansaBatch(1, self.ruleset, max_turns=max_turns, reward=reward)
        self.opponent = None if opponents is None else make_agent(opponents, self.ruleset)
        self.random = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.batch.reset(seeds=[int(self.random.integers(2**63))])
        self.learning = list(range(self.ruleset.players))
        if self.opponent is not None and self.random.random() >= self.all_learners:
            self.learning = [int(self.random.integers(self.ruleset.players))]
        self.agents = [self.possible_agents[seat] for seat in self.learning]
        self.let_opponents_play()
        return self.observations(), {}

    def step(self, action_dict: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        (action,) = action_dict.values()
        self.batch.step(np.array([action]))
        self.let_opponents_play()
        rewards = {self.possible_agents[seat]: float(self.batch.rewards[0, seat]) for seat in self.learning}
        return self.observations(), rewards, {"__all__": bool(self.batch.ended[0])}, {"__all__": False}, {}

    def let_opponents_play(self) -> None:
        while not self.batch.ended[0] and self.batch.seat[0] not in self.learning:
            self.batch.step(ask_agents([self.opponent], np.zeros(1, np.int64), self.ruleset, self.batch.games))

    def observations(self) -> dict[str, dict[str, np.ndarray]]:
        """Of the seat that decides; at the end of every learning seat, with nothing masked, since nothing is chosen."""
        mask, seats = self.batch.action_mask[0].astype(np.int8), [int(self.batch.seat[0])]
        if self.batch.ended[0]:
            mask, seats = np.ones_like(mask), self.learning
        seen = {seat: self.batch.observe(seats=seat)[0] for seat in seats}
        return {self.possible_agents[seat]: {"observations": one, "action_mask": mask} for seat, one in seen.items()}


class HansaModule(TorchRLModule, ValueFunctionAPI):
    """A network of `hansa train` with action masks; `model_config` has "ruleset", "network" (a name in NETWORKS), "start"."""

    def setup(self) -> None:
        torch.set_num_threads(1)
        ruleset, start = Ruleset(**self.model_config["ruleset"]), self.model_config["start"]
        self.policy = new_policy(ruleset, NETWORKS[self.model_config["network"]])
        if start is not None:
            self.policy.load_state_dict(load_policy(Path(start), ruleset).state_dict())

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        return {Columns.ACTION_DIST_INPUTS: self.look(batch)[0]}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.look(batch)[1]

    def look(self, batch: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (N, A) and values (N,)."""
        seen = batch[Columns.OBS]
        return evaluate(self.policy, seen["observations"], seen["action_mask"].bool())


def the_learner(agent: str, episode: Any, **_: Any) -> str:
    """Every seat that RLlib hears of learns."""
    return LEARNER


def configuration(settings: dict[str, Any], opponents: str | None, runners: int, games: int, batch: int, network: str,
                  max_turns: int, start: str | None) -> PPOConfig:  # fmt: skip
    """PPO on the new API stack; `settings` are the arguments of the ruleset."""
    module = RLModuleSpec(HansaModule, model_config={"ruleset": settings, "network": network, "start": start})
    return (
        PPOConfig()
        .environment(
            HansaMultiAgentEnv,
            env_config=settings | {"opponents": opponents, "max_turns": max_turns},
            disable_env_checking=True,  # the check plays without masks
        )
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=games, sample_timeout_s=600)
        .multi_agent(policies={LEARNER}, policies_to_train=[LEARNER], policy_mapping_fn=the_learner)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: module}))
        .training(
            lr=3e-4, gamma=1.0, lambda_=0.96, clip_param=0.2, entropy_coeff=0.001, vf_loss_coeff=5.0, vf_clip_param=100.0,
            use_kl_loss=False, num_epochs=2, minibatch_size=min(1024, batch), train_batch_size_per_learner=batch, grad_clip=0.5,
        )
    )  # fmt: skip


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/rllib"), help="where the model goes")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--opponents", default="random", help="an agent that holds the other seats in half of the games")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--runners", type=int, default=1, help="processes that play")
    parser.add_argument("--games", type=int, default=8, help="games side by side in each of them")
    parser.add_argument("--batch", type=int, default=4096, help="decisions an iteration")
    parser.add_argument("--network", default="board")
    parser.add_argument("--max-turns", type=int, default=30)
    parser.add_argument("--start", help="a model file of `hansa train` to begin with")
    parser.add_argument("--address", help="of a Ray cluster; by default one is started on this machine")
    arguments = parser.parse_args(given)
    settings = {"players": arguments.players}
    ruleset = Ruleset(**settings)
    warmup()
    ray.init(address=arguments.address, log_to_driver=False, include_dashboard=False)
    algorithm = configuration(
        settings, arguments.opponents, arguments.runners, arguments.games, arguments.batch, arguments.network,
        arguments.max_turns, None if arguments.start is None else str(Path(arguments.start).resolve()),
    ).build_algo()  # fmt: skip
    began = time.perf_counter()
    try:
        for number in range(1, arguments.iterations + 1):
            played = algorithm.train()[ENV_RUNNER_RESULTS]
            reward = played.get("module_episode_returns_mean", {}).get(LEARNER, float("nan"))
            decisions, seconds = played["num_env_steps_sampled_lifetime"], time.perf_counter() - began
            left = seconds / number * (arguments.iterations - number)
            print(f"iteration {number} of {arguments.iterations}: {decisions:,.0f} decisions, {decisions / seconds:,.0f}/s, "
                  f"mean reward of learning seats {reward:+.3f}, {left:.0f} s left", flush=True)  # fmt: skip
        arguments.folder.mkdir(parents=True, exist_ok=True)
        policy = algorithm.get_module(LEARNER).policy
        write_whole(arguments.folder / MODEL, model_bytes(policy, ruleset, NETWORKS[arguments.network]))
        print(f"{arguments.folder / MODEL} is written")
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
