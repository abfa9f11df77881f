"""The Gymnasium environment `hansa/HansaTeutonica-v0`: one seat learns, agents play the others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from hansa_env.api.spaces import (
    NO_RENDER_MODE,
    RENDER_MODES,
    action_space,
    checked_render_mode,
    keywords_of,
    masked_space,
    observation_space,
    observed,
    rendered,
)
from hansa_env.play.arguments import MAX_TURNS, checked_action, checked_flag, checked_options, checked_seed
from hansa_env.play.game import Game
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.ruleset import Ruleset


class HansaTeutonicaEnv(gymnasium.Env):
    """One game, stepped from one decision of the learner's seat to its next.

    Args:
        ruleset: the game that is played; or else its arguments as keywords (`players=3, edition="fourth", ...`).
        opponents: a spec for `make_agent` ("random", "greedy", "ppo:runs/ppo", "mybots:MyBot") or an agent for all other
            seats, or a list of players − 1 of them, clockwise from the learner.
        mix: each opponent seat draws one of `opponents`, of any number, anew for each game.
        seat: the learner's seat, or "random": drawn anew for each game.
        max_turns, reward: see `HansaBatch`. The reward is the learner's, 0 until the end.
        illegal_action: "raise" `IllegalAction`; "terminate" the episode with the reward −1; "substitute": a legal action is
            played instead (and `info["substituted"]` is True), so that checkers which know no masks can step.
        mask_in_observation: observations are {"observation": (D,) int8, "action_mask": (A,) int8}.
        render_mode: None, "ansi" or "rgb_array" (which needs the extra `picture`).

    `terminated` tells the end, also of a game that max_turns cut off, since that is scored (`info["cut_off"]` tells which);
    `truncated` is always False. Observation: Box int8 (D,), the learner's view (`hansa_env.engine.view.observation`). Action:
    Discrete(A). `info` is that of `LearnerBatch.info`. `reset(seed=s)` deals the game that s names, `reset()` the one
    after it; a first `reset()` without a seed draws one. Agents of specs are made once, with the seed 0, and begin anew with
    each seed: what those of the project draw follows from the game too. One with random numbers of its own begins with the
    same ones then; give it as an object that was made with another seed.

    Raises:
        RulesetError, ValueError: an argument is not one of those named, also TypeError if its name is unknown. AgentError: an
            opponent cannot be made.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        *,
        opponents: Any = "random",
        mix: bool = False,
        seat: str | int = "random",
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        illegal_action: str = "raise",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        ruleset = Ruleset.of(ruleset, options, keywords_of(type(self)))
        self.render_mode = checked_render_mode(render_mode)
        self.core = LearnerBatch(
            1, ruleset, opponents, 0, mix=mix, seat=seat, max_turns=max_turns, reward=reward, illegal_action=illegal_action
        )
        self.ruleset, self.max_turns, self.reward = ruleset, max_turns, reward
        self.mask_in_observation = checked_flag("mask_in_observation", mask_in_observation)
        self.observation_space = masked_space(ruleset) if mask_in_observation else observation_space(ruleset)
        self.action_space = action_space(ruleset)
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict]:
        """Deal a game and play up to the learner's first decision. There are no options: Gymnasium gives None or {}.

        Raises:
            ValueError: the seed is no whole number from 0 to 2**64 - 1, or there is an option; nothing has been changed.
            AgentFault: an opponent failed; reset again.
        """
        checked_options(options)
        super().reset(seed=None if seed is None else checked_seed(seed))  # which takes no NumPy integers
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**63))
        self.core.reset([seed])
        self._dealt = True
        return observed(self.core, 0, self.mask_in_observation), self.core.info(0)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict]:
        """Play the learner's decision, and the opponents up to the learner's next one.

        Raises:
            IllegalAction: the action is not legal, with illegal_action="raise"; nothing has been changed.
            AgentFault: an opponent failed; what the step brought is lost.
            ResetNeeded: the game is over, or there was no `reset` yet, or none since a step or reset failed half-way.
        """
        core = self.core
        if not self._dealt or core.ended[0]:
            raise ResetNeeded("the game is over, or has not begun; call reset()")
        core.step_numbers(np.array([checked_action(action, core.num_actions)], object))
        ends = bool(core.terminated[0]), bool(core.truncated[0])
        return observed(core, 0, self.mask_in_observation), float(core.rewards[0]), *ends, core.info(0)

    @property
    def current_player(self) -> int:
        """The seat that decides next: the learner's, since opponents play inside `step`."""
        return int(self.core.seats[0])

    @property
    def game(self) -> Game:
        """A copy of the game as it stands: its texts, its position to keep, or to ask an agent about."""
        return Game.from_batch(self.core.batch, 0)

    def action_masks(self) -> np.ndarray:
        """(A,) bool: the learner's legal actions, under the name that sb3-contrib's MaskablePPO asks for."""
        return self.core.action_mask[0].copy()

    def render(self) -> str | np.ndarray | None:
        """The position as text ("ansi") or pixels (H, W, 3) uint8 ("rgb_array"); without a render mode, a warning and None."""
        if self.render_mode is None:
            gymnasium.logger.warn(NO_RENDER_MODE)
            return None
        return rendered(self.core.ruleset, self.core.batch.games[0], self.render_mode)
