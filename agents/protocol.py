"""What an agent is: it answers the questions of many games in one call."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from hansa_env.engine.kernels import NO_ACTION


class AgentError(ValueError):
    """An agent was asked for that does not exist or cannot be made; says why."""


class Agent(ABC):
    """A player of one ruleset.

    Class attributes:
        sees: what `act` is given: "observations" (rows of int8, the deciding seat's view) or "games" (game records; a
            fair agent uses nothing of them that the seat could not know).
    """

    sees = "games"

    @abstractmethod
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Choose an action for each row.

        Args:
            inputs: (N, D) int8 observations of the deciding seats, or (N,) game records, as `sees` says.
            masks: (N, A) bool, the legal actions.
            seats: (N,) int8, who decides.

        Returns:
            (N,) int64 action indices, −1 (`NO_ACTION`) in rows whose mask is all False. Nothing given is changed.
        """


def without_idle_rows(actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The actions (N,), set to NO_ACTION in place where masks (N, A) leave nothing to choose."""
    actions[~masks.any(axis=1)] = NO_ACTION
    return actions
