"""Whom people are offered to play against: the strongest agents that play a ruleset."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from hansa_env.play.registry import can_be_made
from hansa_env.ruleset import BASE_BOARDS, Ruleset

#: They think with a trained network; the others play every game.
TRAINED = ("tree", "search", "lookahead", "ppo")
#: Whom a page proposes, the strongest first.
STRONGEST = ("tree", "search", "lookahead", "rollout", "greedy")
#: How many of them a page offers.
OFFERED = 2
#: Of those who ask torch for the network (the others compute it themselves), what their classes say in `values_decisions`: told
#: here too, so that nobody loads torch to hear it.
TORCH_AGENTS_VALUE_DECISIONS = {"search": True, "ppo": False}


def rivals_for(ruleset: Ruleset) -> tuple[str, ...]:
    """The specs of two agents, the strongest first, that come with the project and play a ruleset."""
    return tuple(spec for spec in STRONGEST if plays(spec, ruleset))[:OFFERED]


def plays(spec: str, ruleset: Ruleset) -> bool:
    """Whether an agent that comes with the project can be made here for a ruleset, and is not weaker in it than expected."""
    if spec in TRAINED and _is_strange(ruleset):
        return False
    if spec not in TORCH_AGENTS_VALUE_DECISIONS:
        return _can_be_made(spec, ruleset)
    # All think with the same networks. Asked by another, the server, which does not think itself, needs no torch in its memory.
    return bool(find_spec("torch") and find_spec("sb3_contrib")) and _can_be_made("lookahead", ruleset)


def _is_strange(ruleset: Ruleset) -> bool:
    """Whether the networks that play a game are weak there (`docs/training.md`): it is on the larger base board, while
    they learned on the smaller one."""
    return (Ruleset(ruleset.players).board, ruleset.board) == BASE_BOARDS


_can_be_made = cache(can_be_made)
