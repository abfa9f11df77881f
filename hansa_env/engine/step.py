"""One decision: it is carried out, then every forced decision after it is played."""

from __future__ import annotations

from hansa_env.engine.action_space import clear_legal, count_legal, nth_legal
from hansa_env.engine.compile import inner, merged
from hansa_env.engine.questions import offer, play
from hansa_env.engine.rules.turn import note_possible_decisions
from hansa_env.engine.state import ASK_ACT, BROKEN, OVER


@inner
def apply_forced(game, tables):
    """Find the legal decisions and play them while there is only one, up to a real question or the end.

    A question without any leaves the game as it is, its reason BROKEN.
    """
    while game["asked"] != OVER:
        clear_legal(game)
        offer(game, tables)
        count = count_legal(game)
        if game["asked"] == ASK_ACT:
            note_possible_decisions(game, tables, count)
        if count > 1 or game["asked"] == OVER:
            return
        if count == 0:
            game["reason"] = BROKEN
            return
        step_once(game, tables, nth_legal(game, 0))


@merged
def step_once(game, tables, action):
    """Carry out one legal action index."""
    play(game, tables, tables["kind"][action], tables["thing"][action])


@merged
def step(game, tables, action):
    """Play a legal action index and everything that is forced after it."""
    step_once(game, tables, action)
    apply_forced(game, tables)
