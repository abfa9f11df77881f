"""Folders of compiled code: held by the processes that use them; those of older versions are removed in time.

A folder is named after a hash of the sources (`hansa_env.engine.compile`), so each change of them leaves one behind. A
process holds those that it uses, by a shared lock on a file in them that the system lifts when the process ends, and by
that file's time says when it was last wanted.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows, where nothing is held and so nothing removed
    fcntl = None

NAME = re.compile(r"numba-[0-9a-f]{16}")
LOCK = "in-use.lock"
#: What Numba keeps: an index and code for each function, and either while it is being written.
CODE = re.compile(r".+\.nb[ic](\.tmp\.[0-9a-f]+)?")
UNUSED = 14 * 24 * 3600.0  # seconds that a folder must have been wanted by nobody before it is removed

TRIES = 10  # to hold a folder that others remove meanwhile

_held: dict[Path, int] = {}  # open files, whose locks last as long as they do


def hold(folder: Path) -> Path:
    """Make a folder of compiled code where there is none, and keep others from removing it while this process lives; returns
    it. Where the file system has no locks, it is only made."""
    for _ in range(TRIES):
        if folder in _held:
            break
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:
            continue  # removed just now
        except OSError:
            return folder
        if not _locked(file, exclusive=False):
            os.close(file)
            return folder
        if _is_there(folder / LOCK, file):
            os.utime(file)
            _held[folder] = file
        else:  # somebody removed the folder before it was held
            os.close(file)
    return folder


def remove_unused(place: Path) -> list[Path]:
    """Remove the folders in a place that no process holds and none has wanted for `UNUSED` seconds; returns which.

    What is not called and filled as a folder of compiled code is left alone, links and strange files in it included.
    """
    return [folder for folder in sorted(place.glob("numba-*")) if NAME.fullmatch(folder.name) and _remove(folder)]


def _remove(folder: Path) -> bool:
    """Remove a folder if it may go."""
    try:
        if fcntl is None or folder.is_symlink() or not folder.is_dir() or not _is_old(folder, time.time()):
            return False
        file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not _locked(file, exclusive=True):
                return False
            subfolders = [one for one in folder.iterdir() if one.name != LOCK]
            for one in (code for subfolder in subfolders for code in subfolder.iterdir()):
                one.unlink()
            for one in subfolders:
                one.rmdir()
            (folder / LOCK).unlink()
            folder.rmdir()
        finally:
            os.close(file)
    except OSError:  # of somebody else, or changed meanwhile
        return False
    return True


def _is_old(folder: Path, now: float) -> bool:
    """Whether a folder holds nothing but compiled code that nobody has wanted for long."""
    times = []
    for one in folder.iterdir():
        if one.is_symlink():
            return False
        if one.name == LOCK:
            times.append(one.stat().st_mtime)
            continue
        for code in one.iterdir():  # raises NotADirectoryError for a file that is not ours
            if code.is_symlink() or not code.is_file() or not CODE.fullmatch(code.name):
                return False
            times.append(code.stat().st_mtime)
    return now - max(times, default=folder.stat().st_mtime) > UNUSED


def _locked(file: int, exclusive: bool) -> bool:
    """Lock an open file: shared, once whoever removes is done; or exclusive, if nobody holds it. False where that fails."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if exclusive else fcntl.LOCK_SH)
    except OSError:
        return False
    return True


def _is_there(path: Path, file: int) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False
