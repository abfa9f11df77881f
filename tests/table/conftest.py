"""One server for the tests that only ask it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.table.serving import OPINION, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("table") / "games.sqlite", options=("--agent", OPINION))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()
