"""The game record: one NumPy structured element of fixed size is one game.

Owners are seats 0..players-1; in the neutral variant the neutral player is owner `players`. Kinds are TRADER and
MERCHANT. A *set* field is a bit set over routes or cities (bit i = route or city i of the board); sets repeat what
the counts say and are kept beside them, so that finding legal decisions takes no search.
"""

from __future__ import annotations

import numpy as np

# Room for every board in sight, the expansions included; the boards in use may have fewer.
OWNERS, ROUTES, CITIES, OFFICES, EXTRAS, PILE, SPACES = 5, 40, 30, 72, 5, 16, 4

TRADER, MERCHANT = 0, 1
KEYS, ACTIONS, PRIVILEGE, BOOK, BANK = range(5)
ABILITIES = ("keys", "actions", "privilege", "book", "bank")
EXTRA_OFFICE, EXCHANGE_OFFICES, REMOVE_THREE, UPGRADE, PLUS_THREE, PLUS_FOUR = range(6)

# Questions (`asked`).
QUESTIONS = (
    "act", "displace", "victim", "with", "pay", "relocate", "lift", "put", "reward", "extra", "exchange", "pair",
    "remove", "marker", "pawn", "ride", "neutral", "over",
)
(
    ASK_ACT, ASK_DISPLACE, ASK_VICTIM, ASK_WITH, ASK_PAY, ASK_RELOCATE, ASK_LIFT, ASK_PUT, ASK_REWARD, ASK_EXTRA,
    ASK_EXCHANGE, ASK_PAIR, ASK_REMOVE, ASK_MARKER, ASK_PAWN, ASK_RIDE, ASK_NEUTRAL, OVER,
) = range(18)

# Why a game is over (`reason`); 0 while it runs. TRUNCATED: the turn limit, not a rule.
REASONS = (None, "prestige", "markers", "cities", "stalled", None)
RUNNING, BY_PRESTIGE, BY_MARKERS, BY_CITIES, BY_STALLING, TRUNCATED = range(6)

# `legal` holds five bit sets of physical things: a trader or a merchant on a route, a route, a city, and all others.
ON_ROUTE_TRADER, ON_ROUTE_MERCHANT, ROUTE, CITY, OTHER = range(5)
WORDS = 5
# Where the other things start in word OTHER.
INCOME_BIT, ABILITY_BIT, SPACE_BIT, VERB_BIT, PIECE_BIT, PAIR_BIT, PROVINCE_BIT = 0, 5, 10, 14, 25, 35, 42
VERBS = ("displace", "move", "exchange", "remove", "+3", "+4", "extra", "trader", "merchant", "done", "ride")
(
    DISPLACE, MOVE, EXCHANGE, REMOVE, THREE_ACTIONS, FOUR_ACTIONS, EXTRA, WITH_TRADER, WITH_MERCHANT, DONE, RIDE,
) = range(VERB_BIT, VERB_BIT + len(VERBS))

GAME = np.dtype(
    [
        # sets
        ("legal", np.int64, WORDS),  # legal decisions of the question asked
        ("free", np.int64),  # routes with a free post
        ("held", np.int64, (OWNERS, 2)),  # routes on which the owner has a piece of that kind
        ("whole", np.int64, OWNERS),  # routes whose every post the owner holds
        ("presence", np.int64, OWNERS),  # cities in which the owner has an office
        # setup and length
        ("seed", np.uint64),  # of the tavern markers and the pile
        ("turns", np.int32),  # turns completed, all seats together
        ("turn_limit", np.int32),  # truncate after so many turns; 0 = never
        # board
        ("pieces", np.int8, (ROUTES, OWNERS, 2)),  # pieces on posts: route, owner, kind
        ("vacant", np.int8, ROUTES),  # free posts
        ("route_marker", np.int8, ROUTES),  # marker kind, -1 = none
        ("offices", np.int8, OFFICES),  # printed spaces, city by city, left to right: 0 = empty, else 1 + 2 owner + kind
        ("filled", np.int8, CITIES),  # printed spaces filled
        ("controller", np.int8, CITIES),  # owner in control (R5.2), -1 = nobody
        ("extra_city", np.int8, EXTRAS),  # extra offices in order of founding: city, -1 = not founded
        ("extra_piece", np.int8, EXTRAS),  # 1 + 2 owner + kind
        ("prestige_spaces", np.int8, SPACES),  # owner, -1 = empty
        ("completed", np.int8),  # completed cities
        ("linked", np.int8, OWNERS),  # seats that made the link, in order, -1 = none yet
        # seats
        ("abilities", np.int8, (OWNERS, 5)),  # pieces removed from each track
        ("supply", np.int8, (OWNERS, 2)),
        ("stock", np.int8, (OWNERS, 2)),
        ("prestige", np.int8, OWNERS),
        ("markers", np.int8, (OWNERS, 6)),  # taken and unused, by kind
        ("used", np.int8, (OWNERS, 6)),
        # markers not yet on the board
        ("pile", np.int8, PILE),  # kinds, first drawn first; hidden
        ("drawn", np.int8),  # how many of the pile have been drawn
        ("plate_of", np.int8, PILE),  # seat on whose plate this one of the pile waits, -1 = none
        # the question
        ("asked", np.int8),
        ("seat", np.int8),  # who decides
        ("turn", np.int8),  # whose turn it is
        ("reason", np.int8),
        ("actions_left", np.int8),
        ("stalled", np.int8),  # turns in a row without a possible decision (R7.8)
        ("pile_ran_out", np.int8),  # a replacement was due and the pile was empty (R7.1)
        ("pawn", np.int8),  # province, -1 = none
        ("pawn_free", np.int8),  # the free pawn move of this turn is still to be had (R8.1.3)
        ("acted", np.int8),  # an action was taken this turn
        # the action in progress
        ("route", np.int8),  # displaced from, claimed, or removed from; -1 = none
        ("city", np.int8),  # of the exchange or the extra office, -1 = none
        ("marker_taken", np.int8),  # kind taken by the claim in progress, -1 = none
        ("doing", np.int8),  # the verb that `victim` and `with` belong to
        ("hand", np.int8, 2),  # pieces off the board, to be put down
        ("victim_owner", np.int8),
        ("victim_kind", np.int8),
        ("settled", np.int8),  # the displaced piece itself has been put down
        ("remaining", np.int8),  # penalty pieces to pay, further tradesmen to add, or pieces still to lift or remove
        ("started", np.int8),  # of the turn, the move or the removal: a first decision was possible
        ("unused", np.int8, 4),  # always 0: no byte of a record is padding, so equal games have equal bytes
    ],
    align=True,
)
