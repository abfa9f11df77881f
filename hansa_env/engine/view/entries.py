"""Entries of an observation: the numbers of its fields, and how the writers put a value into one."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner
from hansa_env.engine.view.observation import OBSERVATION_FIELDS

(
    QUESTION, ACTION, ACTIONS_LEFT, REMAINING, FLAGS, HAND, VICTIM, COMPLETED, PILE_SIZE, UNSEEN, PAWN,
    LIFTED_PIECES, AT_SEA, GREEN_OFFICES, PERMISSIONS, FOREIGN, LIFTED_FROM, FAVOURS_SHOWN, FAVOUR_BOUGHT,
    LAYING,
    DECIDER, TURN, SUPPLY, STOCK, PRESTIGE, ABILITIES, MARKERS, USED, PLATE, LINKED, PRESTIGE_SPACES, SCORES,
    GATEWAYS, FAVOURS_OWNED, PARTNER,
    POSTS, VACANT, ROUTE_MARKER, ON_ROUTE, SHIP_POSTS, SHIP_VACANT, TRIBUTES, BLOCKS,
    OFFICE, CONTROL, EXTRA_OFFICES, EXTRA_PLACE, IN_CITY, PLACED, MISSION,
) = range(len(OBSERVATION_FIELDS))  # fmt: skip


@inner
def relative(tables, owner, seat):
    """Place of an owner as seen from a seat; the neutral player stays last."""
    place = owner - seat
    if place < 0 and owner < tables["players"]:
        return place + tables["players"]
    if owner >= tables["players"]:
        return owner
    return place


@inner
def owner_at(tables, place, seat):
    """The owner who has a place as seen from a seat: the inverse of `relative`."""
    if place >= tables["players"]:
        return place
    owner = seat + place
    return owner - tables["players"] if owner >= tables["players"] else owner


@inner
def write(out, entry, value):
    """An entry is never negative: an unsigned index spares the test for it."""
    out[np.uint64(entry)] = value


@inner
def clear(out, first, behind):
    """Entries from `first` up to but without `behind` become 0."""
    for i in range(np.uint64(first), np.uint64(behind)):
        out[i] = 0
