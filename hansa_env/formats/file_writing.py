"""Files and folders that are either as they were or whole, whenever the process or the machine stops.

A link stays: what it points to is written. A file that is written again keeps its mode. What is no regular file, such as a
device or a pipe, is written straight.
"""

from __future__ import annotations

import gzip
import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

#: How names of things not yet, or no longer, in place end; whoever holds the folder may delete them.
PARTIAL = ".partial"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, see it onto the disk, and move it there; of several writers the last one stays. Raises
    OSError, naming the file; then nothing has changed, except in what is no regular file."""
    _write_beside(path, data, _put_in_place)


def write_new(path: Path, data: bytes) -> None:
    """The same where there is no file yet: one that somebody puts there meanwhile stays. Raises FileExistsError; OSError."""
    if path.exists() and not is_stream(path):  # the common case, for which nothing needs to be written
        raise _there_is(path)
    try:
        _write_beside(path, data, _put_in_free_place)
    except FileExistsError:
        raise _there_is(path) from None


def write_json(path: Path, data: object) -> None:
    """The same of JSON data, which people may read."""
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode())


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """The same of lines, compressed; the same lines give the same bytes."""
    write_whole(path, gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


def check_writable(path: Path) -> None:
    """See whether a file could be written now; it stays as it is, or is not made. Raises OSError, naming the file."""
    if is_stream(path):
        return
    with _begun_beside(path):
        pass


def is_stream(path: Path) -> bool:
    """Whether there is something that cannot be moved into place: a device, a pipe, or what this process prints into. Raises
    OSError where it cannot be told."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or _is_own_output(found)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error about a file that is open name it, as that of a disk without room does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


class Together(AbstractContextManager):
    """Files that take their places when the context is left: all of them, or none where it is left with an error."""

    def __init__(self) -> None:
        self._files: list[tuple[Path, Path, Path]] = []  # where each is written, where it goes, what it was called
        self._straight: list[tuple[Path, Path]] = []  # what is no regular file: where that is written, and itself

    def beside(self, path: Path) -> Path:
        """Where a file is to be written meanwhile. Raises OSError."""
        if is_stream(path):
            descriptor, name = tempfile.mkstemp(PARTIAL)
            os.close(descriptor)
            self._straight.append((Path(name), path))
            return Path(name)
        place = path.resolve()
        beside = _beside(place)
        self._files.append((beside, place, path))
        _begin(beside, place)
        return beside

    def __exit__(self, _: object, error: BaseException | None, *more: object) -> None:
        try:
            for beside, place, _path in self._files if error is None else ():
                with beside.open("r+b") as file:
                    os.fsync(file.fileno())
                _put_in_place(beside, place)
            for meanwhile, path in self._straight if error is None else ():
                _write_straight(path, meanwhile.read_bytes())
        except OSError as refused:
            error = refused
            raise
        finally:
            for beside, _place, path in self._files:
                with suppress(OSError):
                    beside.unlink()
                _name_in_error(error, beside, path)
            for meanwhile, _path in self._straight:
                meanwhile.unlink(missing_ok=True)


def write_folder_whole(path: Path, files: Mapping[str, bytes]) -> None:
    """The same for a new folder with all its files; `path` must not exist."""
    beside = _beside(path)
    try:
        beside.mkdir()
        for name, data in files.items():
            _write_synced(beside / name, data)
        _sync_folder(beside)
        os.rename(beside, path)
    except BaseException as error:
        shutil.rmtree(beside, ignore_errors=True)
        _name_in_error(error, beside, path)
        raise
    _sync_folder(path.parent)


def remove_folder_whole(path: Path) -> None:
    """Delete a folder so that it is never seen with a part of its files."""
    beside = _beside(path)
    os.rename(path, beside)
    shutil.rmtree(beside, ignore_errors=True)


def remove_partials(folder: Path) -> None:
    """Delete what interrupted writers left in a folder; nobody else may be writing there."""
    for path in folder.glob(f"*{PARTIAL}"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _write_beside(path: Path, data: bytes, put: Callable[[Path, Path], None]) -> None:
    """Write a file beside its place and let it be put there; what is no regular file is written straight."""
    if is_stream(path):
        _write_straight(path, data)
        return
    with _begun_beside(path) as (beside, place):
        _write_synced(beside, data)
        put(beside, place)


@contextmanager
def _begun_beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """An empty file beside a place, and the place; afterwards it is gone where nobody has moved it. Errors about it name what
    was asked for."""
    place = path.resolve()
    beside = _beside(place)
    try:
        _begin(beside, place)
        yield beside, place
    except BaseException as error:
        _name_in_error(error, beside, path)
        raise
    finally:
        with suppress(OSError):
            beside.unlink()


def _beside(path: Path) -> Path:
    """A name that no other writer has, of this machine or of another that shares the folder."""
    return path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{PARTIAL}")


def _name_in_error(error: BaseException | None, beside: Path, path: Path) -> None:
    """Let an error about what is beside its place, or about a file in it, name what was asked for."""
    if isinstance(error, OSError) and str(error.filename).startswith(str(beside)):
        error.filename = str(path) + str(error.filename).removeprefix(str(beside))


def _begin(beside: Path, place: Path) -> None:
    """Make the empty file beside a place; nobody may read it who may not read what is there."""
    mode = 0o666
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(place.stat().st_mode) | stat.S_IWUSR
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))


def _put_in_place(beside: Path, place: Path) -> None:
    """Move a file that is written to its place, with the mode of the one that is there, where the system can."""
    with suppress(OSError):
        beside.chmod(stat.S_IMODE(place.stat().st_mode))
    os.replace(beside, place)
    _sync_folder(place.parent)


def _put_in_free_place(beside: Path, place: Path) -> None:
    """Give a file that is written the name of its place. Raises FileExistsError: there is one."""
    try:
        os.link(beside, place)
    except FileExistsError:
        raise
    except OSError:  # the disk has no links, or there is another reason, which the following finds too
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(beside, place)
        except BaseException:
            place.unlink()
            raise
    _sync_folder(place.parent)


def _there_is(path: Path) -> FileExistsError:
    return FileExistsError(f"{path} exists; name another file")


def _is_own_output(found: os.stat_result) -> bool:
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:  # it is closed
        return False


def _write_straight(path: Path, data: bytes) -> None:
    own = _is_own_output(path.stat())
    if own:
        sys.stdout.flush()  # what was printed before comes first
    with naming(path), open(1 if own else path, "wb", closefd=not own) as file:
        file.write(data)


def _write_synced(path: Path, data: bytes) -> None:
    with naming(path), path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    """See the names in a folder onto the disk, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
