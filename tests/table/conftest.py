"""One server for the tests that only ask it, and the pages of a browser at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu
from hansa_env.table.store import Store
from tests.table.chance import Chance
from tests.table.opinion import JUDGE
from tests.table.serving import OPINION, Server
from tests.table.test_browser import A_SCREEN, a_page
from tests.table.test_openings import a_book

if TYPE_CHECKING:
    from playwright import sync_api as api


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("table") / "games.sqlite", options=("--agent", OPINION, "--agent", JUDGE))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()


@pytest.fixture(scope="module")
def with_openings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has the openings of `a_book`."""
    folder = tmp_path_factory.mktemp("openings")
    running = Server(folder / "games.sqlite", options=("--openings", str(a_book(folder / "some.jsonl.gz"))))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()


@pytest.fixture
def page(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    """The host's page, where pieces do not fly, so that nobody waits for them; whatever goes wrong on it fails the test."""
    with a_page(browser, server, viewport=A_SCREEN, reduced_motion="reduce") as found:
        yield found


@pytest.fixture
def games(tmp_path: Path) -> Games:
    """Without a server; agents take any legal decision."""
    return Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
