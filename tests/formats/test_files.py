"""Files that are either as they were or whole, also where several write them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hansa_env.formats.files import remove_folder_whole, remove_partials, write_folder_whole, write_whole


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
    with pytest.raises(FileNotFoundError) as found:
        write_whole(path, b"")
    assert found.value.filename == str(path)
