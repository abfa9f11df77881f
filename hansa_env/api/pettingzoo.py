"""The PettingZoo environment `hansa_teutonica_v0`; made by `hansa_env.hansa_teutonica_v0`, which says what it is."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from hansa_env.api.spaces import (
    NO_RENDER_MODE,
    RENDER_MODES,
    action_space,
    checked_render_mode,
    keywords_of,
    masked_space,
    observation_space,
    rendered,
)
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import ranks_of
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.formats.notation import decision_text
from hansa_env.play.arguments import MAX_TURNS, SEEDS, checked_action, checked_flag, checked_seed
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game
from hansa_env.ruleset import Ruleset

SHOWN_DECISIONS = 6
#: What PettingZoo's environments have from the first `reset` on.
_OF_A_GAME = ("agent_selection", "rewards", "terminations", "truncations", "infos")


class HansaTeutonicaAEC(AECEnv):
    """One game in turns of decisions: `agent_selection` is always who decides, also in another's turn.

    Args:
        ruleset: the game that is played; or else its arguments as keywords (`players=3, edition="fourth", ...`).
        max_turns, reward: see `HansaBatch`.
        mask_in_observation: observations are {"observation": (D,) int8, "action_mask": (A,) int8}. False: they are flat, (D,)
            int8, for wrappers that know no dictionaries, and `infos[agent]["action_mask"]` has the mask.
        render_mode: None, "ansi" or "rgb_array" (which needs the extra `picture`).

    Agents are player_0, player_1, ... by seat, player_0 begins. Copies (`copy.deepcopy`) and pickles go on independently.

    Raises:
        RulesetError, ValueError: an argument is not one of those named.
    """

    metadata = {  # noqa: RUF012 (PettingZoo's own form)
        "name": "hansa_teutonica_v0",
        "is_parallelizable": False,
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        *,
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        mask_in_observation: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.render_mode = checked_render_mode(render_mode)
        self.mask_in_observation = checked_flag("mask_in_observation", mask_in_observation)
        self.ruleset = Ruleset.of(ruleset, options, keywords_of(type(self)))
        self.possible_agents = [f"player_{seat}" for seat in range(self.ruleset.players)]
        self.agents: list[str] = []
        self._batch = HansaBatch(1, self.ruleset, max_turns=max_turns, reward=reward)
        self._action = np.zeros(1, np.int64)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._dealt = False
        self._last: deque[tuple[int, str, str]] = deque(maxlen=SHOWN_DECISIONS)
        self.observation_spaces: dict[str, spaces.Dict | spaces.Box] = {
            agent: masked_space(self.ruleset) if mask_in_observation else observation_space(self.ruleset)
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.ruleset) for agent in self.possible_agents}
        self.state_space = observation_space(self.ruleset)

    def __getattr__(self, name: str) -> Any:
        if name in _OF_A_GAME:
            raise AttributeError(f"{name} cannot be accessed before reset")  # in PettingZoo's words
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Dict | spaces.Box:
        """{"observation": Box int8 (D,), "action_mask": Box int8 (A,)}, or the first of them alone."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Discrete(A)."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: names the game, as in `Game(ruleset, seed=...)`. None: the game that follows; the first time, any.
            options: not used, and none is refused, since PettingZoo's own tests give one.

        Raises ValueError: the seed is no whole number from 0 to 2**64 - 1.
        """
        if seed is None and not self._dealt:
            seed = seeding.np_random()[1] % SEEDS
        self._batch.reset(seeds=None if seed is None else [checked_seed(seed)])
        self._dealt = True
        self._last.clear()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._batch.seat[0]]
        self._skip_agent_selection = None
        self.tell_masks()

    @property
    def game(self) -> Game:
        """A copy of the game as it stands: its texts, its position to keep, or to ask an agent about."""
        return Game.from_batch(self._batch, 0)

    def step(self, action: int | None) -> None:
        """Play one decision of `agent_selection`, and everything forced after it; None once its game is over. After the last
        agent has gone nothing is done, with a warning, as by PettingZoo's own wrappers.

        Raises:
            IllegalAction: the action is not legal; nothing has been changed.
            AssertionError: before `reset`, as of PettingZoo's own wrappers.
        """
        if not self._dealt:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch = self._batch
        action = checked_action(action, batch.num_actions)
        if not 0 <= action < batch.num_actions:  # the batch's NO_ACTION is none of ours
            raise IllegalAction(batch.describe_illegal(0, action))
        self._action[0] = action
        shown = self._shown(action)
        batch.step(self._action)
        if shown is not None:
            self._last.append(shown)
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self.possible_agents[batch.seat[0]]
        self.infos = {agent: {} for agent in self.agents}  # new ones: callers keep those that they were given
        if batch.ended[0]:
            self._end()
        self.tell_masks()
        # Before the end every reward is 0, so there is nothing to clear or to add up.

    def _end(self) -> None:
        batch = self._batch
        cut_off = bool(batch.cut_off[0])
        ranks = ranks_of(self.ruleset, batch.games, batch.final_scores)[0]
        winners = [agent for agent, rank in zip(self.possible_agents, ranks) if rank == 0]
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(batch.rewards[0, seat])
            self.terminations[agent] = True  # also where the game was cut off: it is scored, and nothing follows
            scores = dict(zip(score_columns(batch.ruleset), batch.final_scores[0, seat].tolist()))
            self.infos[agent] = {
                "scores": scores, "rank": int(ranks[seat]), "winners": list(winners), "cut_off": cut_off,
            }  # fmt: skip
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, np.ndarray] | np.ndarray:
        """What an agent sees, in new arrays: {"observation": (D,) int8, "action_mask": (A,) int8}, the mask all 0 for who does
        not decide; or the first of them alone. Raises AssertionError before `reset`."""
        if not self._dealt:
            EnvLogger.error_observe_before_reset()
        observation = self._batch.observe(seats=self._seat_of[agent])[0]
        return {"observation": observation, "action_mask": self._mask(agent)} if self.mask_in_observation else observation

    def _mask(self, agent: str) -> np.ndarray:
        batch = self._batch
        if agent == self.agent_selection and not self.terminations.get(agent, True) and not self.truncations[agent]:
            return batch.action_mask[0].astype(np.int8)
        return np.zeros(batch.num_actions, np.int8)

    def tell_masks(self) -> None:
        """Put masks, as they are now, into new `infos`, for those who do not find them in observations."""
        if not self.mask_in_observation:
            self.infos = {agent: info | {"action_mask": self._mask(agent)} for agent, info in self.infos.items()}

    def state(self) -> np.ndarray:
        """(D,) int8 of `state_space`: the whole table as seat 0 sees it; the pile's order is in nobody's view."""
        return self._batch.observe(seats=0)[0]

    def render(self) -> str | np.ndarray | None:
        """The position with the last decisions as text ("ansi") or as pixels (H, W, 3) uint8 ("rgb_array"); without a render
        mode, a warning and None."""
        if self.render_mode is None:
            logger.warn(NO_RENDER_MODE)
            return None
        return rendered(self.ruleset, self._batch.games[0], self.render_mode, list(self._last))

    def close(self) -> None:
        """There is nothing to release."""

    def _shown(self, action: int) -> tuple[int, str, str] | None:
        """An action as (seat, text, question) where it will be shown."""
        if self.render_mode is None or action >= self._batch.num_actions:
            return None
        game = self._batch.games[0]
        return int(game["seat"]), decision_text(self.ruleset, game, action), question_name(int(game["asked"]))
