"""What plays the scenarios: the oracle all of them, the engine those of what it has.

`make_game(position, hidden, missions=None)` makes a game from a position at `act`, the markers on plates and pile (first
drawn first) and, where missions are played with, the cards of all seats. The game has `legal()`, `play(text)`,
`position()`, `scores()` and, once it is over, `winners()`. Another implementation needs another fixture only.
"""

import pytest

from hansa_env import Game
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import MARKER_KINDS
from tests.oracle import OracleGame


def engine_game(position, hidden):
    """The engine's game, its hidden markers in the order given."""
    game = Game.from_position(position)
    last = int(tables_of(game.ruleset)[0]["pile_size"])
    game.state["pile"][last - len(hidden) : last] = [MARKER_KINDS.index(kind) for kind in hidden]
    return game


#: Whose scenarios the engine plays too; it does not have the other expansions yet.
ENGINE_HAS = ("test_east", "test_britannia", "test_britannia_scoring")
#: Scenarios of those modules that lay promo markers, which the engine does not have yet.
WITH_TOKENS = ("test_33_the_supply_after_an_own_tribute",)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "make_game" in metafunc.fixturenames:
        players = {"oracle": OracleGame.from_position}
        if metafunc.module.__name__.rpartition(".")[2] in ENGINE_HAS and metafunc.function.__name__ not in WITH_TOKENS:
            players["engine"] = engine_game
        metafunc.parametrize("make_game", players.values(), ids=players)
