"""One server for the tests that only ask it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu
from hansa_env.table.store import Store
from tests.table.chance import Chance
from tests.table.opinion import JUDGE
from tests.table.serving import OPINION, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("table") / "games.sqlite", options=("--agent", OPINION, "--agent", JUDGE))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()


@pytest.fixture
def games(tmp_path: Path) -> Games:
    """Without a server; agents take any legal decision."""
    return Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
