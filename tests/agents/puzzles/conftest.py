"""The puzzles that come with the package, read once."""

from __future__ import annotations

import pytest

from hansa_agents.puzzles.puzzle_file import Puzzle, read_puzzles


@pytest.fixture(scope="session")
def puzzles() -> list[Puzzle]:
    return read_puzzles()[1]
