"""Hansa Teutonica for PettingZoo (AEC).

| | |
|---|---|
| import | `from hansa_env import hansa_teutonica_v0`, or `pettingzoo.make("aec", "hansa/hansa_teutonica-v0")` |
| agents | `player_0` .. `player_{P-1}` by seat, P = 2 to 5 |
| parallel API | `parallel_env()`, `pettingzoo.make("parallel", ...)`: a view; one seat at a time decides in it too |
| actions | `Discrete(A)`: one index per physical thing, read by the question asked (`hansa_env.engine.action_space`) |
| observation | `{"observation": Box int8 (D,), "action_mask": Box(0, 1) int8 (A,)}`, always from the asking agent's view |
| flat observation | `mask_in_observation=False`: Box int8 (D,), and the mask is `infos[agent]["action_mask"]` |
| observation vector | `hansa_env.engine.view.observation`: named slices, blocks of seats, routes and cities |
| mask | 1 = legal; all 0 for every other player, and when the game is over |
| rewards | 0 until the end, then zero-sum: `"win"` (P·w − 1)/(P − 1) with w the share of the win, `"rank"`, `"margin"` |
| end | terminated, by the rules or by `max_turns` turns per seat (`cut_off` in infos), never truncated; all agents at once |
| infos | at the end, by agent: `scores` (`score_columns`: 7, beyond the base game 9), `rank` (0 = first), `winners` (names) |
| illegal action | `env()`: −1 and the end (outside the space: AssertionError); `raw_env()`: `IllegalAction`, nothing changes |
| randomness | in dealing: markers, missions, favours; `reset(seed=...)` names one game everywhere; `reset()`: the next |
| state | `state()`: the table as seat 0 sees it, of `state_space` |
| arguments | those of `Ruleset` (or `ruleset=`), `max_turns=100, reward="win", mask_in_observation=True, render_mode=None` |
| render | `"ansi"`: position and last decisions as text; `"rgb_array"` (with the extra `picture`): (H, W, 3) uint8 |

Version history: v0, the first release.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from hansa_env.api.pettingzoo import HansaTeutonicaAEC
from hansa_env.play.arguments import checked_action
from hansa_env.play.illegal import ILLEGAL_REWARD

__all__ = ["env", "parallel_env", "raw_env"]

#: The environment without wrappers; the quicker one.
raw_env = HansaTeutonicaAEC


class _TerminateIllegal(TerminateIllegalWrapper):
    """PettingZoo's, after which nobody has a legal action left in `infos` either."""

    def step(self, action: Any) -> None:
        super().step(action)
        if self._terminated:  # the environment itself does not know, and has told masks after every other step
            self.unwrapped.tell_masks()


class _AssertOutOfBounds(AssertOutOfBoundsWrapper):
    """PettingZoo's, for whole numbers alone: its spaces take True and False for numbers, and NumPy takes them for masks."""

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            action = checked_action(action, int(self.action_space(agent).n))
        super().step(action)


def env(**kwargs: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers; arguments as for `raw_env`.

    Raises, in `step`:
        AssertionError: the action is outside its space (`AssertOutOfBoundsWrapper`).
        ActionTypeError: it is no whole number, such as None while the game goes on.
    """
    wrapped = _TerminateIllegal(raw_env(**kwargs), illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(_AssertOutOfBounds(wrapped))


class _Parallel(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's, which says whose action it misses."""

    def step(self, actions: dict[str, Any]) -> Any:
        if self.agents and (agent := self.aec_env.agent_selection) not in actions:
            given = ", ".join(map(str, actions)) or "nobody"
            raise ValueError(f"actions are of {given}; expected one of {agent}, which decides")
        return super().step(actions)


def parallel_env(**kwargs: Any) -> ParallelEnv:
    """The game for libraries that know the parallel API alone; arguments as for `raw_env`.

    It is PettingZoo's `turn_based_aec_to_parallel` and makes nothing simultaneous: in every step one agent decides, the one
    whose mask is not all 0 (after the first step `infos[agent]["active_agent"]` names it too). The actions of the others are
    not looked at; None will do, or none at all. Learn from the rows of the agent that decided: most rows are of agents that
    did nothing.

    Raises, in `step`:
        IllegalAction, ActionTypeError: the action of the agent that decides is not legal, or is none; nothing has been changed.
        ValueError: it is missing.
    """
    return _Parallel(raw_env(**kwargs))
