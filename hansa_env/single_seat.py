"""The Gymnasium environment `hansa/HansaTeutonica-v0`: one seat learns, agents play the others."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from hansa_env.batch import MAX_TURNS
from hansa_env.engine.observation import observation_high
from hansa_env.learner_batch import LearnerBatch
from hansa_env.render import render_text
from hansa_env.ruleset import Ruleset

RENDER_MODES = ("ansi",)


class HansaTeutonicaEnv(gymnasium.Env):
    """One game, stepped from one decision of the learner's seat to its next.

    Args:
        players, edition, two_players, board: see `Ruleset`.
        opponents: a spec for `hansa_agents.make_agent` ("random", "greedy", "ppo:model.zip") or an agent for all other
            seats, or a list of players − 1 of them, clockwise from the learner.
        seat: the learner's seat, or "random": drawn anew for each game.
        max_turns, reward: see `HansaBatch`. The reward is the learner's, 0 until the end.
        illegal_action: "raise" `IllegalAction`, or "terminate" the episode with the reward −1.
        render_mode: None or "ansi".

    Observation: Box int8 (D,), the learner's view (`hansa_env.engine.observation`). Action: Discrete(A). `info` is that
    of `LearnerBatch.info`. `reset(seed=None)` goes on to the game that follows; the first time it draws one.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        players: int = 4,
        edition: str = "fourth",
        two_players: str | None = None,
        board: str | None = None,
        opponents: Any = "random",
        seat: str | int = "random",
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        illegal_action: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        ruleset = Ruleset(players, edition, two_players, board)
        self.core = make_core(1, ruleset, opponents, seat, max_turns, reward, illegal_action, render_mode)
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces_of(self.core)
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Deal a game and play up to the learner's first decision; options are not used."""
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**63))
        self.core.reset([seed])
        self._dealt = True
        return self.core.observation[0].copy(), self.core.info(0)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Play the learner's decision, and the opponents up to the learner's next one.

        Raises:
            IllegalAction: the action is not legal, with illegal_action="raise"; nothing has been changed.
            ResetNeeded: the game is over, or there was no `reset` yet.
        """
        core = self.core
        if not self._dealt or core.ended[0]:
            raise ResetNeeded("the game is over, or has not begun; call reset()")
        core.step(np.array([operator.index(action)]))
        ends = bool(core.terminated[0]), bool(core.truncated[0])
        return core.observation[0].copy(), float(core.rewards[0]), *ends, core.info(0)

    def action_masks(self) -> np.ndarray:
        """(A,) bool: the learner's legal actions, under the name that sb3-contrib's MaskablePPO asks for."""
        return self.core.action_mask[0].copy()

    def render(self) -> str | None:
        """The position as text ("ansi"); without a render mode, a warning and None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs an environment that was made with render_mode='ansi'")
            return None
        return render_text(self.core.ruleset, self.core.batch.games[0])


def make_core(
    num_envs: int,
    ruleset: Ruleset,
    opponents: Any,
    seat: str | int,
    max_turns: int | None,
    reward: str,
    illegal_action: str,
    render_mode: str | None,
) -> LearnerBatch:
    """The learner batch of a Gymnasium environment, its opponents in their order."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {render_mode!r}; expected None or one of {', '.join(RENDER_MODES)}")
    if isinstance(opponents, Sequence) and not isinstance(opponents, str) and len(opponents) != ruleset.players - 1:
        raise ValueError(f"{len(opponents)} opponents were given; expected one, or a list of {ruleset.players - 1}")
    return LearnerBatch(
        num_envs, ruleset, opponents, 0, seat, max_turns, reward, mix=False, illegal_action=illegal_action
    )


def spaces_of(core: LearnerBatch) -> tuple[spaces.Box, spaces.Discrete]:
    """Observation and action space of one row."""
    high = np.array(observation_high(core.ruleset), np.int8)
    return spaces.Box(np.zeros_like(high), high, dtype=np.int8), spaces.Discrete(core.num_actions)
