"""A small form of `python -m tests.table.load`: no socket misses an event, hears one twice or out of order."""

from __future__ import annotations

import pytest

from tests.table.load import run
from tests.table.serving import Server


@pytest.mark.slow
def test_no_socket_misses_anything(server: Server) -> None:
    load = run(server, tables=10, sockets=30, seconds=6, pace=0.02)
    assert load.wrong == 0
    assert load.messages >= load.events > 0, "how many depends on the machine"
    assert len(load.delays) >= 1
