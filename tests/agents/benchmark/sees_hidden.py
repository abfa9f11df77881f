"""Agents that see what is hidden."""

from __future__ import annotations

import numpy as np

from hansa_env import Agent


class SeesHidden(Agent):
    """Takes the first legal decision."""

    sees_hidden = True

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(1)


class SeesHiddenAndRaises(SeesHidden):
    """Decides nothing."""

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        raise KeyError("lost")
