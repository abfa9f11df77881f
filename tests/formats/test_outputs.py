"""Whether files may be written, asked before the work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hansa_env.formats import file_writing
from hansa_env.formats.outputs import OutputError, check_folder, check_outputs


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.json").write_text("a game")
    Path("link.json").symlink_to("game.json")
    Path("folder").mkdir()


def there() -> dict[str, str]:
    return {str(path): path.read_text() for path in sorted(Path().rglob("*")) if path.is_file()}


def test_what_can_be_written_is_left_as_it_is() -> None:
    before = there()
    outputs = {"--out": Path("game.json"), "--html": Path("folder/new.html"), "--more": Path(os.devnull), "--none": None}
    check_outputs(outputs, [Path("missing.json"), Path(os.devnull)])
    check_outputs({"--out": Path(os.devnull), "--html": Path(os.devnull)})
    assert there() == before


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        ({"--out": "folder"}, "--out is folder, which is a folder"),
        ({"--out": ""}, "--out is ., which is a folder"),
        ({"--out": "none/new.json"}, "--out is none/new.json, but there is no folder .*/none; make it"),
        ({"--out": "game.json"}, "--out is game.json, which is game.json that the command reads"),
        ({"--out": "folder/../link.json"}, "--out is .*link.json, which is game.json that the command reads"),
        ({"--out": "new.json", "--html": "folder/../new.json"}, "--html is .*new.json, which --out names too"),
    ],
)
def test_what_cannot_be_written_is_refused_by_its_option(outputs: dict[str, str], said: str) -> None:
    before = there()
    with pytest.raises(OutputError, match=said):
        check_outputs({option: Path(path) for option, path in outputs.items()}, [Path("game.json")])
    assert there() == before


def test_a_folder_is_there_or_can_be_made() -> None:
    before = there()
    for fine in (None, Path("folder"), Path("new/folder/in/others"), Path()):
        check_folder("--folder", fine)
    for wrong in ("game.json", "game.json/more", "folder/../link.json"):
        with pytest.raises(OutputError, match=rf"--folder is {wrong}, but .*game\.json is no folder"):
            check_folder("--folder", Path(wrong))
    assert there() == before and not Path("new").exists()


def test_where_nobody_may_write_is_known_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: os.PathLike, *_: object) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(file_writing.os, "open", refused)  # the tests may run as root, who may write everywhere
    with pytest.raises(PermissionError) as found:
        check_outputs({"--out": Path("folder/new.json")})
    assert found.value.filename == "folder/new.json"
    with pytest.raises(PermissionError):
        check_folder("--folder", Path("folder/new"))
