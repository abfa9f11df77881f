"""Arrays in `.npz` files from outside: what each is to be is known before it is read, and nothing is made of what is not that.

A file is a ZIP archive with a member `NAME.npy` for each array. `np.load` makes an array as large as its header says.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy

from hansa_env.formats.errors import RecordError

#: Characters of a text, and of the header of an array.
LONGEST_TEXT, LONGEST_HEADER = 100_000, 10_000
_PIECE = 2**20


class Arrays:
    """The members of a file that is open."""

    def __init__(self, file: zipfile.ZipFile, names: set[str]) -> None:
        self._file = file
        members = [member.filename for member in file.infolist()]
        if sorted(members) != sorted(f"{name}.npy" for name in names):
            raise ValueError(f"it has {len(members)} arrays {members!r:.80}; expected {', '.join(sorted(names))}, once each")

    def text(self, name: str) -> str:
        """A member that is a single text."""
        shape, dtype = self.header(name)
        if shape or dtype.kind != "U" or not 0 < dtype.itemsize <= 4 * LONGEST_TEXT:
            raise ValueError(f"{name} is of {dtype} and shape {shape}; expected a text of at most {LONGEST_TEXT:,} characters")
        return str(self._read(name, shape, dtype)[()])

    def shape(self, name: str, dtype: type[np.generic], like: tuple[int | None, ...]) -> tuple[int, ...]:
        """The shape of a member, which has to be of a type and, where that is not None, of these lengths."""
        shape, found = self.header(name)
        if found != np.dtype(dtype) or len(shape) != len(like) or any(b not in (None, a) for a, b in zip(shape, like)):
            wanted = ", ".join("any" if length is None else str(length) for length in like)
            raise ValueError(f"{name} is of {found} and shape {shape!s:.40}; expected {np.dtype(dtype)} and ({wanted})")
        return shape

    def array(self, name: str) -> np.ndarray:
        """A member, whose shape and type were asked for before."""
        return self._read(name, *self.header(name))

    def header(self, name: str) -> tuple[tuple[int, ...], np.dtype]:
        """The shape and the type of a member, as long as they say; what they are is not looked at."""
        with self._member(name) as member:
            shape, dtype = _header_of(member)
            size = member.tell() + math.prod(shape) * dtype.itemsize
        if self._file.getinfo(f"{name}.npy").file_size != size:
            raise ValueError(f"{name} is not as long as its header says")
        return shape, dtype

    def _read(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        array = np.empty(shape, dtype)
        room = array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")
        with self._member(name) as member:
            _header_of(member)
            done = 0
            while done < len(room):
                count = member.readinto(room[done : done + _PIECE])  # type: ignore[attr-defined]
                if not count:
                    raise ValueError(f"{name} ends early")
                done += count
            if member.read(1):  # also where the checksum is looked at
                raise ValueError(f"{name} goes on behind its end")
        return array

    def _member(self, name: str) -> IO[bytes]:
        info = self._file.getinfo(f"{name}.npy")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
            raise ValueError(f"{name} is compressed or encrypted in another way than by NumPy")
        return self._file.open(info)


@contextmanager
def arrays_in(path: Path, names: set[str]) -> Iterator[Arrays]:
    """The arrays of these names, and no others, in a file, while it is open.

    Raises:
        RecordError: "is no dataset" and why, whatever is wrong with the file or raised while it is read. OSError.
    """
    with path.open("rb") as stream, arrays_of(stream, names, f"{path}: is no dataset") as arrays:
        yield arrays


@contextmanager
def arrays_of(stream: IO[bytes], names: set[str], otherwise: str) -> Iterator[Arrays]:
    """As `arrays_in`, of what is open already. Raises RecordError: `otherwise` and why."""
    try:
        with zipfile.ZipFile(stream) as file:
            yield Arrays(file, names)
    except RecordError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise a dozen kinds at what is broken
        reason = " ".join(str(error).split())
        raise RecordError(f"{otherwise} ({type(error).__name__}: {reason:.200})") from error


def _header_of(member: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    version = npy.read_magic(member)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"it is of the version {version} of .npy; expected 1.0 or 2.0")
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, in_columns, dtype = read(member, max_header_size=LONGEST_HEADER)
    if in_columns and len(shape) > 1:
        raise ValueError("it is stored by columns; expected rows")
    if dtype.hasobject or dtype.fields or min(shape, default=0) < 0:
        raise ValueError(f"it is of {dtype} and shape {shape!s:.40}; expected plain numbers")
    return shape, dtype
