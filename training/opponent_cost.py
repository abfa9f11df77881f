"""What slow agents of a plan cost: said before a run begins that would wait for them most of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

from hansa_agents.match_workers import DECISIONS
from hansa_env import Agent, HansaBatch, Ruleset, make_agent
from hansa_env.play.agents import ask_agents
from hansa_training.plan import Plan
from hansa_training.rulesets import those_who_play

#: Games of a probe, and of a second one of opponents that it finds slow but quick enough for that: a mixture of networks is
#: slow with few games only.
FEW, MANY = 4, 64
#: Seconds a decision from which an opponent is worth a word (a network's own takes about 1e-5), and that a probe may take.
SLOW, PATIENCE = 1e-3, 2.0


def seconds_per_decision(
    agent: Agent, ruleset: Ruleset, plan: Plan, games: int, clock: Callable[[], float] = perf_counter
) -> float:
    """What an agent takes for a decision of so many games at once. Its first answer, which may load or compile, is left out."""
    batch = HansaBatch(games, ruleset, plan.seed, plan.max_turns)
    who = np.zeros(games, np.int64)
    batch.step(ask_agents([agent], who, ruleset, batch.games))
    began = clock()
    ask_agents([agent], who, ruleset, batch.games)
    return (clock() - began) / games


def warnings_of(
    plan: Plan, imitates: bool, scatters: bool = False, clock: Callable[[], float] = perf_counter
) -> Iterator[str]:  # fmt: skip
    """A line for each slow agent that the learner meets, learns from, or is measured against, by the first ruleset that it
    plays; `imitates`: the warm start is not over; `scatters`: the teacher has yet to play the games apart."""
    met = dict.fromkeys([*plan.met, *plan.in_turns])
    taught = plan.teachers if imitates or scatters else []
    labels = plan.warm_start if imitates else 0
    apart = plan.envs * DECISIONS // 2 if scatters else 0
    for spec in dict.fromkeys([*met, *taught, *plan.measured]):
        ruleset = next(one for one in plan.rulesets_played if those_who_play([spec], one))
        agent = make_agent(spec, ruleset, plan.seed)
        seconds = seconds_per_decision(agent, ruleset, plan, FEW, clock)
        if SLOW < seconds < PATIENCE / MANY:
            seconds = seconds_per_decision(agent, ruleset, plan, MANY, clock)
        if seconds > SLOW:
            costs = f"where it plays, a core makes {1 / seconds:,.0f} of its decisions a second, and the learner hardly more"
            if spec not in met:
                hours = (labels + apart) * seconds / 3600
                parts = (labels, "labels of the warm start"), (apart, "decisions that play the games apart before self-play")
                work = " and ".join(f"{count:,} {what}" for count, what in parts if count)
                teaching = f"{work} take it {hours:,.1f} core-hours"
                costs = teaching if spec in taught else "fewer games (curve_games, final_games) make measuring shorter"
            yield f"{spec} takes {1000 * seconds:,.0f} ms a decision: {costs}"
