"""Where compiled code is kept: several processes at once, and no place that can be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

from hansa_env.engine import code_folders, compile

ROOT = Path(__file__).parents[2]
PROCESSES = 4

NOTICE = (
    "hansa_env: compiling, once (about half a minute for the rules, up to two minutes for agents that search; "
    "`hansa compile` compiles all ahead and shows how far it is) ...\n"
)
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


@pytest.mark.slow
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
    assert "agents that search" in NOTICE and "`hansa compile`" in NOTICE, "and it is true of those, which take longer"


@pytest.mark.slow
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


@pytest.mark.slow
def test_installations_share_the_code_in_the_users_cache(tmp_path: Path, expected: str) -> None:
    """What one virtual environment has compiled, another loads: the same sources in another folder."""
    cache, kept = tmp_path / "cache", []
    for name in ("one", "other"):
        for package, imported in (("hansa_env", "hansa_env"), ("agents", "hansa_agents")):
            shutil.copytree(ROOT / package, tmp_path / name / imported, ignore=shutil.ignore_patterns("__pycache__"))
        place = {
            "PYTHONPATH": str(tmp_path / name),
            "XDG_CACHE_HOME": str(cache),
            "HOME": str(tmp_path),
            "NUMBA_CACHE_DIR": None,
        }
        done = run(COMPILE, tmp_path / name, **place)
        assert done.returncode == 0 and done.stdout == expected, done.stderr[-2000:]
        assert done.stderr.count(NOTICE) == (name == "one"), "only the first compiles"
        kept.append({file: file.read_bytes() for file in cache.rglob("*.nb?")})
    assert len(kept[0]) >= 10 and kept[0] == kept[1]
    assert not list(tmp_path.glob("o*/**/*.nb?")), "nothing lies beside the sources"


@pytest.mark.slow
def test_a_variable_that_names_no_folder_warns_too(tmp_path: Path, expected: str) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run(COMPILE, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert done.returncode == 0 and done.stdout == expected, done.stderr[-2000:]
    assert done.stderr.count("RuntimeWarning") == 1 and "NUMBA_CACHE_DIR" in done.stderr


@pytest.fixture
def copied_engine(tmp_path: Path, monkeypatch) -> Path:
    """The package's sources, for `source_hash` to read and the test to change."""
    package = tmp_path / "hansa_env"
    shutil.copytree(ROOT / "hansa_env", package, ignore=shutil.ignore_patterns("__pycache__", "page", "*.json"))
    monkeypatch.setattr(compile, "ENGINE", package / "engine")
    return package


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("engine/rules/claim.py", True),
        ("boards/__init__.py", True),
        ("boards/missions.py", True),
        ("ruleset.py", True),
        ("render/text.py", False),
    ],
)
def test_code_is_named_after_every_source_that_it_depends_on(file: str, counts: bool, copied_engine: Path) -> None:
    before = compile.source_hash.__wrapped__()
    with (copied_engine / file).open("a") as source:
        source.write("\nMORE = 1\n")
    assert (compile.source_hash.__wrapped__() != before) == counts


def test_code_with_a_bounds_check_does_not_meet_code_without(monkeypatch) -> None:
    before = compile.source_hash.__wrapped__()
    monkeypatch.setattr(compile.config, "BOUNDSCHECK", 1)
    assert compile.source_hash.__wrapped__() != before


def older_code(place: Path, name: str, days: float) -> Path:
    """A folder of compiled code as an older version left it, last wanted so many days ago."""
    folder = place / name
    kept = folder / "engine_0a1b"
    kept.mkdir(parents=True)
    for file in (kept / "kernels.step_games-127.py311.nbi", kept / "kernels.step_games-127.py311.1.nbc"):
        file.write_bytes(b"code")
    set_age(folder, days)
    return folder


def set_age(folder: Path, days: float) -> None:
    then = folder.stat().st_ctime - days * 24 * 3600
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (then, then))


OLD = code_folders.UNUSED / 24 / 3600 + 1


