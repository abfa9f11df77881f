"""Names of files and folders: after texts, and those that are still free."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path


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
