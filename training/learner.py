"""What a run trains: PPO after a warm start, by self-play in a league. All of its state can be taken out and put back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import get_device

from hansa_env import Ruleset, make_agent
from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent, load_player
from hansa_training.average import Average
from hansa_training.errors import ModelError
from hansa_training.league import Company, League
from hansa_training.model_file import model_bytes
from hansa_training.networks import Computing, frozen, let_compute, new_policy, policy_arguments, set_weights, weights_of
from hansa_training.plan import Plan
from hansa_training.ppo import SelfPlayPPO
from hansa_training.rollout import SeatBuffer
from hansa_training.shard import Shard
from hansa_training.sizes import NETWORKS
from hansa_training.state import optimiser_state, random_state, set_optimiser_state, set_random_state, tensors
from hansa_training.warm_start import Imitation
from hansa_training.workers import Workers, split_evenly
from hansa_training.worth import worth_of

#: Rollouts after which Stable-Baselines3 would write its log; `play` does.
NEVER_BY_ITSELF = 2**31
#: The policy begins at this share of the learning rate: the optimiser knows nothing yet of the size of its gradients. From
#: there it may rise to all of it, until over the last part of the run it shrinks down to the last share. A policy that was
#: given at the start begins lower still: it has more to lose.
FIRST_RATE, STARTED_RATE, LAST_RATE = 0.1, 0.02, 0.05


class Learner:
    """The learner of a plan, at its beginning; making one seeds the process's random generators.

    Attributes:
        model: the PPO.
        league: whom it meets.
        imitation: the warm start, None when it is over.
        average: of the policy's weights; these are what is measured and kept as the model.
        rollouts: of self-play so far.
        figures: of the last rollout, by name, as they are logged.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.network = plan, NETWORKS[plan.network]
        ruleset = plan.ruleset
        self.environment = HansaVecEnv(1, ruleset)  # lends its spaces
        self.computing = computing_of(plan.precision, plan.device)
        policy, arguments = policy_arguments(ruleset, self.network)
        self.model = SelfPlayPPO(
            policy,
            self.environment,
            learning_rate=plan.learning_rate,
            n_steps=plan.rollout,
            batch_size=plan.batch_size,
            n_epochs=plan.n_epochs,
            gamma=plan.gamma,
            gae_lambda=plan.gae_lambda,
            clip_range=plan.clip_range,
            ent_coef=plan.ent_coef,
            vf_coef=plan.vf_coef,
            rollout_buffer_class=SeatBuffer,
            policy_kwargs=arguments,
            seed=plan.seed,
            device=self.computing.device,
        )
        self.model.divergence = plan.target_kl
        let_compute(self.model.policy, self.computing)
        company = Company(plan.all_learners, plan.two_learners, plan.mixed, plan.from_frozen, plan.at_once)
        self.league = League(ruleset, self.network, plan.met, plan.in_turns, plan.snapshots, company, self.computing)
        self.model.workers = self.workers = Workers(min(plan.threads, plan.shards))
        self.model.shards = [self._shard(i, games) for i, games in enumerate(split_evenly(plan.envs, plan.shards))]
        self.imitation: Imitation | None = Imitation(
            self.model.policy, ruleset, plan.warm_start, plan.seed, plan.teacher_games, plan.teacher_ticks, plan.max_turns,
            plan.teacher, shards=plan.shards, workers=self.workers,
        )  # fmt: skip
        self.average = Average(self.model.policy, plan.average)
        self.rollouts, self._before_last = 0, 0
        self.figures: dict[str, float] = {}
        self._end_warm_start()

    def _shard(self, index: int, games: int) -> Shard:
        plan, spaces = self.plan, (self.environment.observation_space, self.environment.action_space)
        buffer = SeatBuffer(plan.rollout, *spaces, self.computing.device, plan.gae_lambda, plan.gamma, games)
        seed = plan.seed + 1_000_003 * (index + 1)
        worth = worth_of(plan)
        return Shard(plan.ruleset, buffer, self.league, seed, plan.max_turns, worth, plan.from_middle)

    @property
    def decisions(self) -> int:
        """Decisions of self-play so far, of the learner's seats."""
        return self.model.num_timesteps

    @property
    def finished(self) -> bool:
        """Whether self-play is over."""
        return self.decisions >= self.plan.self_play

    @property
    def overshot(self) -> bool:
        """Whether the plan asks for less than has been done already."""
        return self._before_last >= self.plan.self_play and self.rollouts > 0

    def log_to(self, logger: Logger) -> None:
        """Where training writes its measurements."""
        self.model.set_logger(logger)

    def start(self) -> None:
        """Begin with the weights that the plan names, if any. Raises `ModelError`."""
        if self.plan.start:
            set_weights(self.model.policy, started_from(self.plan.start, self.plan.ruleset, self.network))
            self.average.restart(self.model.policy)

    def imitate(self) -> None:
        """One round of the warm start."""
        assert self.imitation is not None, "the warm start is over"
        self.imitation.round()
        self.average.restart(self.model.policy)
        self._end_warm_start()

    def play(self) -> None:
        """One rollout of self-play, and learning from it."""
        model, plan = self.model, self.plan
        if self.rollouts == 0:
            for shard in model.shards:
                shard.desynchronise(make_agent(plan.teacher, plan.ruleset))
        if plan.takes_snapshots and self.rollouts >= plan.value_rollouts and self.rollouts % plan.snapshot_every == 0:
            self.league.add_snapshot(self.average.weights, f"rollout {self.rollouts}")
            self.league.draw_frozen(model.shards[0].random)
            self.league.forget({number for shard in model.shards for number in shard.seated()})
        elif self.rollouts % plan.meet_every == 0:
            self.league.draw_frozen(model.shards[0].random)
        model.value_only = self.rollouts < plan.value_rollouts
        if self.rollouts == plan.value_rollouts:
            model.rate = plan.learning_rate * (STARTED_RATE if plan.start else FIRST_RATE)
        model.limit_rate(self._largest_rate())
        self._before_last = self.decisions
        # Without resetting the count, SB3 goes on with the decisions of the rollouts before.
        model.learn(1, log_interval=NEVER_BY_ITSELF, reset_num_timesteps=False)
        self.rollouts += 1
        if model.value_only:
            self.average.restart(model.policy)
        else:
            self.average.note(model.policy)
        self.figures = {name: float(value) for name, value in model.logger.name_to_value.items()}
        model.logger.record("time/decisions", self.decisions)
        model.logger.dump(self.decisions)

    def _largest_rate(self) -> float:
        plan, left = self.plan, 1 - self.decisions / self.plan.self_play
        return plan.learning_rate * (max(LAST_RATE, left / plan.decay) if left < plan.decay else 1.0)

    def agent(self, greedily: bool = True) -> PPOAgent:
        """An agent that plays by the averaged weights, taking the likeliest actions or drawing them."""
        return PPOAgent(self.plan.ruleset, self._averaged(), self.plan.seed, greedily)

    def model_bytes(self) -> bytes:
        """The averaged weights as a model file."""
        return model_bytes(self._averaged(), self.plan.ruleset, self.network)

    def _averaged(self) -> MaskableActorCriticPolicy:
        return frozen(self.plan.ruleset, self.network, self.average.weights, self.computing)

    def state(self) -> dict[str, Any]:
        """All that makes a run go on as if it had not stopped; the random generators are the process's."""
        model = self.model
        return {
            "weights": weights_of(model.policy),
            "average": self.average.state(),
            "optimiser": optimiser_state(model.policy.optimizer),
            "decisions": model.num_timesteps,
            "before last": self._before_last,
            "rollouts": self.rollouts,
            "updates": model._n_updates,
            "figures": self.figures,
            "warm start": self.imitation.state() if self.imitation else None,
            "league": self.league.state(),
            "shards": [shard.state() for shard in model.shards],
            "random": random_state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there, in a learner of the same plan. Raises `RunError` where the games do not fit this version."""
        model = self.model
        set_weights(model.policy, tensors(state["weights"]))
        self.average.set_state(state["average"])
        set_optimiser_state(model.policy.optimizer, state["optimiser"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        self.rollouts, self._before_last, self.figures = state["rollouts"], state["before last"], state["figures"]
        if state["warm start"] is None:
            self.imitation = None
        elif self.imitation is not None:
            self.imitation.set_state(state["warm start"])
        self.league.set_state(state["league"])
        for shard, kept in zip(model.shards, state["shards"]):
            shard.set_state(kept)
        set_random_state(state["random"])  # last: making networks and dealing games may draw from them

    def close(self) -> None:
        """Let the threads go."""
        self.workers.close()

    def _end_warm_start(self) -> None:
        if self.imitation is not None and self.imitation.finished:
            self.imitation = None


def started_from(start: str, ruleset: Ruleset, network: dict[str, Any]) -> dict[str, torch.Tensor]:
    """The weights of "ppo", the agent that comes with the project, or of a model file or a run's folder, which has to be a
    network of this kind. Raises `ModelError`."""
    policy = load_player(None if start == "ppo" else Path(start), ruleset)
    if not isinstance(policy, MaskableActorCriticPolicy):
        raise ModelError(f"{start}: is a {type(policy).__name__}; expected a network of this project")
    weights, own = weights_of(policy), weights_of(new_policy(ruleset, network))
    if {name: one.shape for name, one in weights.items()} != {name: one.shape for name, one in own.items()}:
        raise ModelError(f"{start}: is not a network of the kind and size that is to learn ({network}); see --network")
    return weights


def computing_of(precision: str, device: str) -> Computing:
    """How a network computes on this machine: of device "auto", on a GPU where there is one; of precision "auto", in bfloat16
    where the device can."""
    place = get_device(device)
    if precision == "auto":
        half = torch.cuda.is_bf16_supported(False) if place.type == "cuda" else torch.cpu._is_avx512_bf16_supported()
        precision = "bfloat16" if half else "float32"
    return Computing(torch.bfloat16 if precision == "bfloat16" else torch.float32, place)
