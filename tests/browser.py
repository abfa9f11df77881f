"""A real browser for tests of pages: Playwright with the system's Chromium, or with one of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def a_browser() -> Iterator[Any]:
    """A browser; the test is skipped, with the reason, where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="no browser tests: needs the extra 'test' (playwright)")
    path = os.environ.get("HANSA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except api.Error as error:
            pytest.skip(f"no browser tests: no Chromium is found ({str(error).splitlines()[0]})")
        yield found
        found.close()
