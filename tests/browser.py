"""A real browser for tests of pages: Playwright with the system's Chromium, or with one of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


#: Set where a browser has been promised, as `.ci/run` does: then a test without one fails.
EXPECTED = "HANSA_EXPECTS_BROWSER"


def missing(why: str) -> NoReturn:
    """Skip the test, or let it fail where a browser is expected."""
    if os.environ.get(EXPECTED):
        pytest.fail(f"a browser is expected here ({EXPECTED}), but {why}", pytrace=False)
    pytest.skip(f"no browser tests: {why}")


@contextmanager
def a_browser() -> Iterator[Any]:
    """A browser; without one the test is skipped, or fails where one is expected, with the reason."""
    try:
        from playwright import sync_api as api
    except ModuleNotFoundError:
        missing("the extra 'test' (playwright) is not installed")
    path = os.environ.get("HANSA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except api.Error as error:
            missing(f"no Chromium is found ({str(error).splitlines()[0]})")
        yield found
        found.close()
