"""Files and folders that are either as they were or whole, whenever the process or the machine stops; and files from outside,
read up to a limit.

A link stays: what it points to is written. A file that is written again keeps its mode. What is no regular file, such as a
device or a pipe, is written straight.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BufferedIOBase
from itertools import count
from pathlib import Path

#: How names of things not yet, or no longer, in place end; whoever holds the folder may delete them.
PARTIAL = ".partial"
#: Bytes of a record or position. The longest record with an agent's estimates fits; one of so many bytes takes half a gigabyte.
LARGEST_RECORD = 32 * 2**20
_PIECE = 2**20


def file_name_of(text: str, most: int = 200, *, apart: bool = False) -> str:
    """A name for a file or folder after a text, such as a spec.

    Args:
        most: bytes of the name. Longer texts keep apart by a checksum.
        apart: also those in which a character is replaced; otherwise `ppo:runs/a` and `ppo:runs_a` have one name, for callers
            that keep in the file, or in the folder, whose it is.
    """
    name = re.sub(r"[^\w.=-]+", "_", text)
    if len(name.encode()) <= most and not (apart and name != text):
        return name
    checksum = f"-{zlib.crc32(text.encode(errors='surrogatepass')):08x}"
    return name.encode()[: most - len(checksum)].decode(errors="ignore") + checksum


def in_first_free(path: Path, begin: Callable[[Path], object]) -> Path:
    """Begin something in a file, or where `begin` raises FileExistsError in one like it: `game.json`, `game-2.json`,
    `game-3.json` ..., of a compressed one `games-2.jsonl.gz`; returns where. Raises what else `begin` does."""
    ending = "".join(path.suffixes[-2:]) if path.suffix == ".gz" else path.suffix
    for number in count(1):
        place = path if number == 1 else path.with_name(f"{path.name.removesuffix(ending)}-{number}{ending}")
        with suppress(FileExistsError):
            begin(place)
            break
    return place


def read_at_most(path: Path, most: int) -> bytes:
    """What is in a file, one that ends in `.gz` decompressed, if that is not more than so many bytes.

    Raises ValueError, naming the file: it is more, or cannot be decompressed; then no more than that has been read. OSError.
    """
    if path.suffix != ".gz":
        with path.open("rb") as file:
            return _read(file, path, most)
    with decompressing(path), gzip.open(path, "rb") as file:
        return _read(file, path, most)


@contextmanager
def decompressing(path: Path, kind: type[ValueError] = ValueError, expected: str = "a whole gzip file") -> Iterator[None]:
    """Around the reading of a compressed file: raises an error, naming the file, if it is no gzip file, or a damaged one."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise kind(f"{path}: cannot be decompressed ({error}); expected {expected}") from error


def read_text_at_most(path: Path, most: int) -> str:
    """The same as text. Raises ValueError also where it is no UTF-8; OSError."""
    try:
        return read_at_most(path, most).decode()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is no text in UTF-8") from None


def read_lines_at_most(path: Path, most: int, most_lines: int, things: str) -> list[bytes]:
    """The same as lines: a first one and, after it, no more than so many things, each ended by a line feed.

    Raises ValueError, naming the file and the line: there are more, or the last has no end; what `read_at_most` raises.
    """
    lines = read_at_most(path, most).split(b"\n", most_lines + 1)
    if lines[-1]:
        raise ValueError(f"{path}: line {len(lines)}: expected an end of line, and {most_lines:,} {things} at most")
    return lines[:-1] or lines  # of an empty file, an empty first line


def _read(file: BufferedIOBase, path: Path, most: int) -> bytes:
    pieces, left = [], most
    while piece := file.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise ValueError(f"{path}: is larger than {most:,} bytes, which is the most that is read of such a file")
        pieces.append(piece)
    return b"".join(pieces)


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
