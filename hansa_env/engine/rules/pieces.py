"""The pieces of a lane as decisions name them: whose and which kind, the owner as seen from the seat that decides."""

from __future__ import annotations

from hansa_env.engine.action_space import PIECE, offer
from hansa_env.engine.compile import inner


@inner
def piece_place(game, tables, owner):
    """The place of an owner in the names of pieces: relative to the deciding seat, the neutral player last."""
    if owner < tables["players"]:
        return (owner - game["seat"]) % tables["players"]
    return owner


@inner
def piece_owner(game, tables, piece):
    """The owner of the piece that a decision names; its kind is `piece % 2`."""
    place = piece // 2
    if place < tables["players"]:
        return (place + game["seat"]) % tables["players"]
    return place


@inner
def offer_piece(game, tables, owner, kind):
    """The choice of a piece of some owner."""
    offer(game, tables, PIECE, 2 * piece_place(game, tables, owner) + kind)


@inner
def offer_anyones_pieces(game, tables):
    """R6.4, D7, R9.14a: anyone's pieces on the chosen lane."""
    for owner in range(tables["owners"]):
        for kind in range(2):
            if game["pieces"][owner, kind, game["route"]] > 0:
                offer_piece(game, tables, owner, kind)
