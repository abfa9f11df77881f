"""Whether commands may write where they are told to: asked before the work, so that none is in vain and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from hansa_env.formats.file_writing import check_writable, is_stream, write_whole


class Kind(NamedTuple):
    """What a command writes.

    Attributes:
        endings: its names end in one of these; empty: in anything.
        may_exist: a file that is there is no hindrance. It is replaced by what can be made again, or grows, or stays, as
            records do, which are written beside it. Else it is refused.
    """

    endings: tuple[str, ...]
    may_exist: bool = False


PAGE = Kind((".html", ".htm"), may_exist=True)
PICTURE = Kind((".svg", ".png"), may_exist=True)
RECORD = Kind((".json",), may_exist=True)
#: What the command has read and adds to.
GROWING = Kind((), may_exist=True)
ARRAYS = Kind((".npz",))
TEXTS = Kind((".jsonl",))
COMPRESSED = Kind((".gz",))
WEIGHTS = Kind((".safetensors",))
ONNX = Kind((".onnx",))


class OutputError(ValueError):
    """A file cannot be written where it was asked for; names the option and the file, and what helps."""


def check_outputs(
    outputs: Mapping[str, tuple[Kind, Path | None]], inputs: Iterable[Path] = (), made: Iterable[Path] = ()
) -> None:  # fmt: skip
    """See that files can be written, before anything is done for them. None of them is changed, and no folder is made.

    Args:
        outputs: what is written where, by what names it, such as an option; None: it is not asked for.
        inputs: files that the same command reads, or writes otherwise.
        made: folders that the command makes itself, so that files may be in them.

    Raises:
        OutputError: one is a folder, or in no folder; it is one of the inputs, or two are the same; its name ends otherwise
            than its kind does, or there is a file that must stay. OSError: nobody may write there, or there is no room.
    """
    read = {_identity(path): path for path in inputs}
    written: dict[object, str] = {}
    folders = [path.resolve() for path in made]
    for option, (kind, path) in outputs.items():
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
        check_ending(option, kind, path)
        if path.exists() and not kind.may_exist:
            raise OutputError(f"{option} is {path}, which exists; remove it, or name another file")
        if not waits:
            check_writable(path)


def check_ending(option: str, kind: Kind, path: Path) -> None:
    """Raises OutputError unless a name ends as its kind does."""
    if kind.endings and not path.name.endswith(kind.endings):
        raise OutputError(f"{option} is {path}; expected a name that ends in {' or '.join(kind.endings)}")


def written(path: Path, data: bytes) -> str:
    """Write what can be made again, in place of what is there; returns what to say of it. Raises OSError."""
    before = path.exists() and not is_stream(path)
    write_whole(path, data)
    return f"replaced {path}" if before else f"written to {path}"


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
