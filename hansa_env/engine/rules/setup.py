"""A new game (R1), and the reshuffling of what nobody can see."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.action_space import clear_legal
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rng import GAMMA, below, mix, seed_after, shuffle
from hansa_env.engine.rules.countries import forget_foreign
from hansa_env.engine.rules.favours import draw_favours
from hansa_env.engine.rules.missions import deal_missions, reshuffle_missions
from hansa_env.engine.rules.posts import put_piece
from hansa_env.engine.rules.turn import ask, clear_action_context, start_turn
from hansa_env.engine.state import (
    ASK_PAWN,
    CITIES,
    DRAWN,
    EXTRAS,
    FAVOUR_TILES,
    GAME,
    KINDS_OF_MARKERS,
    LANES,
    LIFTED,
    OFFICES,
    OVER,
    OWNERS,
    PILE,
    ROUTES,
    SPACES,
    TOKENS,
    TRADER,
)

PADDING, PADDING_BEHIND = GAME["padding"].shape[0], GAME["padding_behind"].shape[0]
_NOISE = np.uint64(0xA5A5_0F0F_C3C3_9696)


@inner
def clear(game):
    """An empty record."""
    clear_legal(game)
    clear_action_context(game)
    for owner in range(OWNERS):
        clear_owner(game, owner)
    for route in range(ROUTES):
        game["route_marker"][route] = -1
    for lane in range(LANES):
        game["vacant"][lane] = 0
    for i in range(OFFICES):
        game["offices"][i] = 0
    for city in range(CITIES):
        game["filled"][city] = 0
        game["controller"][city] = -1
    for i in range(EXTRAS):
        game["extra_city"][i] = -1
        game["extra_piece"][i] = 0
    for i in range(SPACES):
        game["prestige_spaces"][i] = -1
    for i in range(PILE):
        game["pile"][i] = -1
    for i in range(DRAWN):
        game["plate_of"][i] = -1
    for i in range(TOKENS):
        game["token_route"][i] = -1
        game["token"][i] = 0
    for kind in range(2):
        game["hand"][kind] = 0
    for i in range(LIFTED):
        game["lifted"][i] = 0
        game["lifted_from"][i] = 0
    game["permissions"] = 0
    forget_foreign(game)
    for i in range(PADDING):
        game["padding"][i] = 0
    for i in range(PADDING_BEHIND):
        game["padding_behind"][i] = 0
    for tile in range(FAVOUR_TILES):
        game["favours"][tile] = 0
    game["favour_bought"] = 0
    game["free"] = 0
    game["turns"] = 0
    game["turn"] = 0
    game["completed"] = 0
    game["drawn"] = 0
    game["reason"] = 0
    game["stalled"] = 0
    game["pile_ran_out"] = 0
    game["partner"] = -1
    game["pawn"] = -1


@inner
def clear_owner(game, owner):
    """Nothing of an owner's is anywhere."""
    game["whole"][owner] = 0
    game["presence"][owner] = 0
    game["prestige"][owner] = 0
    game["controlled"][owner] = 0
    game["network"][owner] = 0
    game["linked"][owner] = -1
    game["plate"][owner] = 0
    game["missions"][owner] = -1
    for kind in range(2):
        game["held"][owner, kind] = 0
        for lane in range(LANES):
            game["pieces"][owner, kind, lane] = 0
        game["supply"][owner, kind] = 0
        game["stock"][owner, kind] = 0
    for ability in range(5):
        game["abilities"][owner, ability] = 0
    for kind in range(KINDS_OF_MARKERS):
        game["markers"][owner, kind] = 0
        game["used"][owner, kind] = 0


@inner
def noise_of(seed):
    """A number of a game's own: 32 bits of two mixes, so that neither seed nor pile can be worked out from it."""
    return mix(mix(seed ^ _NOISE) + GAMMA) >> np.uint64(32)


@inner
def set_up(game, tables, seed, turn_limit):
    """R1.3, R1.5, R8.2.1: the position before the first question; markers, cards and tiles come from the seed."""
    clear(game)
    game["seed"] = seed
    game["noise"] = noise_of(seed)
    game["turn_limit"] = turn_limit
    for seat in range(tables["players"]):
        for kind in range(2):
            game["supply"][seat, kind] = tables["start_supply"][seat, kind]
            game["stock"][seat, kind] = tables["start_stock"][seat, kind]
    for lane in range(tables["num_lanes"]):
        game["vacant"][lane] = tables["lane_posts"][lane]
    game["free"] = tables["all_lanes"]

    pile = game["pile"]
    taverns = tables["num_taverns"]
    for i in range(taverns):
        pile[i] = tables["start_marker"][i]
    state = shuffle(pile, taverns, mix(seed))
    for i in range(taverns):
        game["route_marker"][tables["tavern"][i]] = pile[i]
        pile[i] = -1
    for i in range(tables["num_shuffled"]):
        pile[i] = tables["pile"][i]
    shuffle(pile, tables["num_shuffled"], state)
    sort_box(game, tables)
    if tables["missions"]:
        deal_missions(game, tables, seed)
    if tables["favours"]:
        draw_favours(game, tables, seed)

    for route in range(tables["num_routes"]):
        if tables["neutral"] >= 0 and tables["neutral_start"] & bit(route):
            put_piece(game, tables, route, tables["neutral"], TRADER)


@inner
def next_seed(game):
    """The seed of the game that follows; after a blank one it comes from the game's noise."""
    return seed_after(game["seed"] if game["seed"] != 0 else game["noise"])


@inner
def first_question(game, tables):
    """R8.1.2: in the pawn variant seat 1 sets up the pawn; else seat 0 begins."""
    start_turn(game, tables)
    if tables["pawn"]:
        ask(game, ASK_PAWN, 1)


@inner
def reshuffle_hidden(game, tables, seed):
    """Shuffle the markers nobody has seen (pile, plates, those left in the box) over their places, and the mission cards that
    the deciding seat has not; the copy's seed is blank.

    The result depends on `seed`, on which markers are hidden and on the deciding seat's own card, not on how the rest lay.
    """
    game["seed"] = 0
    pile = game["pile"]
    counts, left = 0, 0  # of the hidden ones of each kind, 6 bits each
    for i in range(tables["num_shuffled"]):
        if hidden(game, i):
            counts += bit(6 * pile[i])
            left += 1
    state = mix(seed + GAMMA)
    for i in range(tables["num_shuffled"]):
        if hidden(game, i):
            state += GAMMA
            rest, kind = below(mix(state), left), 0
            while rest >= (counts >> (6 * kind)) & 63:
                rest -= (counts >> (6 * kind)) & 63
                kind += 1
            pile[i] = kind
            counts -= bit(6 * kind)
            left -= 1
    sort_box(game, tables)
    if tables["missions"] and game["asked"] != OVER:
        reshuffle_missions(game, tables, seed)


@inner
def sort_box(game, tables):
    """R13.4: what stays in the box lies there in no order; a record lists it by kind."""
    pile, first = game["pile"], tables["pile_size"]
    for i in range(first + 1, tables["num_shuffled"]):
        k = i
        while k > first and pile[k - 1] > pile[k]:
            pile[k - 1], pile[k] = pile[k], pile[k - 1]
            k -= 1


@inner
def hidden(game, i):
    """Whether place i of the pile has not been seen: not drawn, left in the box, or waiting on a plate."""
    return i >= game["drawn"] or game["plate_of"][i] >= 0
