"""Small parts of the suite, played for the tests."""

from __future__ import annotations

from pathlib import Path

from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.play import model_of, play_suite
from hansa_agents.benchmark.row_file import FORMAT, About, Head, Row
from hansa_agents.benchmark.suite import Cell, read_suite, suite_hash
from hansa_env.commands.progress import Progress
from hansa_env.version import __version__

SUITE = read_suite()
KEYS = ("base-3/among/greedy", "base-3/majority/greedy")


def cells(*keys: str) -> list[Cell]:
    """Cells by their keys."""
    return [cell for cell in SUITE.cells() if cell.key in (keys or KEYS)]


def play(
    spec: str, folder: Path, games: int = 60, keys: tuple[str, ...] = KEYS, progress: Progress | None = None
) -> list[CellGames]:  # fmt: skip
    """Games of an agent, so many that some are published."""
    return play_suite(spec, SUITE, cells(*keys), games, folder, progress or Progress())


def row_of(spec: str, played: list[CellGames], **changes: object) -> Row:
    """A row of them."""
    head = Head(
        format=FORMAT, suite=SUITE.name, suite_hash=suite_hash(SUITE.name), name=spec, spec=spec, version=__version__,
        machine="any", models={"base-3": model_of(spec, SUITE.setting("base-3"))}, alone={}, responses={}, about=About(),
    )  # fmt: skip
    return Row(head.model_copy(update=changes), tuple(played))
