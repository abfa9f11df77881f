"""What a user's type checker says of the public interface, with the packages installed as a wheel installs them."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.packages import PACKAGES, ROOT

#: A user's file. The lines with a comment are wrong, by the code that it names.
USE = """\
import numpy as np

from hansa_agents.arena import play_match
from hansa_env import Agent, Game, HansaBatch, Ruleset, graph_tables, make_agent, observation_blocks


class First(Agent):
    sees = "observations"

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


ruleset = Ruleset(players=3, edition="second")
game = Game(ruleset, seed=7)
game.play(game.legal()[0])
batch = HansaBatch(8, ruleset, seeds=list(range(8)), autoreset=True)
batch.step(batch.action_mask.argmax(axis=1))
rows: int = observation_blocks(ruleset)["routes"].rows
routes: np.ndarray = graph_tables(ruleset).action_route
share: float = play_match([First(), make_agent("random", ruleset)], ruleset, 2).rows[0].share

Ruleset(players="three")  # arg-type
game.play(3)  # arg-type
HansaBatch("x", ruleset)  # arg-type
HansaBatch(8)  # call-arg
game.seats  # attr-defined
winner: str = game.winners()  # assignment
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment beside this one that has the packages, links to their folders, and all that they need."""
    home = tmp_path_factory.mktemp("user")
    venv.create(home, with_pip=False, symlinks=True)
    site = next(home.glob("lib/python*/site-packages"))
    for name, folder in PACKAGES.items():
        (site / name).symlink_to(ROOT / folder)
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin" / "python"


@pytest.mark.slow
def test_a_users_errors_are_found_and_no_others(python: Path, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    options = ["--config-file=", f"--python-executable={python}", "--cache-dir=cache"]
    done = subprocess.run([sys.executable, "-m", "mypy", *options, "use.py"], cwd=tmp_path, capture_output=True, text=True)
    found = re.findall(r"^(.*\.py):(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE)
    wrong = [(number, line.partition("  # ")[2]) for number, line in enumerate(USE.splitlines(), 1) if "  # " in line]
    assert found == [("use.py", str(number), code) for number, code in wrong], done.stdout + done.stderr
    assert len(wrong) == 6
