"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent.

With HANSA_COMPILED=1 it has been, by `python -m tests.compiled`. Tests that look at pages one after the other share a browser.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings

from tests.browser import a_browser

# A busy machine may take longer than Hypothesis allows an example; no test of ours asserts a time.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_configure(config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C, and what they start
    if hasattr(config, "workerinput"):
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # as many workers as cores are at work already
        return
    if os.environ.get("HANSA_COMPILED") == "1":
        return
    from tests.compiled import compile_all, compile_engine

    if getattr(config.option, "numprocesses", None):
        compile_all()
    else:
        compile_engine()


@pytest.fixture(scope="session", autouse=True)
def logs_of_sb3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each `learn` without a logger makes a folder there: else one beside those of the tests, which nobody removes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SB3_LOGDIR", str(tmp_path_factory.mktemp("sb3")))
        yield


#: The browser that is open, and what closes it.
_open: list[Any] = []
_closing = ExitStack()


@pytest.fixture
def browser() -> Any:
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
