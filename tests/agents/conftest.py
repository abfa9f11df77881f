"""One small ladder for all the tests that place agents on it."""

from __future__ import annotations

import pytest

from hansa_agents.ladder import Ladder
from tests.agents.ladders import PAIR


@pytest.fixture(scope="session")
def small() -> Ladder:
    """Three agents of which one clearly loses."""
    ladder = Ladder(PAIR)
    ladder.play(["random", "greedy", "scripted:actions"], 60, seed=1)
    return ladder
