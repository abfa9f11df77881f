"""`.ci/run` where no browser can be had, among stand-ins for make, Python and the rest."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CI_RUN = Path(__file__).parents[1] / ".ci" / "run"
# With these and nothing else on the path, no browser and no apt-get of the machine is found.
USED = ("bash", "env", "dirname", "timeout", "id")
HERE = os.name == "posix" and all(map(shutil.which, USED))
pytestmark = pytest.mark.skipif(not HERE, reason="needs bash and the usual commands")


def stand_in(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/usr/bin/env bash\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the script in a folder whose make and Python only note what they were told; no browser can be installed."""
    for folder in (".ci", "bin"):
        (tmp_path / folder).mkdir()
    shutil.copy(CI_RUN, tmp_path / ".ci" / "run")
    for name in USED:
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    note = f'echo "$*; a browser is expected: ${{HANSA_EXPECTS_BROWSER:-no}}" >> "{tmp_path}/said"'
    stand_in(tmp_path / "bin" / "make", note)
    stand_in(tmp_path / ".venv" / "bin" / "python", f"{note}; exit 1")
    return tmp_path


def run(checkout: Path, *arguments: str, **environment: str) -> tuple[int, str, list[str]]:
    """The status of `.ci/run`, what it says to whoever reads its errors, and what the stand-ins were told."""
    environment = {"PATH": str(checkout / "bin"), "HOME": str(checkout), **environment}
    found = subprocess.run(
        [checkout / ".ci" / "run", *arguments], cwd=os.sep, env=environment, capture_output=True, text=True, timeout=60
    )
    return found.returncode, found.stderr, (checkout / "said").read_text().splitlines()


TRIED = [
    ".venv/ready; a browser is expected: no",
    "-m playwright install chromium; a browser is expected: no",
]


def test_where_there_must_be_a_browser_and_is_none_the_run_fails_and_says_so(checkout: Path) -> None:
    status, errors, told = run(checkout, CI="true")
    assert status == 1
    assert errors.startswith("NO BROWSER: ") and "cannot run" in errors
    assert told == TRIED, "make test is not run"


@pytest.mark.parametrize("environment", [{}, {"CI": ""}, {"CI": "false"}])
def test_elsewhere_it_says_so_and_runs_the_other_tests(checkout: Path, environment: dict[str, str]) -> None:
    status, errors, told = run(checkout, **environment)
    assert status == 0
    assert errors.startswith("NO BROWSER: ")
    assert told == [*TRIED, "test; a browser is expected: no"]


def test_with_a_browser_the_tests_expect_it(checkout: Path) -> None:
    stand_in(checkout / "bin" / "chromium", "exit 0")
    status, errors, told = run(checkout, CI="true")
    assert (status, errors) == (0, "")
    assert told == [TRIED[0], "test; a browser is expected: 1"]


def test_another_target_is_made_in_the_same_way(checkout: Path) -> None:
    stand_in(checkout / "bin" / "chromium", "exit 0")
    assert run(checkout, "test-all")[2] == [TRIED[0], "test-all; a browser is expected: 1"]


def test_a_run_fails_where_the_tests_do(checkout: Path) -> None:
    make = (checkout / "bin" / "make").read_text()
    (checkout / "bin" / "make").write_text(f'{make}[ "$1" != test ]\n')
    status, _, told = run(checkout)
    assert status == 1
    assert told[-1].startswith("test;")
