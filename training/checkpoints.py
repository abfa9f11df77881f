"""A ring of checkpoints: numbered folders of named files, each with its checksum. What is in the files is not known here."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.file_writing import remove_folder_whole, remove_partials, write_folder_whole
from hansa_env.formats.json_text import parse_json
from hansa_training.errors import RunError

FORMAT = "hansa-checkpoint/1"
MANIFEST = "manifest.json"
TORN = "torn-"
NEWEST = 3
#: Bytes of all files in a checkpoint, as many as they are; the largest plan's weights and games are a fraction of it.
LARGEST, LARGEST_MANIFEST = 2**32, 2**20
_NUMBER = re.compile("[0-9]{6,12}")


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint whose every file that was asked for has been read and found to be what was written.

    Attributes:
        path: its folder.
        files: contents by name, of those files.
        note: what the writer said about it, JSON.
    """

    path: Path
    files: Mapping[str, bytes]
    note: dict[str, Any]

    @property
    def number(self) -> int:
        return int(self.path.name)


class Checkpoints:
    """The checkpoints in a folder, numbered upwards; the NEWEST last ones stay.

    Only one process at a time may call `save` and `settle` (the run folder's lock sees to it); anyone may read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def numbers(self) -> list[int]:
        """The numbers in place, oldest first, whether whole or not."""
        if not self.folder.is_dir():
            return []
        return sorted(int(path.name) for path in self.folder.iterdir() if _NUMBER.fullmatch(path.name) and path.is_dir())

    def save(self, files: Mapping[str, bytes], note: Mapping[str, Any]) -> Path:
        """Add a checkpoint, then drop the oldest. Raises OSError, or RunError where its files are larger than can be read back;
        then the others are as they were."""
        size = sum(map(len, files.values()))
        if size > LARGEST:
            problem = f"the files of its checkpoint have {size:,} bytes, and {LARGEST:,} can be read back"
            raise RunError(f"{self.folder}: {problem}; begin a run that keeps less (--snapshots, --expert-labels, --envs)")
        self.folder.mkdir(exist_ok=True)
        numbers = self.numbers()
        path = self._path(numbers[-1] + 1 if numbers else 1)
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        manifest = {"format": FORMAT, "note": dict(note), "sha256": sums}
        write_folder_whole(path, {**files, MANIFEST: (json.dumps(manifest, indent=1) + "\n").encode()})
        for number in self.numbers()[:-NEWEST]:
            remove_folder_whole(self._path(number))
        return path

    def newest(
        self, tell: Callable[[str], None] | None = None, only: str | None = None, most: int | None = None
    ) -> Checkpoint | None:  # fmt: skip
        """The newest whole checkpoint, None where there is none at all.

        Args:
            tell: is given a line about each torn one that was passed over.
            only, most: see `read_checkpoint`; then one is whole that has this file whole.

        Raises:
            RunError: there are checkpoints, and none of them is whole.
        """
        reasons = []
        for number in reversed(self.numbers()):
            try:
                return self.read(number, only, most)
            except RunError as error:
                reasons.append(str(error))
                if tell:
                    tell(f"{error}; passed over")
        if reasons:
            raise RunError(f"{self.folder}: none of the {len(reasons)} checkpoints is whole; the newest: {reasons[0]}")
        return None

    def settle(self, tell: Callable[[str], None]) -> Checkpoint | None:
        """Like `newest`, for the one that goes on writing: torn ones are renamed, and what was half written is deleted."""
        if not self.folder.is_dir():
            return None
        remove_partials(self.folder)
        found = self.newest(tell)
        for number in self.numbers():
            if found and number > found.number:
                torn = self.folder / f"{TORN}{number:06d}"
                shutil.rmtree(torn, ignore_errors=True)
                self._path(number).rename(torn)
        return found

    def read(self, number: int, only: str | None = None, most: int | None = None) -> Checkpoint:
        """One checkpoint, as `read_checkpoint` checks it. Raises `RunError` saying what is wrong with it."""
        return read_checkpoint(self._path(number), only, most)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}"


def is_checkpoint(path: Path) -> bool:
    """Whether a folder is, or was meant to be, a single checkpoint."""
    return (path / MANIFEST).is_file()


def read_checkpoint(path: Path, only: str | None = None, most: int | None = None) -> Checkpoint:
    """The checkpoint in a folder, checked.

    Args:
        only: the one file to read, which it may lack; by default all, as a run needs that goes on.
        most: bytes of what is read, which may be compressed, by default LARGEST.

    Raises `RunError` saying what is wrong with it.
    """
    try:
        manifest = parse_json(read_at_most(path / MANIFEST, LARGEST_MANIFEST), "manifest")
        kind, sums, note = manifest["format"], dict(manifest["sha256"]), dict(manifest["note"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path} is torn: {MANIFEST} cannot be read ({type(error).__name__}: {error})") from error
    if kind != FORMAT:
        raise RunError(f"{path} has the format {kind!r:.100}; expected {FORMAT!r}")
    files: dict[str, bytes] = {}
    left = LARGEST if most is None else most
    for name, expected in sums.items():
        if Path(name).name != name:
            raise RunError(f"{path} is torn: {MANIFEST} names {name!r:.100}; expected a plain file name")
        if only not in (None, name):
            continue
        try:
            files[name] = read_at_most(path / name, left)
        except (OSError, ValueError) as error:
            raise RunError(f"{path} is torn: {name} cannot be read ({getattr(error, 'strerror', error)})") from error
        left -= len(files[name])
        if hashlib.sha256(files[name]).hexdigest() != expected:
            raise RunError(f"{path} is torn: {name} is not what was written (its checksum differs)")
    return Checkpoint(path, files, note)
