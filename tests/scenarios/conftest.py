"""What plays the scenarios.

`make_game(position, hidden, missions=None)` makes a game from a position at `act`, the markers on plates and pile (first
drawn first) and, where missions are played with, the cards of all seats. The game has `legal()`, `play(text)`,
`position()`, `scores()` and, once it is over, `winners()`. Another implementation needs another fixture only.
"""

import pytest

from tests.oracle import OracleGame


@pytest.fixture
def make_game():
    return OracleGame.from_position
