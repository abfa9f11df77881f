"""A trained network as an agent: specs `ppo`, `ppo:runs/ppo`, `ppo:model.safetensors:sample`, `ppo:model.zip:trust`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.dqn.policies import DQNPolicy

from hansa_agents import Agent
from hansa_agents.mixture import MixtureAgent
from hansa_agents.model_hash import hash_of_arrays
from hansa_agents.networks import YARDSTICKS, Shipped, network_for, networks_for
from hansa_agents.networks.answers import check_answer
from hansa_agents.networks.spec import SAMPLE, TEMPERATURE, checked_temperature, network_spec
from hansa_agents.search.foreseen import foresee
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import streams_of
from hansa_env import Ruleset
from hansa_env.play.agents import game_records, observation_rows, observations_of, without_idle_rows
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate, all_on
from hansa_training.errors import ModelError
from hansa_training.model_file import load_policy
from hansa_training.networks import evaluate, is_ours, let_compute, policy_logits, policy_of
from hansa_training.networks.computing import Computing
from hansa_training.networks.drawing import at_temperature, draw
from hansa_training.networks.recorded import Inference
from hansa_training.state import tensors
from hansa_training.workers import one_thread

_NUMBER = re.compile("[1-9][0-9]?")


def load_player(path: Path | None, ruleset: Ruleset, trust: bool = False) -> BasePolicy:
    """A policy that is to play: of `load_policy`; with None the first that comes with the project.

    In place of a path, a name of YARDSTICKS means that network, and a number N the Nth of today's. Raises `ModelError`.
    """
    if path is None or is_shipped(path):
        policy: BasePolicy = shipped_policy(ruleset, str(path or ""))
    else:
        try:
            policy = load_policy(path, ruleset, trust)
        except ModelError as error:
            if path.exists():
                raise
            names = " or ".join(YARDSTICKS)
            raise ModelError(f"{error}; expected a model file, a run's folder, or {names}") from error
    policy.set_training_mode(False)
    return policy


def is_shipped(path: Path) -> bool:
    """Whether what stands in place of a path means a network that comes with the project."""
    return str(path) in YARDSTICKS or bool(_NUMBER.fullmatch(str(path)))


def shipped_policy(ruleset: Ruleset, which: str = "") -> MaskableActorCriticPolicy:
    """The policy of a network that comes with the project, see `shipped_network`. Raises `ModelError`."""
    return _policy_of(ruleset, shipped_network(ruleset, which))


def shipped_network(ruleset: Ruleset, which: str = "") -> Shipped:
    """The network that comes with the project for a ruleset (`hansa_agents.networks`): the first of today's, one of
    `YARDSTICKS`, or today's of a number. Raises `ModelError`."""
    if not _NUMBER.fullmatch(which):
        try:
            return network_for(ruleset, which)
        except AgentError as error:
            raise ModelError(str(error)) from error
    found, number = _shipped_networks(ruleset), int(which)
    if number > len(found):
        told = "there is 1 network" if len(found) == 1 else f"there are {len(found)} networks"
        numbers = "1" if len(found) == 1 else f"1 to {len(found)}"
        raise ModelError(f"ppo:{number}: {told} for {ruleset}; expected {numbers}")
    return found[number - 1]


def _shipped_networks(ruleset: Ruleset) -> tuple[Shipped, ...]:
    """The networks among which the agent that comes with the project draws. Raises `ModelError`."""
    try:
        return networks_for(ruleset)
    except AgentError as error:
        raise ModelError(str(error)) from error


def _policy_of(ruleset: Ruleset, shipped: Shipped) -> MaskableActorCriticPolicy:
    policy = policy_of(ruleset, shipped.network, tensors(shipped.weights))
    policy.set_training_mode(False)
    return policy


def weights_hash(policy: BasePolicy) -> str:
    """What tells the weights of a policy from others."""
    return hash_of_arrays({name: tensor.cpu().numpy() for name, tensor in policy.state_dict().items()})


