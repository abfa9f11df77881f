"""What plays the scenarios: the oracle and the engine, each all of them.

`make_game(position, hidden, missions=None)` makes a game from a position at `act`, the markers on plates and pile (first
drawn first), and where missions are played with the cards of all seats.
The game has `legal()`, `play(text)`, `position()` and `scores()`. Another implementation needs another fixture only.
"""

import pytest

from hansa_env import Game
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import MARKER_KINDS
from tests.oracle import OracleGame


def engine_game(position, hidden, missions=None):
    """The engine's game, its hidden markers in the order given."""
    if missions is not None:
        pytest.skip("the engine has no missions yet")
    game = Game.from_position(position)
    last = int(tables_of(game.ruleset)[0]["pile_size"])
    game.state["pile"][last - len(hidden) : last] = [MARKER_KINDS.index(kind) for kind in hidden]
    return game


@pytest.fixture(params=[OracleGame.from_position, engine_game], ids=["oracle", "engine"])
def make_game(request):
    return request.param
