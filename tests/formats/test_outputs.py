"""Whether files may be written, asked before the work."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hansa_env.formats.outputs import ARRAYS, GROWING, PAGE, RECORD, Kind, OutputError, check_folder, check_outputs, written


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
    outputs = {
        "--out": (RECORD, Path("game.json")), "--html": (PAGE, Path("folder/new.html")), "--more": (PAGE, Path(os.devnull)),
        "--into": (GROWING, Path("link.json")), "--none": (PAGE, None),
    }  # fmt: skip
    check_outputs({option: outputs[option] for option in outputs if option != "--into"}, [Path("missing.json")])
    check_outputs({"--into": outputs["--into"]}, [Path(os.devnull)])
    check_outputs({"--out": (ARRAYS, Path(os.devnull)), "--html": (ARRAYS, Path(os.devnull))})
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
        check_outputs({option: (RECORD, Path(path)) for option, path in outputs.items()}, [Path("game.json")])
    assert there() == before


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (PAGE, "game.json", "--out is game.json; expected a name that ends in .html or .htm"),
        (RECORD, "new.JSON", "--out is new.JSON; expected a name that ends in .json"),
        (ARRAYS, "new", "--out is new; expected a name that ends in .npz"),
        (ARRAYS, "there.npz", "--out is there.npz, which exists; remove it, or name another file"),
    ],
)
def test_what_is_there_stays_unless_it_can_be_made_again(kind: Kind, name: str, said: str) -> None:
    Path("there.npz").write_text("arrays")
    before = there()
    with pytest.raises(OutputError, match=re.escape(said)):
        check_outputs({"--out": (kind, Path(name))})
    assert there() == before


def test_what_is_replaced_is_said() -> None:
    page = Path("page.html")
    check_outputs({"--html": (PAGE, page)})
    assert written(page, b"old") == "written to page.html"
    check_outputs({"--html": (PAGE, page)})
    assert written(page, b"new") == "replaced page.html" and page.read_bytes() == b"new"
    assert written(Path(os.devnull), b"new") == f"written to {os.devnull}"


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

    monkeypatch.setattr(os, "open", refused)  # the tests may run as root, who may write everywhere
    with pytest.raises(PermissionError) as found:
        check_outputs({"--out": (RECORD, Path("folder/new.json"))})
    assert found.value.filename == "folder/new.json"
    with pytest.raises(PermissionError):
        check_folder("--folder", Path("folder/new"))
