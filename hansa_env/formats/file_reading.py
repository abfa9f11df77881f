"""Files from outside, read up to a limit."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

#: Bytes of a record or position. The longest record with an agent's estimates fits; one of so many bytes takes half a gigabyte.
LARGEST_RECORD = 32 * 2**20
_PIECE = 2**20


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
