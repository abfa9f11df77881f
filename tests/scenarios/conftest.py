"""What plays the scenarios: the oracle and the engine.

`make_game(position, hidden, missions=None)` makes a game from a position at `act`, the markers on plates and pile (first
drawn first) and, where missions are played with, the cards of all seats. The game has `legal()`, `play(text)`,
`position()`, `scores()` and, once it is over, `winners()`. Another implementation needs another fixture only.
"""

import numpy as np
import pytest

from hansa_env import Game
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine.identity import same_position
from hansa_env.engine.state import GAME
from hansa_env.engine.tables import tables_of
from hansa_env.formats.read_position import read_position
from hansa_env.ruleset import MARKER_KINDS
from tests.helpers import game_from
from tests.oracle import OracleGame


class ReadBack(Game):
    """The engine's game. After each decision its position is read back, and must be the same bytes: nothing that a finished
    action needed to know is left, not even in fields that few games use."""

    def play(self, decision):
        super().play(decision)
        again = read_position(self.position())[1]
        assert same_position(again, np.array([self.state], GAME))[0], [
            name for name in GAME.names if (again[0][name] != self.state[name]).any()
        ]


def engine_game(position, hidden, missions=None):
    """The engine's game, its hidden markers in the order given and the mission cards of all seats."""
    game = game_from(position)
    game = ReadBack.from_state(game.ruleset, game.state)
    last = int(tables_of(game.ruleset)[0]["pile_size"])
    game.state["pile"][last - len(hidden) : last] = [MARKER_KINDS.index(kind) for kind in hidden]
    if missions:
        game.state["missions"][: len(missions)] = [MISSIONS.index(tuple(card)) for card in missions]
    return game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "make_game" in metafunc.fixturenames:
        players = {"oracle": OracleGame.from_position, "engine": engine_game}
        metafunc.parametrize("make_game", players.values(), ids=players)
