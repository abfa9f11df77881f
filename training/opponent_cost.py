"""What the opponents of a plan cost: said before a run begins that would wait for them most of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

from hansa_env import HansaBatch, make_agent
from hansa_env.play.agents import ask_agents
from hansa_training.plan import Plan

#: Games of a probe; seconds a decision from which an opponent is worth a word (a network's own takes about 1e-5).
GAMES, SLOW = 4, 1e-3


def seconds_per_decision(spec: str, plan: Plan, clock: Callable[[], float] = perf_counter) -> float:
    """What an agent takes for a decision, of a few games at once. Its first answer, which may load or compile, is left out."""
    agent = make_agent(spec, plan.ruleset, plan.seed)
    batch = HansaBatch(GAMES, plan.ruleset, plan.seed, plan.max_turns)
    who = np.zeros(GAMES, np.int64)
    batch.step(ask_agents([agent], who, plan.ruleset, batch.games))
    began = clock()
    ask_agents([agent], who, plan.ruleset, batch.games)
    return (clock() - began) / GAMES


def warnings_of(plan: Plan, clock: Callable[[], float] = perf_counter) -> Iterator[str]:
    """A line for each slow opponent."""
    for spec in dict.fromkeys([*plan.met, *plan.in_turns]):
        seconds = seconds_per_decision(spec, plan, clock)
        if seconds > SLOW:
            yield (
                f"{spec} takes {1000 * seconds:,.0f} ms a decision: where it plays, a core makes {1 / seconds:,.0f} of its "
                "decisions a second, and the learner hardly more"
            )
