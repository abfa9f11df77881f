"""One server for the tests that only ask it, and one browser for those that look at its pages one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu
from hansa_env.table.store import Store
from tests.browser import a_browser
from tests.table.chance import Chance
from tests.table.opinion import JUDGE
from tests.table.serving import OPINION, Server

if TYPE_CHECKING:
    from playwright import sync_api as api


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("table") / "games.sqlite", options=("--agent", OPINION, "--agent", JUDGE))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()


#: The browser that is open, and what closes it.
_open: list[api.Browser] = []
_closing = ExitStack()


@pytest.fixture
def browser() -> api.Browser:
    """Left open for the next test, in whatever file, which makes a context of its own."""
    if not _open:
        _open.append(_closing.enter_context(a_browser()))
    return _open[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """It is closed before a test that needs none: Playwright keeps an event loop running, beside which no other one runs."""
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        _open.clear()
        _closing.close()


@pytest.fixture
def games(tmp_path: Path) -> Games:
    """Without a server; agents take any legal decision."""
    return Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
