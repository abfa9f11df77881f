"""The game record: one NumPy structured element of fixed size is one game.

Owners are seats 0..players-1; in the neutral variant the neutral player is owner `players`. Kinds of pieces are TRADER and
MERCHANT. Posts lie in lanes (`Board.lanes`): lane i is route i of the board, without its ship posts, and the lanes behind
are the ship posts of the maritime routes (R9.4). A *set* field is a bit set over lanes, routes or cities (bit i = number i);
sets and counts that follow from others are kept beside them, so that finding legal decisions and scoring take no search.

A record is canonical: whatever a finished action leaves behind is cleared, and what does not depend on the order in which
it came about is stored in one order, so equal positions have equal bytes up to `POSITION_BYTES`. Behind them stand the
hidden pile and what says which game it is (see `hansa_env.engine.identity`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hansa_env.boards import ABILITIES as ABILITIES
from hansa_env.ruleset import FAVOURS, MARKER_KINDS

# Capacities, for the largest board and module in sight: britannia-4-5 has 40 routes and 5 lanes of ship posts, 30 cities;
# east has 55 printed spaces and 3 green cities. The boards in use may have fewer.
OWNERS, ROUTES, LANES, CITIES, OFFICES, EXTRAS, SPACES = 5, 40, 45, 30, 92, 8, 4
DRAWN, PILE = 16, 24  # markers drawn in a game at most; with promos the pile is part of more that are shuffled (R13.4)
TOKENS = 4  # tribute and block, two of each (R13.8)
KINDS_OF_MARKERS = len(MARKER_KINDS)
GREEN_SPACES = 12  # offices placed in a green city (R9.8): the text knows no limit, but each costs a claim of the same route
REGIONS, GATEWAYS = 2, 3  # countries beside England, and the cities that give permissions for them (R10.5)
LIFTED = 3  # pieces of anyone's that are lifted before they are put down (R9.14a, R13.3)
FAVOUR_TILES = len(FAVOURS)
RINGS = 12  # furthest distance between two routes

TRADER, MERCHANT = 0, 1
KEYS, ACTIONS, PRIVILEGE, BOOK, BANK = range(5)
(
    EXTRA_OFFICE, EXCHANGE_OFFICES, REMOVE_THREE, UPGRADE, PLUS_THREE, PLUS_FOUR, MOVE_THREE, TRADE_IN, TRIBUTE, BLOCK,
) = range(KINDS_OF_MARKERS)  # fmt: skip

# R12.4, in the order of FAVOURS; and where a tile is: 0 = not in the game, ON_DISPLAY, or with a seat
# that owned n tiles before it OWNED + seat + n OWNERS.
ANYWHERE, MORE_ACTIONS, TITHE, ESCORT, FOR_CITIES, FOR_ABILITIES = range(FAVOUR_TILES)
ON_DISPLAY, OWNED = 1, 2

# Questions (`asked`); `hansa_env.engine.questions` has a row for each.
(
    ASK_ACT, ASK_DISPLACE, ASK_VICTIM, ASK_WITH, ASK_PAY, ASK_RELOCATE, ASK_LAST_RESORT, ASK_LIFT, ASK_PUT, ASK_REWARD,
    ASK_EXTRA, ASK_EXTRA_PIECE, ASK_EXCHANGE, ASK_PAIR, ASK_REMOVE, ASK_REMOVED, ASK_MARKER, ASK_PAWN, ASK_RIDE,
    ASK_NEUTRAL, ASK_FETCH, ASK_FETCHED, ASK_DROP, ASK_PERMANENT, ASK_GREEN, ASK_GREEN_PIECE, ASK_LAND,
    ASK_SEND, ASK_SEND_LIFT,
    ASK_SPEND, ASK_TITHE,
    ASK_FETCH_OTHERS, ASK_FETCHED_OTHERS, ASK_DROP_OTHERS,
    ASK_TRADE_IN, ASK_TRADED, ASK_TOKEN, ASK_BLOCK_PAYMENT, ASK_TRIBUTE, ASK_GREEN_TRIBUTE, OVER,
) = range(41)  # fmt: skip

# Why a game is over, by number (`reason`); RUNNING while it is not. TRUNCATED: the turn limit, not a rule. BROKEN: a question
# without a legal decision, which is an error of the engine or of fields set by hand; the question stays as it was.
ENDS_BY_RULE, END_BY_LIMIT = ("prestige", "markers", "cities", "stalled"), "truncated"
REASONS = (None, *ENDS_BY_RULE, END_BY_LIMIT, "broken")
RUNNING, BY_PRESTIGE, BY_MARKERS, BY_CITIES, BY_STALLING, TRUNCATED, BROKEN = range(len(REASONS))

MOST_TURNS = 10_000_000  # turns per seat that a limit may allow; those of all seats together are counted in 32 bits
WORDS = 4  # of 64 bits: `legal` is a bit set over the action indices

GAME = np.dtype(
    [
        # sets
        ("legal", np.int64, WORDS),  # action indices of the legal decisions
        ("free", np.int64),  # lanes with a free post
        ("held", np.int64, (OWNERS, 2)),  # lanes on which the owner has a piece of that kind
        ("whole", np.int64, OWNERS),  # routes whose every post the owner holds
        ("presence", np.int64, OWNERS),  # cities in which the owner has an office
        # the question
        ("asked", np.int8),
        ("seat", np.int8),  # who decides
        ("turn", np.int8),  # whose turn it is
        ("reason", np.int8),
        ("actions_left", np.int8),
        ("acted", np.int8),  # an action was taken this turn
        ("could_decide", np.int8),  # this turn had a possible decision
        ("stalled", np.int8),  # turns in a row without one (R7.8)
        ("pawn", np.int8),  # province, -1 = none
        ("pawn_free", np.int8),  # the free pawn move of this turn is still to be had (R8.1.3)
        # the action in progress
        ("route", np.int8),  # claimed; or the lane displaced, removed or lifted from; -1 = none
        ("city", np.int8),  # of the exchange, of the extra office, or of the office that tributes are due for, -1 = none
        ("marker_taken", np.int8),  # kind taken by the claim in progress, or being laid as a token, -1 = none
        ("pile_ran_out", np.int8),  # a replacement was due and the pile was empty (R7.1)
        ("hand", np.int8, 2),  # pieces off the board, to be put down
        ("lifted", np.int8, LIFTED),  # pieces of anyone's, in the order lifted: 1 + 2 owner + kind, 0 = none
        ("victim_owner", np.int8),  # of the displaced piece, -1 = none
        ("victim_kind", np.int8),
        ("partner", np.int8),  # of the trade-in, -1 = none
        ("settled", np.int8),  # the displaced piece itself has been put down
        ("remaining", np.int8),  # pieces to pay, further tradesmen to add, pieces still to lift or remove, or tributes due
        # seats
        ("abilities", np.int8, (OWNERS, 5)),  # pieces removed from each track
        ("supply", np.int8, (OWNERS, 2)),
        ("stock", np.int8, (OWNERS, 2)),
        ("prestige", np.int8, OWNERS),
        ("controlled", np.int8, OWNERS),  # cities the owner controls (R5.2)
        ("network", np.int8, OWNERS),  # offices in the seat's largest network (R7.7)
        ("linked", np.int8, OWNERS),  # seats that made the link, in order, -1 = none yet
        ("markers", np.int8, (OWNERS, KINDS_OF_MARKERS)),  # taken and unused, by kind
        ("used", np.int8, (OWNERS, KINDS_OF_MARKERS)),
        # board
        ("vacant", np.int8, LANES),  # free posts
        ("route_marker", np.int8, ROUTES),  # marker kind, -1 = none
        ("pieces", np.int8, (OWNERS, 2, LANES)),  # pieces on posts: owner, kind, lane
        # Printed spaces, city by city, left to right, and in green cities the offices placed (R9.8): 0 = empty, else
        # 1 + 2 owner + kind.
        ("offices", np.int8, OFFICES),
        ("filled", np.int8, CITIES),  # of these
        ("controller", np.int8, CITIES),  # owner in control (R5.2), -1 = nobody
        ("extra_city", np.int8, EXTRAS),  # extra offices by city, in one city in order of founding; -1 = no more
        ("extra_piece", np.int8, EXTRAS),  # 1 + 2 owner + kind
        ("prestige_spaces", np.int8, SPACES),  # owner, -1 = empty
        ("completed", np.int8),  # completed cities
        ("drawn", np.int8),  # markers drawn from the pile
        ("token_route", np.int8, TOKENS),  # tokens by route, above one route in the order laid; -1 = no more
        ("token", np.int8, TOKENS),  # 1 + 2 owner + 0 for tribute, 1 for block
        ("plate", np.int8, OWNERS),  # markers waiting on the seat's plate
        ("favours", np.int8, FAVOUR_TILES),  # where each tile is (R12)
        ("favour_bought", np.int8),  # in this turn, which therefore has no actions (R12.3)
        # countries (R10), numbers as in Board.countries: 0 = England, and all of a board without regions
        ("permissions", np.int8),  # gateways (places in Board.gateways) whose permission was used this turn, a bit set
        ("foreign", np.int8, (REGIONS, 2)),  # pieces of a move that may still be put in a region, by kind (R10.10)
        ("lifted_from", np.int8, LIFTED),  # countries of the `lifted`; first that of a last resort's piece (R10.11)
        # Always 0: what expansions will need, so that a record fills whole cache lines, an odd number of them: at a power
        # of two, records crowd one another out of the cache.
        ("padding", np.int8, 18),
        # behind the position
        ("missions", np.int8, OWNERS),  # number of the seat's card (R11), -1 = none; hidden from the others
        ("padding_behind", np.int8, 3),  # always 0: what comes behind is aligned
        # Kinds, first drawn first, -1 = has been seen; behind them, with promos, those that stay in the box. Hidden.
        ("pile", np.int8, PILE),
        ("plate_of", np.int8, DRAWN),  # seat on whose plate this one of the pile waits, -1 = none
        ("seed", np.uint64),  # names the game: of the tavern markers and the pile; hidden, 0 = blank
        ("noise", np.uint64),  # a hash of the seed that says nothing else of the pile, for agents that choose at random
        ("turns", np.int32),  # turns completed, all seats together
        ("turn_limit", np.int32),  # truncate after so many turns; 0 = never
    ],
    align=True,
)
_WHOLE = np.dtype((np.void, GAME.itemsize))
#: The bytes of a record that say how the game stands, as everybody at the table sees it.
POSITION_BYTES = GAME.fields["missions"][1]  # type: ignore[index]


def new_games(count: int) -> np.ndarray:
    """Zeroed records (count,) that begin with a cache line, so that none takes a line more than it must."""
    memory = np.zeros(count * GAME.itemsize + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + count * GAME.itemsize].view(GAME)


def put_records(to: np.ndarray, rows: Any, games: np.ndarray | np.void) -> None:
    """`to[rows] = games` with whole records, twenty times quicker than NumPy copies them field by field."""
    to.view(_WHOLE)[rows] = games.view(_WHOLE)


def copies_of(games: np.ndarray | np.void, count: int) -> np.ndarray:
    """Copies (count,) of so many records, or of one."""
    copies = new_games(count)
    put_records(copies, slice(None), games)
    return copies
