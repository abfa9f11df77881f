"""Game records from elsewhere: whether one is, byte for byte, what its own position says.

The compiled rules check nothing (`hansa_env.engine.kernels`), so bytes that no game comes to could make them read and write
where they should not. A position is checked rule by rule when it is read; a record that is written as a position, read, and
comes out the same can do no more than that position.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.errors import PositionError
from hansa_env.formats.position import position_of, unseen_markers
from hansa_env.formats.read_position import read_position
from hansa_env.ruleset import MARKER_KINDS, Ruleset

#: What writing a position raises where fields hold what they never do.
_NO_POSITION = (LookupError, ValueError, OverflowError)
#: Fields that may hold any number: it is mixed or compared with others, and nothing is looked up by it.
_ANY = ("seed", "noise", "turn_limit")


def check_game(ruleset: Ruleset, game: np.void) -> None:
    """Check a record (`hansa_env.engine.state.GAME`) before the compiled rules see it.

    Args:
        ruleset: the game that is played.
        game: the record, hidden part and all.

    Raises:
        PositionError: naming a field that holds what a game of this ruleset cannot hold there.
    """
    try:
        position = position_of(ruleset, game)
    except _NO_POSITION as error:
        raise PositionError("the record holds a number that no game comes to") from error
    known = read_position(position)[1][0]
    wrong = [name for name in _OPEN if not np.array_equal(game[name], known[name])]
    wrong += [name for name, fits in _HIDDEN.items() if not fits(ruleset, game, position)]
    if wrong:
        raise PositionError(f"{wrong[0]} of the record does not fit the position that the rest of it says")


def _pile_fits(ruleset: Ruleset, game: np.void, position: dict) -> bool:
    """Markers that nobody has seen, each where it is drawn, waits on a plate, or stays in the box."""
    places, shuffled = np.arange(state.PILE), int(tables_of(ruleset)[0]["num_shuffled"])
    hidden = (places >= game["drawn"]) & (places < shuffled)
    hidden[: state.DRAWN] |= game["plate_of"] >= 0
    if not np.array_equal(game["pile"] != -1, hidden) or not np.isin(game["pile"], np.arange(-1, state.KINDS_OF_MARKERS)).all():
        return False
    return Counter(MARKER_KINDS[kind] for kind in game["pile"][hidden]) <= unseen_markers(ruleset, position)


def _plates_fit(ruleset: Ruleset, game: np.void, position: dict) -> bool:
    """As many of the markers drawn wait for each seat as lie on its plate."""
    waiting = Counter(game["plate_of"].tolist())
    del waiting[-1]
    return waiting == +Counter(dict(enumerate(position["plate"]))) and (game["plate_of"][game["drawn"] :] == -1).all()


def _missions_fit(ruleset: Ruleset, game: np.void, position: dict) -> bool:
    """R11.1: a card for each seat, none twice."""
    seats = ruleset.players if ruleset.missions else 0
    cards, others = game["missions"][:seats].tolist(), game["missions"][seats:].tolist()
    return len(set(cards)) == len(cards) and set(cards) <= set(range(len(MISSIONS))) and set(others) <= {-1}


_HIDDEN = {"pile": _pile_fits, "plate_of": _plates_fit, "missions": _missions_fit}
_OPEN = [name for name in state.GAME.names or () if name not in (*_HIDDEN, *_ANY)]
