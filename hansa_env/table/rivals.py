"""Whom a page offers to play against: the strongest agents that play a ruleset."""

from __future__ import annotations

from importlib.util import find_spec

from hansa_env.engine.decisions import fingerprint
from hansa_env.engine.view.observation import observation_fingerprint
from hansa_env.ruleset import Ruleset

#: The strongest first. These think with a trained network: search asks torch for it, the others compute it themselves.
WITH_TORCH = ("tree", "search")
TRAINED = ("tree", "lookahead")
#: They play every game.
UNTRAINED = ("rollout", "greedy")


def rivals_for(ruleset: Ruleset) -> tuple[str, ...]:
    """The specs of two agents, the strongest first, that come with the project and play a ruleset."""
    if not is_trained_for(ruleset):
        return UNTRAINED
    return WITH_TORCH if find_spec("torch") and find_spec("sb3_contrib") else TRAINED


def is_trained_for(ruleset: Ruleset) -> bool:
    """Whether the trained networks know a ruleset: it asks and shows what the fourth edition does for so many players."""
    standard = Ruleset(ruleset.players)
    asked, shown = fingerprint(ruleset), observation_fingerprint(ruleset)
    return ruleset.base_game and (asked, shown) == (fingerprint(standard), observation_fingerprint(standard))
