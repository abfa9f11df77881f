"""What searches with a network do not try, compiled: to pass while there are actions left."""

from __future__ import annotations

from hansa_env.engine.action_space import DONE, VERB, action_of, count_legal
from hansa_env.engine.compile import inner
from hansa_env.engine.state import ASK_ACT

#: Where nobody could pass with actions left: no action.
NOBODY_PASSES = -1


@inner
def passing(game, tables):
    """The decision that ends the turn although there are actions left (R2.1) and others legal, or NOBODY_PASSES.

    It is left to the style, which passes only where it knows nothing better. Searches judge a turn by what a network says of
    the next one, and what it says of games that nobody has begun is wrong: among their like they would pass from the first
    turn to the last.
    """
    if game["asked"] == ASK_ACT and game["actions_left"] > 0 and count_legal(game) > 1:
        return action_of(tables, VERB, DONE)
    return NOBODY_PASSES
