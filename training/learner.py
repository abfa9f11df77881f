"""What a run trains: MaskablePPO, after a warm start, by self-play. All of its state can be taken out and put back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import Logger

from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent
from hansa_training.model_file import model_bytes
from hansa_training.plan import Plan
from hansa_training.policy import NETWORK, policy_kwargs
from hansa_training.self_play import SelfPlay, frozen_copy
from hansa_training.shaping import potential
from hansa_training.state import (
    contents,
    optimiser_state,
    random_state,
    set_contents,
    set_optimiser_state,
    set_random_state,
    tensors,
)
from hansa_training.warm_start import Imitation


class Learner:
    """The learner of a plan, at its beginning; making one seeds the process's random generators.

    Attributes:
        model: the MaskablePPO.
        imitation: the warm start, None when it is over.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.environment = HansaVecEnv(
            plan.envs, plan.ruleset, ["greedy"], plan.seed, max_turns=plan.max_turns, potential=potential,
            discount=plan.discount,
        )  # fmt: skip
        self.model = MaskablePPO(
            "MlpPolicy",
            self.environment,
            learning_rate=plan.learning_rate,
            n_steps=plan.rollout,
            batch_size=plan.rows,
            n_epochs=plan.epochs,
            gamma=plan.discount,
            ent_coef=plan.entropy,
            target_kl=0.03,
            policy_kwargs=policy_kwargs(NETWORK),
            seed=plan.seed,
            device="cpu",
        )
        self.company = SelfPlay(plan.ruleset, seed=plan.seed)
        self.imitation: Imitation | None = Imitation(
            self.model.policy, plan.ruleset, plan.warm_start, plan.seed, plan.teacher_games, plan.teacher_ticks, plan.max_turns
        )
        self._end_warm_start()

    @property
    def decisions(self) -> int:
        """Decisions of self-play so far."""
        return self.model.num_timesteps

    @property
    def rollouts(self) -> int:
        """Rollouts so far."""
        return self.decisions // self.plan.round_size

    def log_to(self, logger: Logger) -> None:
        """Where training writes its measurements."""
        self.model.set_logger(logger)

    def imitate(self) -> None:
        """One round of the warm start."""
        assert self.imitation is not None, "the warm start is over"
        self.imitation.round()
        self._end_warm_start()

    def play(self, each_step: Callable[[], None]) -> None:
        """One rollout of self-play, and learning from it; `each_step` is called after every step of all games."""
        policy = self.model.policy
        value_only = self.rollouts < self.plan.value_rollouts
        for parameter in (*policy.mlp_extractor.policy_net.parameters(), *policy.action_net.parameters()):
            parameter.requires_grad_(not value_only)
        callbacks = CallbackList([self.company, _EachStep(each_step)])
        # Without resetting the count, SB3 goes on with the games and observations of the rollout before.
        self.model.learn(self.plan.round_size, callback=callbacks, reset_num_timesteps=False)

    def agent(self) -> PPOAgent:
        """An agent that plays as the learner would now, taking the likeliest actions."""
        return frozen_copy(self.model.policy, self.plan.ruleset, greedily=True)

    def model_bytes(self) -> bytes:
        """The learner as a model file."""
        return model_bytes(self.model.policy, self.plan.ruleset, NETWORK)

    def state(self) -> dict[str, Any]:
        """All that makes a run go on as if it had not stopped; the random generators are the process's."""
        model, games = self.model, self.environment
        playing = None
        if model._last_obs is not None:
            playing = {
                "environment": contents(games),
                "seats": contents(games.core),
                "games": contents(games.core.batch),
                "observations": model._last_obs,
                "starts": model._last_episode_starts,
                "episodes": [dict(episode) for episode in model.ep_info_buffer or ()],
                "company": self.company.state(),
            }
        return {
            "weights": dict(model.policy.state_dict()),
            "optimiser": optimiser_state(model.policy.optimizer),
            "decisions": model.num_timesteps,
            "updates": model._n_updates,
            "warm start": self.imitation.state() if self.imitation else None,
            "self-play": playing,
            "random": random_state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there, in a learner of the same plan. Raises `RunError` where the games do not fit this version."""
        model, games = self.model, self.environment
        model.policy.load_state_dict(tensors(state["weights"]))
        set_optimiser_state(model.policy.optimizer, state["optimiser"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        if state["warm start"] is None:
            self.imitation = None
        elif self.imitation is not None:
            self.imitation.set_state(state["warm start"])
        playing = state["self-play"]
        if playing is not None:
            games.reset()  # takes note that the seeds of the model have been used
            set_contents(games.core.batch, playing["games"])
            set_contents(games.core, playing["seats"])
            set_contents(games, playing["environment"])
            model._last_obs, model._last_episode_starts = playing["observations"], playing["starts"]
            model.ep_info_buffer = deque(playing["episodes"], maxlen=model._stats_window_size)
            model.ep_success_buffer = deque(maxlen=model._stats_window_size)
            self.company.set_state(playing["company"])
        set_random_state(state["random"])  # last: making networks and dealing games may draw from them

    def _end_warm_start(self) -> None:
        if self.imitation is not None and self.imitation.finished:
            self.imitation = None


class _EachStep(BaseCallback):
    def __init__(self, call: Callable[[], None]) -> None:
        super().__init__()
        self.call = call

    def _on_step(self) -> bool:
        self.call()
        return True
