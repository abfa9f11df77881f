"""Agents with models, as `tests.agents.models:Name`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hansa_agents import Agent


class Modelled(Agent):
    """Takes the first legal decision, by a model that its argument names."""

    sees = "observations"
    model_hash: str | None = None

    def __init__(self, argument: str) -> None:
        self.model_hash = argument

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(1)


class FromFile(Modelled):
    """The same, by what a file says."""

    def __init__(self, argument: str) -> None:
        super().__init__(Path(argument).read_text())
