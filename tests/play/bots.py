"""Agents that do what a test wants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hansa_env import Agent


class First(Agent):
    """The first legal action; what it was given is kept."""

    sees = "observations"

    def __init__(self, name: str = "first") -> None:
        self.name = name
        self.given: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.given.append((inputs, masks, seats))
        return masks.argmax(axis=1)


class Failing(First):
    """Plays like `First`, but from a given call on answers what a function makes of the masks."""

    def __init__(self, answer: Callable[[np.ndarray], object], after: int = 0, name: str = "culprit") -> None:
        super().__init__(name)
        self.answer, self.left = answer, after

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if self.left == 0:
            return self.answer(masks)
        self.left -= 1
        return super().act(inputs, masks, seats)


def refuse(masks: np.ndarray) -> np.ndarray:
    """An answer of an agent that has a bug."""
    raise ZeroDivisionError("division by zero")


#: What an agent can do wrong, and what is said of it.
FAULTS: dict[str, tuple[Callable[[np.ndarray], object], str]] = {
    "raises": (refuse, r"raised ZeroDivisionError: division by zero"),
    "exits": (lambda masks: exit(3), r"raised SystemExit: 3"),
    "minus one": (lambda masks: np.full(len(masks), -1), r"answered -1, outside 0\.\.\d+ to '\w+' of seat \d; legal are \w"),
    "too large": (lambda masks: np.full(len(masks), 10_000), r"answered 10000, outside 0\.\.\d+ to '\w+' of seat \d"),
    "wraps to -1": (lambda masks: np.full(len(masks), 2**64 - 1, np.uint64), rf"answered {2**64 - 1}, outside"),
    "illegal": (lambda masks: masks.argmin(axis=1), r"answered \d+ \(.+\) to '\w+' of seat \d; legal are \w"),
    "too short": (lambda masks: masks.argmax(axis=1)[1:], r"answered int64 of shape \(\d+,\); expected whole numbers \(\d+,\)"),
    "a column": (lambda masks: masks.argmax(axis=1)[:, None], r"answered int64 of shape \(\d+, 1\); expected whole numbers"),
    "one number": (lambda masks: 3, r"answered int64 of shape \(\); expected whole numbers"),
    "floats": (lambda masks: masks.argmax(axis=1) * 1.0, r"answered float64 of shape \(\d+,\); expected whole numbers"),
    "truth values": (lambda masks: masks.any(axis=1), r"answered bool of shape \(\d+,\); expected whole numbers"),
    "the mask": (lambda masks: masks, r"answered bool of shape \(\d+, \d+\); expected whole numbers"),
    "nothing": (lambda masks: None, r"answered object of shape \(\); expected whole numbers"),
    "words": (lambda masks: ["done"] * len(masks), r"answered <U4 of shape \(\d+,\); expected whole numbers"),
    "ragged": (lambda masks: [[1, 2], [3]], r"answered a list that is no array \(.+\); expected whole numbers \(\d+,\)"),
}
