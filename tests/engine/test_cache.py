"""Where compiled code is kept: several processes at once, and no place that can be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

from hansa_env.engine import compile

ROOT = Path(__file__).parents[2]
PROCESSES = 4

NOTICE = "hansa_env: compiling, once (about a minute) ...\n"
#: Some kernels of two packages, compiled or loaded: enough to see where they go, and quicker than all of them.
COMPILE = """
import numpy as np
from hansa_env import Ruleset
from hansa_env.engine import compile, kernels, state
from hansa_env.engine.identity import hash_games
from hansa_env.engine.tables import tables_of
import hansa_agents.streams as streams

compile.PATIENCE = 0.0  # all that is compiled takes longer
games, seeds, tables = state.new_games(3), np.zeros(3, np.uint64), tables_of(Ruleset(3))
kernels.batch_seeds(np.uint64(7), 0, seeds)
kernels.deal_games(games, tables, seeds, 0, 0, 3)
kernels.next_seeds(games, seeds)
streams.fill_streams(games, np.uint64(1), seeds)
print(hash_games(games).tolist(), seeds.tolist())
"""


def run(code: str, folder: Path = ROOT, **variables: str | None) -> subprocess.CompletedProcess:
    """Run code in a folder, with variables of the environment set, or with None unset."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "always::RuntimeWarning"}
    for name, value in variables.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def expected() -> str:
    """What the code prints with a cache that works."""
    done = run(COMPILE)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "RuntimeWarning" not in done.stderr
    return done.stdout


def test_processes_that_compile_at_once_share_a_cache(tmp_path: Path, expected: str) -> None:
    """A cache that is empty, several processes that find it so, and one that comes after them."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        jobs = [pool.submit(run, COMPILE, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(PROCESSES)]
        ended = [job.result() for job in jobs]
    ended.append(run(COMPILE, NUMBA_CACHE_DIR=str(tmp_path)))
    for done in ended:
        assert done.returncode == 0 and done.stdout == expected, done.stderr[-2000:]
    assert {ended[0].stderr.count(NOTICE), ended[-1].stderr.count(NOTICE)} == {1, 0}, "said once, and only where one waits"
    assert len(list(tmp_path.rglob("*.nbi"))) >= 5, "the code was kept"


def test_what_is_compiled_silently_or_for_others_is_not_announced(monkeypatch, capsys) -> None:
    monkeypatch.setattr(compile, "PATIENCE", 0.0)
    monkeypatch.setattr(compile.notice, "said", False)

    def compiled(module: str) -> str:
        def slow(numbers):
            return np.sort(numbers)[::2].sum()

        slow.__module__ = module
        numba.njit(slow)(np.arange(4.0))
        return capsys.readouterr().err

    assert compiled("elsewhere") == ""
    with compile.notice.silent():
        assert compiled("hansa_agents.own") == ""
    assert compiled("hansa_agents.own") == NOTICE and compiled("hansa_agents.own") == ""


def test_where_nothing_can_be_written_one_warning_names_the_variable(tmp_path: Path, expected: str) -> None:
    """Neither beside the sources nor in the user's cache: files stand where the folders would be, so that root fails too."""
    for package, name in (("hansa_env", "hansa_env"), ("agents", "hansa_agents")):
        shutil.copytree(ROOT / package, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in [path for path in (tmp_path / name).rglob("*") if path.is_dir()] + [tmp_path / name]:
            (folder / "__pycache__").write_text("in the way")
    (tmp_path / "file").write_text("in the way")
    cache = str(tmp_path / "file" / "cache")
    done = run(COMPILE, tmp_path, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=cache)
    assert done.returncode == 0 and done.stdout == expected, done.stderr[-2000:]
    assert done.stderr.count("RuntimeWarning") == 1, done.stderr
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in done.stderr
    assert str(tmp_path / "hansa_env") in done.stderr, "and what was tried"
    kept = run(COMPILE, tmp_path, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "kept"))
    assert kept.stdout == expected and "RuntimeWarning" not in kept.stderr
    assert list((tmp_path / "kept").rglob("*.nbi")), "the remedy works"


def test_a_variable_that_names_no_folder_warns_too(tmp_path: Path, expected: str) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run(COMPILE, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert done.returncode == 0 and done.stdout == expected, done.stderr[-2000:]
    assert done.stderr.count("RuntimeWarning") == 1 and "NUMBA_CACHE_DIR" in done.stderr
