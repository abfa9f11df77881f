"""Which decision several deep searches agree on, each by itself and clearly.

They grow trees with other seeds and budgets; one believes little of the network's choice, one takes others to do their best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.puzzles.puzzle_file import Search
from hansa_env import Agent, Ruleset, make_agent
from hansa_env.play.estimates import estimate_games

#: Spec and seed, the cheapest first. The networks are those of a version, so that a seed gives the same puzzles after others
#: have been trained; where a search changes, or what it draws, it gives others.
SEARCHES = (
    ("tree:sims=400,network=0.2", 101),
    ("tree:sims=800,prior_weight=0.2,network=0.2", 102),
    ("tree:sims=1600,backup=maxn,network=0.2", 103),
)
#: The largest share of the visits that any other decision may have, as a part of the answer's.
NEXT = 0.75
#: By how much of the win the answer is better than whatever has so much of the visits.
BETTER, VISITED = 0.01, 0.03


class Judge(NamedTuple):
    """A search that is asked."""

    spec: str
    seed: int
    agent: Agent


def judges_of(ruleset: Ruleset) -> list[Judge]:
    """The searches for a ruleset."""
    return [Judge(spec, seed, make_agent(spec, ruleset, seed)) for spec, seed in SEARCHES]


def agreed(judges: list[Judge], ruleset: Ruleset, game: np.ndarray) -> tuple[int, list[Search]] | None:
    """The action index that all searches choose for a record (1,), and what each made of it; None where they do not agree."""
    answer, searches = -1, []
    for spec, seed, agent in judges:
        estimate = estimate_games(agent, ruleset, game)
        assert estimate is not None and estimate.decision_values is not None
        shares, values = estimate.shares[0], estimate.decision_values[0]
        best = int(shares.argmax())
        others = np.delete(shares, best)
        if answer not in (-1, best) or others.max() > NEXT * shares[best]:
            return None
        rivals = np.delete(values, best)[others >= VISITED]
        if len(rivals) and values[best] - rivals.max() < BETTER:
            return None
        answer = best
        searches.append(Search(spec=spec, seed=seed, share=round(float(shares[best]), 3)))
    return answer, searches
