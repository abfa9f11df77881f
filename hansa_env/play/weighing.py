"""How well an agent has weighed a decision, and what to ask it about those that it hardly looked at.

A search spends its time on what looks good. Of the rest it says nothing, or what one lucky or unlucky simulation came to. So a
decision that was played, and that the agent did not weigh well, is asked about alone: in a copy of the position in which
nothing else is legal. Who decides and what they know stay as they were. The hidden markers are reshuffled in other ways, as
chance follows from what is legal too, and a tree spends all its simulations on that decision: the two values of a loss are
not paired.
"""

from __future__ import annotations

import numpy as np

from hansa_env.play.game import Game
from hansa_env.ruleset import Ruleset

#: A decision is weighed well with this part of the share of the likeliest one: of the visits, where an agent searches a tree.
ENOUGH = 0.25


def well_weighed(estimate: dict) -> dict[str, float]:
    """The values of the decisions that an agent has weighed well, by decision.

    Args:
        estimate: as `hansa_env.play.estimates.in_notation` writes it.
    """
    most = max((share for _, share, _ in estimate["likeliest"]), default=0.0)
    return {text: value for text, share, value in estimate["likeliest"] if value is not None and share >= ENOUGH * most}


def is_to_be_asked_alone(estimate: dict, text: str) -> bool:
    """Whether an agent that values decisions has not weighed this one well."""
    return values_decisions(estimate) and text not in well_weighed(estimate)


def values_decisions(estimate: dict) -> bool:
    """Whether an agent has said what any single decision is worth."""
    return any(value is not None for *_, value in estimate["likeliest"])


def with_only(ruleset: Ruleset, record: np.void, text: str) -> np.void:
    """A copy of a game record in which one decision is all that is legal. Raises NotationError where it is none there."""
    alone = Game.from_state(ruleset, record)
    word, place = divmod(alone.parse(text), 64)
    alone.state["legal"] = 0
    alone.state["legal"].view(np.uint64)[word] = np.uint64(1 << place)
    return alone.state


def value_alone(estimate: dict | None, text: str) -> float | None:
    """What a decision is worth by an estimate of the position in which nothing else is legal: its own value, or where the agent
    values positions alone, that of the position. None where there is neither."""
    if estimate is None:
        return None
    return next((value for named, _, value in estimate["likeliest"] if named == text and value is not None), estimate["value"])


def with_value(estimate: dict, text: str, value: float | None, most: int | None = None, share: float = 0.0) -> dict:
    """An estimate with the value of a decision, unchanged where there is none; it names so many decisions at most. One that it
    does not name yet has the share that is given."""
    if value is None:
        return estimate
    share = next((known for named, known, _ in estimate["likeliest"] if named == text), share)
    others = [one for one in estimate["likeliest"] if one[0] != text][: None if most is None else most - 1]
    place = sum(one[1] >= share for one in others)
    return estimate | {"likeliest": [*others[:place], [text, share, value], *others[place:]]}
