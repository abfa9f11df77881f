"""How far a seat is ahead at the end of a game, compiled."""

from __future__ import annotations

from hansa_env.engine.compile import inner
from hansa_env.engine.rules.scoring import TOTAL

#: More than any lead.
_MOST = 1000


@inner
def lead_over_best(scores, players, seat):
    """The points of a seat less those of the best of the others; `scores` of all seats, as `score` writes them."""
    lead = _MOST
    for other in range(players):
        if other != seat:
            lead = min(lead, scores[seat, TOTAL] - scores[other, TOTAL])
    return lead
