"""What answers for the agents of a match in a process of their own (`hansa_agents.agent_processes` asks it)."""

from __future__ import annotations

from typing import Any

import cloudpickle
import numpy as np

from hansa_agents.time_limit import time_limit
from hansa_env import Agent
from hansa_env.play.agents import answer_of, attribute_of
from hansa_env.play.errors import NoAnswer, OutOfTime, raised, said
from hansa_env.play.estimates import estimate_of
from hansa_env.play.registry import register

#: Purposes of a question: bring the match, make an agent, ask it for a decision, or for its estimate.
BRING, MAKE, ACT, ESTIMATE = "bring", "make", "act", "estimate"
FOUND, FAILED, LATE = "found", "failed", "late"
#: Where a process finds what answers.
TABLE = f"{__name__}:Table"


class Table:
    """What answers in the process: how it went, and what was found or why not."""

    def __init__(self) -> None:
        self.agents: dict[int, Agent] = {}

    def __call__(self, question: tuple) -> tuple[str, Any]:
        purpose, place, seconds, *given = question
        try:
            with time_limit(seconds):
                return FOUND, self._answer(purpose, place, *given)
        except OutOfTime:
            return LATE, None
        except NoAnswer as error:
            return FAILED, said(error)
        except BaseException as error:
            plain = purpose == MAKE and isinstance(error, (ValueError, OSError))
            return FAILED, said(error) if plain else raised(error)

    def _answer(self, purpose: str, place: int, *given: Any) -> Any:
        if purpose == BRING:
            self.agents.clear()
            self.ruleset, self.entrants, factories = cloudpickle.loads(*given)
            for name, factory in factories.items():
                register(name, factory)
            return None
        if purpose == MAKE:
            entrant = self.entrants[place]
            agent = self.agents[place] = entrant.make(self.ruleset)
            sees = attribute_of(agent, "sees"), attribute_of(agent, "estimate_sees")
            return *sees, bool(attribute_of(agent, "sees_hidden")), entrant.model_of(agent)
        if purpose == ESTIMATE:
            inputs, masks, seats = given
            return estimate_of(self.agents[place], inputs, masks, seats, self.ruleset.players)
        return answer_of(self.agents[place], *given).astype(np.int64)
