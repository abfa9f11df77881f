"""Opponents by how hard they are, for people who do not know the agents: from who plays at random to the strongest there is."""

from __future__ import annotations

from typing import NamedTuple

from hansa_env.play.rivals import plays
from hansa_env.ruleset import Ruleset


class Level(NamedTuple):
    """How hard an opponent is: its name, the agent's spec, and what to expect."""

    name: str
    agent: str
    words: str


#: The weakest first: in the order of their ratings on the ladder for three, and last `tree`, which with today's network has not
#: been rated, but wins far more than its share among copies of `ppo` (`docs/trained.md`).
LEVELS = (
    Level("First steps", "random", "plays anything at all: you learn the rules in peace"),
    Level("Beginner", "scripted:link", "has one plan, the way from Arnheim to Stendal"),
    Level("Casual", "greedy", "takes what brings most at once"),
    Level("Strong", "lookahead", "looks a turn ahead with a trained network"),
    Level("Expert", "ppo", "a trained network"),
    Level("Strongest", "tree", "searches with a trained network; takes seconds to think"),
)


def levels_for(ruleset: Ruleset) -> list[dict]:
    """The levels that a ruleset can be played at here, as JSON data."""
    return [level._asdict() for level in LEVELS if plays(level.agent, ruleset)]