def test_only_old_folders_of_compiled_code_are_removed(tmp_path: Path) -> None:
    old = [older_code(tmp_path, f"numba-{digit * 16}", OLD) for digit in "0a"]
    old.append(tmp_path / f"numba-{'7' * 16}")
    (old[-1] / "empty").mkdir(parents=True)
    set_age(old[-1], OLD)
    kept = [older_code(tmp_path, "numba-" + "1" * 16, OLD - 2)]
    kept += [older_code(tmp_path, name, OLD) for name in ("numba-mine", "numba-" + "2" * 17, "other", "numba-" + "3" * 16)]
    (kept[-1] / "notes.txt").write_text("not ours")
    set_age(kept[-1], OLD)
    kept.append(older_code(tmp_path, "numba-" + "4" * 16, OLD))
    (kept[-1] / "engine_0a1b" / "notes.txt").write_text("not ours either")
    set_age(kept[-1], OLD)
    link = tmp_path / ("numba-" + "5" * 16)
    link.symlink_to(older_code(tmp_path, "elsewhere", OLD))
    assert code_folders.remove_unused(tmp_path) == sorted(old)
    assert not any(folder.exists() for folder in old)
    assert all(len(list(folder.rglob("*.nb?"))) == 2 for folder in (*kept, tmp_path / "elsewhere")) and link.is_symlink()


HOLD = """
import sys
from pathlib import Path
from hansa_env.engine import code_folders

print(code_folders.hold(Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


def test_a_folder_that_a_process_uses_stays_until_it_ends(tmp_path: Path) -> None:
    folder = older_code(tmp_path, "numba-" + "c" * 16, OLD)
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == f"{folder}\n"
        set_age(folder, OLD)
        assert code_folders.remove_unused(tmp_path) == []
        process.communicate("")
    assert process.returncode == 0
    assert code_folders.remove_unused(tmp_path) == [folder] and not folder.exists()


def test_wanting_a_folder_makes_it_new(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(code_folders, "_held", {})
    folder = older_code(tmp_path, "numba-" + "d" * 16, OLD)
    code_folders.hold(folder)
    for file in code_folders._held.values():
        os.close(file)
    assert code_folders.remove_unused(tmp_path) == []


def test_a_folder_that_goes_as_it_is_wanted_is_made_again(tmp_path: Path, monkeypatch) -> None:
    """Another process removes it between the opening of its lock and the locking."""
    monkeypatch.setattr(code_folders, "_held", {})
    folder, lock, times = older_code(tmp_path, "numba-" + "e" * 16, OLD), code_folders._locked, []

    def remove_then_lock(file: int, exclusive: bool) -> bool:
        if not times:
            shutil.rmtree(folder)
        times.append(exclusive)
        return lock(file, exclusive)

    monkeypatch.setattr(code_folders, "_locked", remove_then_lock)
    assert code_folders.hold(folder) == folder
    assert times == [False, False] and (folder / code_folders.LOCK).is_file() and folder in code_folders._held
    os.close(code_folders._held[folder])


def test_new_sources_remove_what_old_ones_left(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(compile.config, "CACHE_DIR", str(tmp_path))
    old, new = older_code(tmp_path, "numba-" + "f" * 16, OLD), older_code(tmp_path, "numba-" + "8" * 16, 1)
    folder = compile.cache_folder.__wrapped__(tmp_path)
    assert folder.parent == tmp_path and folder.is_dir()
    assert not old.exists() and new.exists()


def test_a_timer_is_made_where_something_is_compiled_and_ends_with_it(monkeypatch) -> None:
    made = []

    class Timer(threading.Timer):
        def __init__(self, *arguments) -> None:
            made.append(self)
            super().__init__(*arguments)

    monkeypatch.setattr(threading, "Timer", Timer)
    notice = compile.Notice()
    assert made == [], "nothing is compiled yet"
    job = numba.core.event.Event("numba:compile", numba.core.event.EventStatus.START, {"dispatcher": compile.kernel})
    monkeypatch.setattr(notice, "_is_ours", lambda compilation: compilation is job)
    notice.on_start(job)
    notice.on_start(job)  # what it calls
    notice.on_end(job)
    assert len(made) == 1 and not made[0].finished.is_set()
    notice.on_end(job)
    assert made[0].finished.is_set() and notice._timer is None