def look(policy: MaskableActorCriticPolicy, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits (N, A) and values (N,) of a network of this project at observations (N, D) int8 with masks (N, A). Raises
    NoAnswer where these are no numbers."""
    found = evaluate(policy, torch.from_numpy(observations), torch.from_numpy(masks))
    logits, values = (one.cpu().numpy() for one in found)
    check_answer(logits, masks, values)
    return logits, values


class PPOAgent(Agent):
    """Plays a policy.

    Args:
        ruleset: the game it is to play.
        policy: of Stable-Baselines3, this project's networks among them.
        seed: of what it draws.
        temperature: at 1 it draws from the policy as it is. Lower temperatures draw what is likely more often (an action of
            probability p as p ** (1 / temperature) says), higher ones less. At 0 it takes the likeliest action.
        inference: asks the network in its place.

    What it draws follows from its seed and the game record (see `hansa_agents.streams`), so it is given games then. So it is
    for estimates, which look at them from every seat's view. Raises AgentError where the temperature is no number from 0 to
    100.

    A network rounds otherwise when it is asked about more or fewer games at once: logits differ by some 1e-5. Where two
    actions are that close, or a draw that close to the border between two, the decision depends on the games asked beside.
    """

    estimate_sees = "games"
    values_decisions = False

    def __init__(
        self, ruleset: Ruleset, policy: BasePolicy, seed: int = 0, temperature: float = 1.0,
        inference: Inference | None = None,
    ) -> None:  # fmt: skip
        self.ruleset, self.policy, self._inference = ruleset, policy, inference
        self.seed, self.temperature = seed, checked_temperature(temperature, "ppo")
        self.sees = "games" if self.temperature else "observations"

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> Agent:
        """The agent of a spec `ppo:PATH`, with `:sample` or `:temperature=NUMBER`, `:trust`, or both after it in any order.

        PATH is a model file, the folder of a run (its newest checkpoint) or of a checkpoint, or an archive by
        Stable-Baselines3, which runs code when it is loaded and therefore needs `:trust` (or HANSA_TRUST=1); a version of the
        project (`ppo:0.2`) is the agent that came with that. Without PATH (`ppo`, `ppo::sample`) it is the agent that comes
        with the project. In some games that is a mixture of several networks; `ppo:1`, `ppo:2` and so on are one of them each.
        `:sample` draws from the policy instead of taking the likeliest action, `:temperature=NUMBER` at a temperature (at 1 it
        is `:sample`, at 0 the likeliest action). Raises `ModelError`.
        """
        if argument == "":
            raise ModelError("ppo: has no path after the colon; expected ppo:PATH, or ppo for the agent that is included")
        try:
            spec = network_spec("ppo", argument)
        except AgentError as error:
            raise ModelError(str(error)) from error
        if not spec.path:
            policies = [_policy_of(ruleset, one) for one in _shipped_networks(ruleset)]
            return player_of(ruleset, policies, seed, spec.temperature)
        policy = load_player(Path(spec.path), ruleset, spec.trust)
        if spec.temperature and isinstance(policy, DQNPolicy):
            problem = f"ppo:{argument}: is by DQN, which has no policy to draw from"
            raise ModelError(f"{problem}; leave '{SAMPLE}' or '{TEMPERATURE}...' out")
        return cls(ruleset, policy, seed, spec.temperature)

    def ask_by(self, inference: Inference) -> None:
        """From now on a network of this project is asked by an inference, on the device of that, in float32."""
        if is_ours(self.policy):
            let_compute(self.policy, Computing(device=inference.device))
            self._inference = inference

    @property
    def model_hash(self) -> str:
        """Of the weights."""
        return weights_hash(self.policy)

    @torch.no_grad()
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for observations (N, D) int8, or game records (N,), and masks (N, A) bool; −1 where nothing is
        legal. Raises NoAnswer where the network's output is no number."""
        if len(inputs) == 0:
            return np.empty(0, np.int64)
        games = game_records(inputs) if self.temperature else None
        with one_thread():
            scores = self._scores(self._seen(inputs), masks)
        check_answer(scores.cpu().numpy(), masks)
        if games is None:
            actions = scores.argmax(1).cpu().numpy()
        else:
            actions = draw(at_temperature(scores, self.temperature), streams_of(games, self.seed))[0]
        return without_idle_rows(actions, masks)

    @torch.no_grad()
    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """The probabilities of the policy, at the agent's temperature where it draws, at 1 where it takes the likeliest.

        Those of DQN are all on its decision.

        Values are those of networks of this project, as shares of the win (`hansa_agents.search.win_share`). What others
        trained foresees rewards that are not known here, so it gives none. `inputs` are game records.
        """
        games = game_records(inputs)
        with one_thread():
            scores = policy_logits(self.policy, torch.from_numpy(observations_of(self.ruleset, games)), torch.from_numpy(masks))
            check_answer(scores.cpu().numpy(), masks)
            if isinstance(self.policy, DQNPolicy):
                return Estimate(all_on(scores.argmax(1).cpu().numpy(), masks))
            policy = at_temperature(scores.float(), self.temperature or 1.0).softmax(1)
            shares = np.where(masks, policy.cpu().numpy(), 0)
            if not is_ours(self.policy):
                return Estimate(shares)
            foreseen = foresee(self.ruleset, games, partial(look, self.policy))
        return estimate_by(self.ruleset, games, shares, shares_of_win(self.ruleset, foreseen))

    def _scores(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        """Logits (N, A) of observations (N, D) and masks (N, A)."""
        if self._inference is not None and self._inference.on_gpu and isinstance(self.policy, MaskableActorCriticPolicy):
            return self._inference(self.policy, observations, masks)[0]
        return policy_logits(self.policy, torch.from_numpy(observations), torch.from_numpy(masks))

    def _seen(self, inputs: np.ndarray) -> np.ndarray:
        """Observations (N, D) int8 of what the agent is given."""
        if self.sees == "observations":
            return observation_rows(inputs, self.ruleset)
        return observations_of(self.ruleset, game_records(inputs))


def player_of(ruleset: Ruleset, policies: Sequence[BasePolicy], seed: int = 0, temperature: float = 1.0) -> Agent:
    """The agent that plays by one policy, or draws one of several for each seat of each game."""
    players = [PPOAgent(ruleset, policy, seed, temperature) for policy in policies]
    return MixtureAgent(ruleset, players, seed) if len(players) > 1 else players[0]
