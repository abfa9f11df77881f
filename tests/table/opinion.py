"""An agent with an opinion on the win, for the tests of curves."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from hansa_env.play.agents import Agent
from hansa_env.play.estimates import Estimate
from hansa_env.ruleset import Ruleset

#: One whose values judge the actions of a game.
JUDGE = "tests.table.opinion:Judge"
#: The turns in which seat 0 does well.
FIRST, LAST = 15, 29


class Opinion(Agent):
    """Torn between the first and the last legal decision; thinks that seat 0 does well in the middle of the game."""

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        well = (seats == 0) & (inputs["turns"] >= FIRST) & (inputs["turns"] <= LAST)
        shares, rows = np.zeros(masks.shape, np.float32), np.arange(len(masks))
        shares[rows, masks.argmax(1)] += 0.25
        shares[rows, masks.shape[1] - 1 - masks[:, ::-1].argmax(1)] += 0.75
        return Estimate(shares, np.where(well, 0.8, 0.3).astype(np.float32))


class Slow(Opinion):
    """The same, but that its first estimate waits for a file, which its argument names; one beside it grows by a line for every
    question."""

    def __init__(self, ruleset: Ruleset, argument: str) -> None:
        self.file = Path(argument)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        with self.file.with_suffix(".asked").open("a") as asked:
            asked.write("again\n")
        while not self.file.exists():
            time.sleep(0.05)
        return super().estimate(inputs, masks, seats)


class Judge(Opinion):
    """One that values every decision, the later the better, so that it can judge; of other seats it says nothing."""

    values_decisions = True

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        values = np.where(masks, np.linspace(0.2, 0.6, masks.shape[1]), np.nan).astype(np.float32)
        return Estimate(super().estimate(inputs, masks, seats).shares, np.nanmax(values, axis=1), values)
