"""`python -m hansa_training.rllib`: PPO of RLlib, on as many machines as the Ray cluster has."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import ray
import typer
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS

from hansa_env import Ruleset
from hansa_env.formats.files import write_whole
from hansa_env.play.arguments import MAX_TURNS
from hansa_training.model_file import MODEL, load_policy, model_bytes
from hansa_training.rllib.environment import HansaMultiAgentEnv
from hansa_training.rllib.league import LEARNER, SNAPSHOT, League, who_plays
from hansa_training.rllib.network import HansaModule
from hansa_training.sizes import NETWORKS


def configuration(
    players: int = 3, opponents: str | None = "greedy", runners: int = 2, games: int = 8, batch: int = 8192,
    network: str = "board", max_turns: int = MAX_TURNS, board: str | None = None,
) -> PPOConfig:  # fmt: skip
    """PPO on the new API stack, with the learner, its snapshot and an agent at the tables.

    Args:
        players, board, opponents, max_turns: of the environment.
        runners: processes that play, `games` side by side in each; 0 = the process that learns plays too.
        batch: decisions per iteration.
        network: a name in NETWORKS.
    """
    settings = {"players": players, "board": board}
    module = partial(RLModuleSpec, HansaModule, model_config={"ruleset": settings, "network": network})
    return (
        PPOConfig()
        .environment(
            HansaMultiAgentEnv,
            env_config=settings | {"opponents": opponents, "max_turns": max_turns},
            disable_env_checking=True,  # the check plays without masks
        )
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=games)
        .multi_agent(
            policies={LEARNER, SNAPSHOT},
            policies_to_train=[LEARNER],
            policy_mapping_fn=partial(who_plays, players=players),
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: module(), SNAPSHOT: module()}))
        .training(
            lr=3e-4, gamma=1.0, lambda_=0.96, clip_param=0.2, entropy_coeff=0.001, vf_loss_coeff=5.0, vf_clip_param=100.0,
            use_kl_loss=False, num_epochs=2, minibatch_size=min(1024, batch), train_batch_size_per_learner=batch, grad_clip=0.5,
        )
        .callbacks(League)
    )  # fmt: skip


def main(
    folder: Annotated[Path, typer.Option(help="where the model goes")] = Path("runs/rllib"),
    players: int = 3,
    opponents: Annotated[str, typer.Option(help="an agent that holds the other seats in half of the games")] = "greedy",
    iterations: int = 100,
    runners: Annotated[int, typer.Option(help="processes that play")] = 2,
    games: Annotated[int, typer.Option(help="games side by side in each of them")] = 8,
    batch: Annotated[int, typer.Option(help="decisions an iteration")] = 8192,
    network: str = "board",
    max_turns: int = MAX_TURNS,
    board: Annotated[str | None, typer.Option(help="by default the one for that number of players")] = None,
    start: Annotated[Path | None, typer.Option(help="a model file to begin with")] = None,
    address: Annotated[str | None, typer.Option(help="of a Ray cluster; by default one is started on this machine")] = None,
) -> None:
    """Train and write `model.safetensors`, which plays as `ppo:FOLDER/model.safetensors`."""
    ray.init(address=address, log_to_driver=False, include_dashboard=False)
    ruleset = Ruleset(players, board=board)
    algorithm = configuration(players, opponents, runners, games, batch, network, max_turns, board).build_algo()
    try:
        if start is not None:
            weights = {f"policy.{name}": one.numpy() for name, one in load_policy(start, ruleset).state_dict().items()}
            algorithm.set_state({"learner_group": {"learner": {"rl_module": {LEARNER: weights, SNAPSHOT: weights}}}})
        for number in range(1, iterations + 1):
            result = algorithm.train()
            played = result[ENV_RUNNER_RESULTS]
            reward = played.get("module_episode_returns_mean", {}).get(LEARNER, float("nan"))
            typer.echo(f"iteration {number} of {iterations}: {played['num_env_steps_sampled_lifetime']:,.0f} decisions, "
                       f"mean reward of the learner's seats {reward:+.3f}")  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        policy = algorithm.get_module(LEARNER).policy
        write_whole(folder / MODEL, model_bytes(policy, ruleset, NETWORKS[network]))
        typer.echo(f"{folder / MODEL} is written")
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    typer.run(main)
