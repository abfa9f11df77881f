"""Files that are either as they were or whole, also where several write them."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hansa_env.formats.file_writing import (
    Together,
    remove_folder_whole,
    remove_partials,
    write_folder_whole,
    write_new,
    write_whole,
)


def write_together(path: Path, data: bytes) -> None:
    with Together() as together:
        together.beside(path).write_bytes(data)


WAYS = pytest.mark.parametrize("write", [write_whole, write_together])
NEW_TOO = pytest.mark.parametrize("write", [write_whole, write_together, write_new])


def test_of_two_writers_of_one_file_both_write_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, sync, meanwhile = tmp_path / "some.json", os.fsync, [b"of the other"]

    def sync_late(descriptor: int) -> None:
        if meanwhile:
            write_whole(path, meanwhile.pop())
            assert path.read_bytes() == b"of the other"
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_late)
    write_whole(path, b"of the first")
    assert path.read_bytes() == b"of the first" and [one.name for one in tmp_path.iterdir()] == ["some.json"]


@pytest.mark.parametrize("linked", [True, False])
def test_what_comes_to_the_place_of_a_new_file_stays(linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a disk without links."""
    path, sync = tmp_path / "some.json", os.fsync

    def without(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    def sync_late(descriptor: int) -> None:
        if not path.exists():
            path.write_bytes(b"of the other")
        sync(descriptor)

    if not linked:
        monkeypatch.setattr(os, "link", without)
    write_new(tmp_path / "new.json", b"new")
    assert (tmp_path / "new.json").read_bytes() == b"new"
    monkeypatch.setattr(os, "fsync", sync_late)
    for _ in range(2):  # it comes while the first is written, and is there before the second
        with pytest.raises(FileExistsError, match=r"some\.json exists; name another file$"):
            write_new(path, b"mine")
    assert path.read_bytes() == b"of the other" and sorted(one.name for one in tmp_path.iterdir()) == ["new.json", "some.json"]


def test_what_a_killed_writer_left_is_in_nobodys_way_and_is_cleaned_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:  # a process that is killed puts nothing in place and cleans nothing up
        for module, name in ((os, "replace"), (os, "rename"), (Path, "unlink")):
            patch.setattr(module, name, lambda *_: None)
        patch.setattr("shutil.rmtree", lambda *_, **__: None)
        write_whole(tmp_path / "some.json", b"of the killed")
        write_folder_whole(tmp_path / "folder", {"one": b"of the killed"})
    assert len(list(tmp_path.iterdir())) == 2 and not list(tmp_path.glob("*.json")), "nobody takes it for a record"
    write_whole(tmp_path / "some.json", b"mine")
    write_folder_whole(tmp_path / "folder", {"one": b"mine"})
    remove_partials(tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "some.json"]
    remove_folder_whole(tmp_path / "folder")
    assert [one.name for one in tmp_path.iterdir()] == ["some.json"]


def test_what_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "none" / "some.json"
    for write in (write_whole, write_new):
        with pytest.raises(FileNotFoundError) as found:
            write(path, b"")
        assert found.value.filename == str(path)


@WAYS
def test_a_link_stays_and_what_it_points_to_is_written(write, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, target = tmp_path / "link.json", tmp_path / "elsewhere" / "some.json"
    link.symlink_to(target)
    for data in (b"new", b"again"):
        write(link, data)
        assert link.is_symlink() and not target.is_symlink() and target.read_bytes() == data
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["elsewhere", "link.json", "some.json"]


@WAYS
def test_a_file_keeps_its_mode_and_a_new_one_has_the_usual_one(write, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        for mode in (0o600, 0o664, 0o444):
            path = tmp_path / f"{mode}.json"
            path.touch()
            path.chmod(mode)
            write(path, b"again")
            assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_bytes() == b"again"
        write(tmp_path / "new.json", b"new")
        assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o640
    finally:
        os.umask(before)


@NEW_TOO
def test_what_is_no_regular_file_is_written_straight(write, tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe, b"through")
    reader.join(30)
    assert read == [b"through"] and stat.S_ISFIFO(pipe.stat().st_mode)
    write(Path(os.devnull), b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@NEW_TOO
def test_what_goes_to_the_output_of_the_process_stands_between_what_it_prints(write, tmp_path: Path) -> None:
    program = (
        f"from pathlib import Path; from tests.formats.test_file_writing import {write.__name__} as write; "
        "print('before'); write(Path('/dev/stdout'), b'data\\n'); print('after')"
    )
    with (tmp_path / "log").open("w") as log:
        log.write("earlier\n")
        log.flush()
        subprocess.run([sys.executable, "-c", program], stdout=log, check=True)
    assert (tmp_path / "log").read_text() == "earlier\nbefore\ndata\nafter\n"


@WAYS
def test_what_cannot_be_put_in_place_is_told_by_its_own_name(write, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError) as found:
        write(tmp_path / "folder", b"data")
    assert found.value.filename == str(tmp_path / "folder") and [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_a_disk_without_room_is_told_by_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # of an open file the system names none

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError) as found:
        write_whole(tmp_path / "some.json", b"data")
    assert found.value.filename == str(tmp_path / "some.json") and not list(tmp_path.iterdir())
    with pytest.raises(OSError) as found:
        write_folder_whole(tmp_path / "folder", {"some.json": b"data"})
    assert found.value.filename == str(tmp_path / "folder" / "some.json") and not list(tmp_path.iterdir())
