"""Observation and action spaces, and what all front ends share."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_high
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.render.picture import rgb_array
from hansa_env.render.scene import scene_of
from hansa_env.render.text import render_text
from hansa_env.ruleset import Ruleset

RENDER_MODES = ("ansi", "rgb_array")
#: What `render` warns of where it has none of them.
NO_RENDER_MODE = "render() needs an environment that was made with render_mode='ansi' or 'rgb_array'"


def observation_space(ruleset: Ruleset) -> spaces.Box:
    """Box int8 (D,): the fields of `hansa_env.engine.view.observation`."""
    high = np.array(observation_high(ruleset))
    return spaces.Box(np.zeros_like(high), high, dtype=np.int8)


def action_space(ruleset: Ruleset) -> spaces.Discrete:
    """Discrete(A): the things of `hansa_env.engine.action_space`."""
    return spaces.Discrete(num_actions(ruleset))


def masked_space(ruleset: Ruleset) -> spaces.Dict:
    """{"observation": Box int8 (D,), "action_mask": Box(0, 1) int8 (A,)}."""
    mask = spaces.Box(0, 1, (num_actions(ruleset),), np.int8)
    return spaces.Dict({"observation": observation_space(ruleset), "action_mask": mask})


def checked_render_mode(render_mode: str | None) -> str | None:
    """The render mode; whether its extra is installed shows when something is drawn, since libraries ask for pixels that they
    never draw. Raises ValueError where there is none of that name."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {render_mode!r}; expected None or one of {', '.join(RENDER_MODES)}")
    return render_mode


def keywords_of(environment: type) -> list[str]:
    """The arguments that an environment takes by name, beside those of a ruleset."""
    parameters = inspect.signature(environment).parameters.values()
    return [one.name for one in parameters if one.kind == one.KEYWORD_ONLY]


def observed(core: LearnerBatch, row: int | slice, with_mask: bool) -> Any:
    """What a learner sees, (D,) int8, or those of several rows, (N, D); on demand in a dict with the mask (..., A) int8."""
    observation = core.observation[row].copy()
    return {"observation": observation, "action_mask": core.action_mask[row].astype(np.int8)} if with_mask else observation


def rendered(ruleset: Ruleset, game: np.void, render_mode: str, last: Sequence[tuple] = ()) -> str | np.ndarray:
    """A game in a render mode: text, or an array (H, W, 3) uint8; `last` as for `scene_of`."""
    if render_mode == "rgb_array":
        return rgb_array(scene_of(ruleset, game, last))
    return render_text(ruleset, game, [(seat, text) for seat, text, *_ in last])
