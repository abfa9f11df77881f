"""Move-three (R13.3): up to three tradesmen of other seats are lifted, then put down on posts that fit them."""

from __future__ import annotations

from hansa_env.engine.action_space import DONE, ROUTE, VERB, offer, offer_set
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.pieces import offer_piece
from hansa_env.engine.rules.posts import lanes_of_others


@inner
def offer_fetches_of_others(game, tables):
    """R13.3: lanes with a tradesman of another seat's; one may stop after the first piece."""
    offer_set(game, tables, ROUTE, lanes_of_others(game, tables, game["turn"]))
    if game["lifted"][0] != 0:
        offer(game, tables, VERB, DONE)


@inner
def offer_pieces_of_others(game, tables):
    """R13.3: other seats' pieces on the chosen lane."""
    for owner in range(tables["owners"]):
        if owner != game["turn"]:
            for kind in range(2):
                if game["pieces"][owner, kind, game["route"]] > 0:
                    offer_piece(game, tables, owner, kind)
