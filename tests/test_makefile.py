"""What the Makefile does beside calling pip and `hansa`, which stand-ins replace here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(os.name != "posix" or not shutil.which("make"), reason="needs make")
NOTHING_INSTALLED = ("PYTHON=true", "INSTALL=true")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone called hansa_env whose package is empty, with an empty virtual environment."""
    clone = tmp_path / "hansa_env"
    for package in ("hansa_env", "agents"):
        (clone / package).mkdir(parents=True)
        (clone / package / "__init__.py").touch()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, clone)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    return clone


def make(clone: Path, *arguments: str) -> str:
    """What make prints."""
    outside = {name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=clone, env=outside, capture_output=True, text=True, check=True).stdout


def test_before_it_installs_it_says_what_and_how_long(clone: Path) -> None:
    said = [line for line in make(clone, ".venv/ready", *NOTHING_INSTALLED).splitlines() if not line.startswith("true ")]
    assert said[0].startswith("Setting up .venv") and "minutes" in said[0] and "GB" in said[0]
    assert said[1].startswith("PyTorch")


def test_a_run_of_make_train_that_was_stopped_goes_on(clone: Path) -> None:
    make(clone, ".venv/ready", *NOTHING_INSTALLED)
    assert make(clone, "--dry-run", "train").split() == [".venv/bin/hansa", "train"]
    (clone / "runs" / "ppo").mkdir(parents=True)
    (clone / "runs" / "ppo" / "plan.toml").touch()
    assert make(clone, "--dry-run", "train").split() == [".venv/bin/hansa", "train", "--resume"]
