"""Whether commands may write where they are told to: asked before the work, so that none is done in vain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from hansa_env.formats.file_writing import check_writable, is_stream


class OutputError(ValueError):
    """A file cannot be written where it was asked for; names the option and the file, and what helps."""


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path] = (), made: Iterable[Path] = ()) -> None:
    """See that files can be written, before anything is done for them. None of them is changed, and no folder is made.

    Args:
        outputs: by what names each, such as an option; None: it is not asked for.
        inputs: files that the same command reads, or writes otherwise.
        made: folders that the command makes itself, so that files may be in them.

    Raises:
        OutputError: one is a folder, or in no folder; it is one of the inputs, or two are the same. OSError: nobody may write
            there, or there is no room.
    """
    read = {_identity(path): path for path in inputs}
    written: dict[object, str] = {}
    folders = [path.resolve() for path in made]
    for option, path in outputs.items():
        if path is None or is_stream(path):
            continue
        if path.is_dir():
            raise OutputError(f"{option} is {path}, which is a folder; expected a file")
        folder, one = path.resolve().parent, _identity(path)
        waits = not folder.exists() and any(each.is_relative_to(folder) for each in folders)
        if not (folder.exists() or waits):
            raise OutputError(f"{option} is {path}, but there is no folder {folder}; make it, or name another file")
        if one in read:
            raise OutputError(f"{option} is {path}, which is {read[one]} that the command reads; name another file")
        if one in written:
            raise OutputError(f"{option} is {path}, which {written[one]} names too; name another file")
        written[one] = option
        if not waits:
            check_writable(path)


def check_folder(option: str, path: Path | None) -> None:
    """See that files can be written into a folder, or that it can be made; nothing is. Raises OutputError; OSError."""
    if path is None:
        return
    there = next(one for one in (path.resolve(), *path.resolve().parents) if one.exists())
    if not there.is_dir():
        raise OutputError(f"{option} is {path}, but {there} is no folder; name another one")
    try:
        check_writable(there / "new")
    except OSError as error:
        error.filename = str(path)
        raise


def _identity(path: Path) -> object:
    """What is the same for all names of a file."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return found.st_dev, found.st_ino
