"""Files that one process at a time writes to: who does holds a lock beside them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from hansa_env.formats.file_writing import check_writable


def hold(path: Path, timeout: float = 0) -> FileLock:
    """Take the lock of a file, by whatever name the file is called.

    Raises:
        filelock.Timeout: another process has it, still after so many seconds. OSError: there is no such folder, or no file can
            be made there; names the file.
    """
    place = path.resolve()
    place.parent.stat()  # the lock would make the folder
    check_writable(path)  # a lock that cannot be made is taken for one that another process has, or names itself
    while True:
        lock = FileLock(place.with_name(f".{place.name}.lock"))
        lock.acquire(timeout=timeout)
        if Path(lock.lock_file).exists():
            return lock
        lock.release()  # who had it before removed its file meanwhile, so that others would not see that it is taken


def let_go(lock: FileLock) -> None:
    """Give a lock back, and remove its file."""
    with suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()
