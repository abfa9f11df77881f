"""What networks answer is checked: out of weights that are finite can still come what is no number."""

from __future__ import annotations

import numpy as np

from hansa_env.play.errors import NoAnswer

NO_NUMBER = "has a network whose output is no number"


def check_answer(logits: np.ndarray, masks: np.ndarray, values: np.ndarray | None = None) -> None:
    """Raises NoAnswer where what a network says of N positions decides nothing.

    Args:
        logits: (N, A), where masks (N, A) bool say not legal the lowest. In rows with something legal the highest has to be a
            number, and legal.
        values: (N,), which have to be numbers.
    """
    rows, highest = np.arange(len(logits)), logits.argmax(axis=1)
    decided = np.isfinite(logits[rows, highest]) & masks[rows, highest] | ~masks.any(axis=1)
    if not decided.all() or (values is not None and not np.isfinite(values).all()):
        raise NoAnswer(NO_NUMBER)
