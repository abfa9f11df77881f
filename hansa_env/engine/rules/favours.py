"""Emperor's Favour (R12): tiles bought with two markers and all actions of a turn.

What a tile does stands with the rule that it changes: `desk.owns_favour` is asked there.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine.action_space import DONE, FAVOUR, MARKER, VERB, offer
from hansa_env.engine.compile import inner
from hansa_env.engine.rng import GAMMA, below, mix
from hansa_env.engine.rules.desk import chosen_kind, offer_pieces, tile_owner, total, use_marker
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import (
    ASK_SPEND,
    ASK_TITHE,
    FAVOUR_TILES,
    MERCHANT,
    ON_DISPLAY,
    OWNED,
    OWNERS,
    TITHE,
    TRADER,
)

FAVOUR_PRICE = 2  # R12.2: markers
_DRAW = np.uint64(0xA54F_F53A_5F1D_36F1)


@inner
def draw_favours(game, tables, seed):
    """R12.1: as many tiles as players, by the seed, lie on display; the rest leave the game."""
    state, needed = mix(seed ^ _DRAW), tables["players"]
    for tile in range(FAVOUR_TILES):
        state += GAMMA
        chosen = below(mix(state), FAVOUR_TILES - tile) < needed
        game["favours"][tile] = ON_DISPLAY if chosen else 0
        needed -= chosen


@inner
def markers_held(game, seat):
    """A seat's unused markers of all kinds."""
    held = 0
    for count in game["markers"][seat]:
        held += count
    return held


@inner
def tiles_owned(game, seat):
    """How many tiles a seat owns."""
    owned = 0
    for tile in range(FAVOUR_TILES):
        owned += tile_owner(game, tile) == seat
    return owned


@inner
def offer_favours(game, tables, seat):
    """R12.2, R12.3: before the first action of the turn the tiles on display, one a turn, for two unused markers."""
    if game["acted"] or game["favour_bought"] or markers_held(game, seat) < FAVOUR_PRICE:
        return
    for tile in range(FAVOUR_TILES):
        if game["favours"][tile] == ON_DISPLAY:
            offer(game, tables, FAVOUR, tile)


@inner
def buy_favour(game, tables, tile):
    """R12.2, R12.3: the tile is the seat's, the actions of the turn are given up; two markers pay, chosen among more."""
    seat = game["turn"]
    game["favours"][tile] = OWNED + seat + OWNERS * tiles_owned(game, seat)
    game["favour_bought"] = 1
    game["actions_left"] = 0
    game["remaining"] = FAVOUR_PRICE
    if markers_held(game, seat) > FAVOUR_PRICE:
        ask(game, ASK_SPEND, seat)
        return
    for kind in range(game["markers"].shape[1]):
        while game["markers"][seat, kind] > 0:
            use_marker(game, kind)
    end_action(game, tables)


@inner
def offer_payment(game, tables):
    """R12.3: any unused marker pays."""
    for kind in range(tables["num_markers"]):
        if game["markers"][game["seat"], kind] > 0:
            offer(game, tables, MARKER, kind)


@inner
def play_payment(game, tables, kind, marker):
    """R12.2: the marker is turned down; it counts at the end as ever."""
    use_marker(game, marker)
    game["remaining"] -= 1
    if game["remaining"] == 0:
        end_action(game, tables)


@inner
def tithe_owner(game):
    """R12.4: the seat that another's income lets take a piece: it owns the tile and has a stock; -1 = none."""
    seat = tile_owner(game, TITHE)
    if seat < 0 or seat == game["turn"] or total(game["stock"], seat) == 0:
        return -1
    return seat


@inner
def end_income(game, tables):
    """R12.5: after the whole income the owner of the tile `tithe` is asked, before anything else."""
    if tables["favours"]:
        seat = tithe_owner(game)
        if seat >= 0:
            ask(game, ASK_TITHE, seat)
            return
    end_action(game, tables)


@inner
def offer_tithe(game, tables):
    """R12.4: a piece of the stock, or none."""
    stock = game["stock"][game["seat"]]
    offer_pieces(game, tables, stock[TRADER], stock[MERCHANT])
    offer(game, tables, VERB, DONE)


@inner
def play_tithe(game, tables, kind, verb):
    """R12.4: the piece goes from stock to supply."""
    if verb != DONE:
        game["stock"][game["seat"], chosen_kind(verb)] -= 1
        game["supply"][game["seat"], chosen_kind(verb)] += 1
    end_action(game, tables)
