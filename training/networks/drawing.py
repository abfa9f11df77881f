"""Actions drawn from a policy, compiled: most actions of a row are not legal, and what is not legal costs nothing here."""

from __future__ import annotations

import math

import numpy as np
import torch

from hansa_agents.networks.answers import NO_NUMBER
from hansa_agents.networks.spec import sharpness
from hansa_env.engine.compile import kernel
from hansa_env.play.errors import NoAnswer

#: What masked actions get as logits; exp of it is 0.
NEVER = -1e8
#: Stands for the action where none can be drawn.
UNDRAWN = -1


@kernel
def draw_rows(logits, words, actions, log_probs):
    """Draw an action from the softmax of each row of logits (N, A), by a random word of its own.

    Args:
        logits: (N, A) float32, NEVER where not legal; a row in which nothing is legal is taken as if all were alike.
        words: (N,) uint64, whose highest 24 bits are used.
        actions, log_probs: (N,) int64 and float32, written: the action and the logarithm of its probability; UNDRAWN in rows
            that have NaN or infinity, or whose legal logits are no higher than those that are not.
    """
    count = logits.shape[1]
    for row in range(len(logits)):
        highest, lowest, numbers = logits[row, 0], logits[row, 0], True
        for action in range(count):
            highest, lowest = max(highest, logits[row, action]), min(lowest, logits[row, action])
            numbers = numbers and logits[row, action] < np.inf  # NaN is not
        actions[row], log_probs[row] = UNDRAWN, 0
        if not numbers or (highest <= NEVER and lowest < NEVER):
            continue
        total = 0.0
        for action in range(count):
            if logits[row, action] > highest - 80:  # exp(-80) adds nothing to 1
                total += math.exp(logits[row, action] - highest)
        left = total * (words[row] >> np.uint64(40)) / 2.0**24
        for action in range(count):
            if logits[row, action] > highest - 80:
                actions[row] = action
                left -= math.exp(logits[row, action] - highest)
                if left < 0:
                    break
        log_probs[row] = logits[row, actions[row]] - highest - math.log(total)


def at_temperature(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Logits (N, A) whose softmax is the policy of others at a temperature above 0; NEVER where these are."""
    if temperature == 1:
        return logits
    cooled = (logits - logits.max(1, keepdim=True).values) * sharpness(temperature)  # at most 0: none is too low
    return torch.where(logits > NEVER, cooled.clamp(min=NEVER / 2), NEVER)


def draw(logits: torch.Tensor, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Actions (N,) int64 drawn from the softmax of logits (N, A), each by a random word of its own, (N,) uint64; and the
    logarithms (N,) float32 of their probabilities. Raises NoAnswer where a row is UNDRAWN."""
    actions, log_probs = np.empty(len(words), np.int64), np.empty(len(words), np.float32)
    draw_rows(np.ascontiguousarray(logits.float().cpu().numpy()), words, actions, log_probs)
    if (actions == UNDRAWN).any():
        raise NoAnswer(NO_NUMBER)
    return actions, log_probs
