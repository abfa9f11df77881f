"""Pieces of others on posts, as the scripted player counts them."""

from __future__ import annotations

from hansa_env.engine.compile import inner
from hansa_env.engine.rules.displace import displacement_penalty


@inner
def rivals_and_penalty(game, tables, seat, lane):
    """R4.1: pieces of others on a lane, neutral ones too, and the pieces that displacing all of them costs."""
    rivals, penalty = 0, 0
    for owner in range(tables["owners"]):
        if owner != seat:
            for kind in range(2):
                count = game["pieces"][owner, kind, lane]
                rivals += count
                penalty += count * displacement_penalty(kind)
    return rivals, penalty


@inner
def rivals_on(game, tables, seat, lane):
    """Pieces of others on a lane."""
    return rivals_and_penalty(game, tables, seat, lane)[0]
