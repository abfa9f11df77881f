"""Whether the tests in a browser may be left out."""

from __future__ import annotations

import pytest

from tests.browser import EXPECTED, a_browser, missing


def test_without_a_browser_tests_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(EXPECTED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no browser tests: there is none"):
        missing("there is none")


def test_where_one_is_expected_they_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXPECTED, "1")
    monkeypatch.setenv("HANSA_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(pytest.fail.Exception, match="a browser is expected here"), a_browser():
        pass
