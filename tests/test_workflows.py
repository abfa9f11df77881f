"""The workflows of the continuous integration install what the tests that they run need."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.packages import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: Runs of every test.
COMPLETE = ("ci.yml", "coverage.yml", "nightly.yml")


def torch_in(path: Path) -> set[str]:
    """The versions of PyTorch that a file names in full."""
    return set(re.findall(r"(?:torch==|PyTorch\s)(\d+\.\d+\.\d+)", path.read_text("utf-8")))


def test_one_version_of_torch_is_installed_and_named_everywhere() -> None:
    (version,) = torch_in(ROOT / "Makefile")
    for name in ("Dockerfile", "README.md", "docs/quickstart.md"):
        assert torch_in(ROOT / name) == {version}, name
    for path in WORKFLOWS:
        assert torch_in(path) <= {version}, path.name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_who_runs_tests_has_torch(path: Path) -> None:
    """Files of nearly all folders of tests import it. `.ci/run` and make install it themselves."""
    text = path.read_text("utf-8")
    for job in re.split(r"^  [\w-]+:$", text.partition("\njobs:\n")[2], flags=re.MULTILINE)[1:]:
        before, pytest_, _ = job.partition(" -m pytest ")
        assert not pytest_ or ".ci/run" in before or "pip install torch==" in before


@pytest.mark.parametrize("name", COMPLETE)
def test_a_run_of_every_test_expects_a_browser(name: str) -> None:
    text = (ROOT / ".github" / "workflows" / name).read_text("utf-8")
    assert "run: .ci/run" in text or re.search(r'HANSA_EXPECTS_BROWSER: "1"', text)
