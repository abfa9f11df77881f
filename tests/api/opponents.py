"""An opponent for the tests of environments and of the learner batch."""

import numpy as np

from hansa_agents import Agent


class Fixed(Agent):
    """Decides by what it sees alone, so that rows do not depend on each other; notes whom it was asked for."""

    sees = "observations"

    def __init__(self, name: str = "", salt: int = 0) -> None:
        self.name, self.salt, self.asked = name, salt, []

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert inputs.dtype == np.int8 and masks.dtype == np.bool_ and len(inputs) == len(masks) == len(seats) > 0
        self.asked.append(seats.tolist())
        weights = (np.arange(inputs.shape[1]) * 37 + self.salt) % 101
        wanted = inputs.astype(np.int64) @ weights % masks.sum(1)
        return (masks.cumsum(1) == wanted[:, None] + 1).argmax(1)
