"""docs/extending.md names every file that a new marker and its question need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.new_marker import EDITS
from tests.docs.tables import PAGES, ROOT

PACKAGE = ROOT / "hansa_env"
#: The promo markers themselves were in 57 files of the package and the agents when they came.
FEWER_THAN = 12
#: Outside of the package that is copied.
OF_AGENTS = {"agents/scripted/weights.py"}


def run(folder: Path, *command: str) -> str:
    """What Python says in a copy of the package, as plain Python: compiling would take minutes."""
    environment = os.environ | {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def named_in_the_document() -> set[str]:
    """The files that the section on markers says are touched."""
    text = (PAGES / "extending.md").read_text("utf-8")
    section = text.split("\n## A marker\n")[1].split("\n## ")[0].split("\nBeyond that")[0]
    return set(re.findall(r"`([\w/-]+\.(?:py|md|json))`", section))


def test_a_new_marker_takes_the_files_that_the_document_names(tmp_path: Path) -> None:
    """A marker with a question of its own is added to a copy of the package by these files alone, and is played there."""
    copy = tmp_path / "hansa_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in EDITS.items():
        text = (copy / name).read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
            text = text.replace(old, new)
        (copy / name).write_text(text, "utf-8")
    run(tmp_path, "-m", "hansa_env.formats.publish")
    assert run(tmp_path, str(Path(__file__).with_name("play_new_marker.py"))) == "played\n"

    files = [path.relative_to(copy) for path in copy.rglob("*") if path.is_file()]
    changed = {path.as_posix() for path in files if (copy / path).read_bytes() != (PACKAGE / path).read_bytes()}
    assert changed | OF_AGENTS == named_in_the_document()
    assert len(changed | OF_AGENTS) < FEWER_THAN
