"""Games played to their end by scripted players, and what the end is worth to a seat."""

from __future__ import annotations

from hansa_agents.scripted.choices import decide
from hansa_agents.search.lead import lead_over_best
from hansa_env.engine.compile import inner, merged
from hansa_env.engine.rules.scoring import score, win_share
from hansa_env.engine.state import OVER
from hansa_env.engine.step import step

#: Points of lead that are worth as much as a win; more than so many count no more.
FULL_LEAD = 40.0


@merged
def play_out(game, tables, weights, players, view):
    """Play a game to its end; each seat decides by weights[players[seat]]."""
    while game["asked"] != OVER:
        step(game, tables, decide(game, tables, weights[players[game["seat"]]], view))


@inner
def outcome(game, tables, scores, seat):
    """The seat's share of the win and its lead in units of FULL_LEAD, at most 1 each, between −1 and 2; `scores` is scratch to
    work in."""
    score(game, tables, scores)
    lead = lead_over_best(scores, tables["players"], seat)
    return win_share(game, tables, scores, seat) + max(-1.0, min(1.0, lead / FULL_LEAD))
