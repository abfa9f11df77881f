"""A network in an ONNX file as an agent: `onnx:FILE`, `onnx:FILE:temperature=0.5`. Needs the extra `onnx`, and no torch."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np

from hansa_agents.exported.description import KEY, LOGITS, MASKS, OBSERVATIONS, POLICY, VALUE, checked
from hansa_agents.exported.graph import LARGEST
from hansa_agents.exported.session import session_of
from hansa_agents.exported.trial import Trials
from hansa_agents.networks.answers import check_answer
from hansa_agents.networks.spec import SAMPLE, TEMPERATURE, checked_temperature, network_spec, policy_at
from hansa_agents.search.foreseen import foresee
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_agents.streams import streams_of
from hansa_env import AgentError, Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_env.formats.file_reading import read_at_most
from hansa_env.play.agents import Agent, game_records, observation_rows, observations_of, without_idle_rows
from hansa_env.play.estimates import Estimate

#: Numbers of the largest array of a network, all positions together, that it is asked about at once: 64 MB.
MOST_AT_ONCE = 2**24
#: Of all files that this process plays.
TRIALS = Trials()


class OnnxAgent(Agent):
    """Plays a policy, by default its likeliest action; or draws, by its seed and the game record.

    Args:
        ruleset: the game it is to play.
        data: of the file; name: for messages.
        seed: of what it draws.
        temperature: at which it draws, as `hansa_training.agent.PPOAgent`; at 0 it takes the likeliest action.

    Raises AgentError where the file is no network of this project, or of another game.
    """

    estimate_sees = "games"
    values_decisions = False

    def __init__(self, ruleset: Ruleset, data: bytes, name: str, seed: int = 0, temperature: float = 0.0) -> None:
        self._rows = max(1, MOST_AT_ONCE // TRIALS.check(data, name))
        self._session = session_of(data)
        self.description = checked(name, self._session.get_modelmeta().custom_metadata_map.get(KEY), ruleset)
        self._check_ends(name, ruleset)
        self.ruleset, self.seed, self.temperature = ruleset, seed, checked_temperature(temperature, "onnx")
        self.sees = "games" if self.temperature else "observations"
        self._hash = sha256(data).hexdigest()

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> OnnxAgent:
        """The agent of a spec `onnx:FILE`, with `:sample` or `:temperature=NUMBER` behind it where it is to draw.

        Raises AgentError.
        """
        spec = network_spec("onnx", argument)
        if not spec.path or spec.trust:
            forms = f"onnx:FILE, onnx:FILE:{SAMPLE} or onnx:FILE:{TEMPERATURE}NUMBER"
            raise AgentError(f"onnx:{argument or ''}: expected {forms}")
        try:
            data = read_at_most(Path(spec.path), LARGEST)
        except OSError as error:
            raise AgentError(f"onnx:{spec.path}: cannot be read ({error.strerror})") from error
        return cls(ruleset, data, spec.path, seed, spec.temperature)

    @property
    def model_hash(self) -> str:
        """Of the file."""
        return self._hash

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for observations (N, D) int8, or game records (N,) where it draws. Raises NoAnswer where the
        network's output is no number."""
        if len(inputs) == 0:
            return np.empty(0, np.int64)
        if not self.temperature:
            (logits,) = self._run([LOGITS], observation_rows(inputs, self.ruleset), masks)
            check_answer(logits, masks)
            return without_idle_rows(logits.argmax(1).astype(np.int64), masks)
        games = game_records(inputs)
        reached = self._policy(games, masks).cumsum(1)
        drawn = (streams_of(games, self.seed) >> np.uint64(40)).astype(np.float64) / 2**24
        return without_idle_rows((reached > drawn[:, None] * reached[:, -1:]).argmax(1), masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """The probabilities of the policy, at the agent's temperature where it draws, and its values as shares of the win;
        `inputs` are game records."""
        games = game_records(inputs)
        policy = self._policy(games, masks)
        foreseen = foresee(self.ruleset, games, self._look)
        return estimate_by(self.ruleset, games, policy, shares_of_win(self.ruleset, foreseen))

    def _look(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = self._run([LOGITS, VALUE], observations, masks)
        check_answer(logits, masks, values)
        return logits, values

    def _policy(self, games: np.ndarray, masks: np.ndarray) -> np.ndarray:
        (logits,) = self._run([LOGITS], observations_of(self.ruleset, games), masks)
        check_answer(logits, masks)
        return policy_at(logits, masks, self.temperature or 1.0)

    def _run(self, wanted: list[str], observations: np.ndarray, masks: np.ndarray) -> list[np.ndarray]:
        pieces = [slice(first, first + self._rows) for first in range(0, max(1, len(masks)), self._rows)]
        found = [self._session.run(wanted, {OBSERVATIONS: observations[rows], MASKS: masks[rows]}) for rows in pieces]
        return found[0] if len(found) == 1 else [np.concatenate(parts) for parts in zip(*found)]

    def _check_ends(self, name: str, ruleset: Ruleset) -> None:
        """Raises AgentError unless what goes in and comes out is that of a network for the ruleset."""
        size, actions = observation_size(ruleset), num_actions(ruleset)
        of_actions = ("tensor(float)", [actions])
        wanted = {OBSERVATIONS: ("tensor(int8)", [size]), MASKS: ("tensor(bool)", [actions]), LOGITS: of_actions}
        wanted |= {POLICY: of_actions, VALUE: ("tensor(float)", [])}
        there = {one.name: (one.type, one.shape[1:]) for one in (*self._session.get_inputs(), *self._session.get_outputs())}
        if there != wanted:
            raise AgentError(f"{name}: has the inputs and outputs {there!s:.300}; expected {wanted}")
