"""Files that one process at a time writes to: who does holds a lock beside them."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock


def lock_of(path: Path) -> FileLock:
    """The lock of a file, by whatever name it is called; `acquire` it. Raises OSError where the file's name leads nowhere."""
    place = path.resolve()
    return FileLock(place.with_name(f".{place.name}.lock"))
