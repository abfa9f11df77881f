"""Files of this project that are given in place of others: what they are, by the format that they name, and what reads them."""

from __future__ import annotations

import gzip
import re
import zlib
from contextlib import suppress
from pathlib import Path

_KINDS = {
    "hansa-record": "is the record of a game, which hansa replay, view and analyse read",
    "hansa-position": "is a position, which hansa picture draws",
    "hansa-game": "holds the results of a match, which hansa results reads; hansa arena --records FOLDER keeps records",
    "hansa-collection": "tells of a dataset; its folder is one already, and Dataset.load reads each part-*.npz in it",
    "hansa-openings": "is a file of openings, which hansa table --openings reads",
    "hansa-puzzles": "is a file of puzzles, which hansa puzzles --file reads",
    "hansa-benchmark": "is a row of the benchmark, which hansa benchmark --show reads",
}
_KIND = re.compile(r'"format": ?"([\w-]+)/')
#: Bytes, or characters, at its beginning within which a file names its format.
_BEGINNING = 4096
_COMPRESSED = b"\x1f\x8b"


def other_kind(text: str | bytes, *own: str) -> str | None:
    """What a file is, by its beginning, that should be of a kind of one's own ("hansa-record"); None: nothing else that is
    known."""
    beginning = text[:_BEGINNING]
    kind = _KIND.search(beginning if isinstance(beginning, str) else beginning.decode(errors="replace"))
    return None if kind is None or kind[1] in own else _KINDS.get(kind[1])


def refuse_other_kind(path: Path, error: type[ValueError], *own: str) -> None:
    """Raises `error`, naming the file, where that is something else of this project; OSError. Of a pipe nothing is read."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if beginning.startswith(_COMPRESSED):
        with suppress(EOFError, zlib.error, OSError), gzip.open(path) as file:
            beginning = file.read(_BEGINNING)
    what = other_kind(beginning, *own)
    if what is not None:
        raise error(f"{path}: {what}")
