"""Where commands are to write is looked at before they work, and nothing that they read is overwritten."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hansa_agents.arena import Keep, play_match
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("game.json").write_text(json.dumps(Game(Ruleset(3), seed=3).record()))
    Path("thoughts.json").write_text(json.dumps(Game(Ruleset(3), seed=4).record()))
    for name in ("there.npz", "parts-1.npz", "there.gz", "there.onnx", "there.safetensors"):
        Path(name).write_text("somebody's")
    play_match(["random"], Ruleset(3), 3, max_turns=1, keep=Keep(results="games.jsonl"))


def there() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file() and path.suffix != ".lock"}


ARENA = ["arena", "random", "-p", "3", "-n", "3", "--max-turns", "1", "--html", "new.html"]
MISSING, FOLDER, READ, EXISTS = "there is no folder", "which is a folder", "that the command reads", "which exists; remove it"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("record random -p 3 -o none/new.json", MISSING),
        ("record random -p 3 -o folder", FOLDER),
        ("analyse game.json --out none/new.json", MISSING),
        ("estimate game.json nobody --out none/new.json", MISSING),
        ("dataset game.json -o none/new.npz", MISSING),
        ("dataset game.json -o new.npz --texts folder", FOLDER),
        ("dataset game.json -o game.json", READ),
        ("dataset . --texts game.json", READ),
        ("dataset game.json -o new.txt", "expected a name that ends in .npz"),
        ("dataset game.json -o new.npz --texts new.txt", "expected a name that ends in .jsonl"),
        ("dataset game.json -o new.npz --texts games.jsonl", EXISTS),
        ("dataset game.json -o there.npz", EXISTS),
        ("dataset game.json thoughts.json --games 1 -o parts.npz", "--out, file 1 of it, is parts-1.npz, which exists"),
        ("picture game.json -o thoughts.json", "expected a name that ends in .svg or .png"),
        ("view game.json -o thoughts.json", "expected a name that ends in .html or .htm"),
        ("record random -p 3 -o game.txt", "expected a name that ends in .json"),
        ("analyse game.json -o games.jsonl", "expected a name that ends in .json"),
        ("play greedy -o games.jsonl", "expected a name that ends in .json"),
        ("arena random -p 3 --html game.json", "expected a name that ends in .html or .htm"),
        ("crossplay random greedy -p 3 --html game.json", "expected a name that ends in .html or .htm"),
        ("crossplay random greedy -p 3 --picture game.json", "expected a name that ends in .svg or .png"),
        ("ladder --html game.json", "expected a name that ends in .html or .htm"),
        ("results games.jsonl --html game.json", "expected a name that ends in .html or .htm"),
        ("openings random -p 3 -o game.json", "expected a name that ends in .gz"),
        ("export ppo --onnx game.json", "expected a name that ends in .onnx"),
        ("export ppo --onnx there.onnx", EXISTS),
        ("blend there.onnx=1 --out there.safetensors", EXISTS),
        ("picture game.json -o none/new.svg", MISSING),
        ("view game.json -o none/new.html", MISSING),
        ("view game.json -o ./game.json", READ),
        ("arena random -p 3 --html none/new.html", MISSING),
        ("arena random -p 3 -n 3 --max-turns 1 --results games.jsonl --html games.jsonl", READ),
        ("results games.jsonl --html games.jsonl", READ),
        ("results games.jsonl --html folder", FOLDER),
        ("ladder --file games.jsonl --html games.jsonl", READ),
        ("openings random -p 3 -o none/new.gz", MISSING),
        ("openings random -p 3 -o there.gz --games 1 --least 1", "--out is there.gz, which exists; remove it, or name"),
        ("arena random -p 3 --records game.json", "is no folder"),
        ("collect random -p 3 --out game.json/more", "is no folder"),
        ("crossplay random greedy -p 3 --folder game.json", "is no folder"),
        ("benchmark random --quick --folder game.json", "is no folder"),
        ("exploit random -p 3 --folder game.json", "is no folder"),
        ("harden ppo --folder game.json/more", "is no folder"),
        ("sweep seed=0..1 --folder game.json", "is no folder"),
        ("train --folder game.json", "is no folder"),
        ("speed --quick --out game.json", "is no folder"),
        ("crossplay random greedy -p 3 --html none/new.html", MISSING),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(words: str, said: str) -> None:
    before = there()
    refused = run(*words.split())
    assert refused.exit_code == 2 and there() == before
    (line,) = refused.output.splitlines()  # and nothing of games that were played
    assert line.startswith("error: ") and said in line


def test_a_folder_that_nobody_may_write_into_is_named_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path.resolve()))

    monkeypatch.setattr("hansa_env.formats.outputs.check_writable", refused)
    for words in ("train --folder folder/run", "collect random -p 3 --out folder/run"):
        said = run(*words.split())
        assert said.exit_code == 2 and said.output.startswith("error: folder/run: Permission denied; see to it"), said.output


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody can make a file")
def test_where_no_results_can_be_kept_the_cause_is_told() -> None:
    said = run("arena", "random", "-p", "3", "-n", "3", "--max-turns", "1", "--results", "/proc/games.jsonl").output
    assert said == "error: /proc/games.jsonl: No such file or directory\n"


def test_where_nobody_may_write_the_file_of_results_is_named_not_its_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, *_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("os.open", refused)
        said = run("arena", "random", "-p", "3", "-n", "3", "--max-turns", "1", "--results", "folder/games.jsonl").output
    assert said.startswith("error: folder/games.jsonl: Permission denied; see to it that you may use it"), said


@pytest.mark.parametrize(
    "words", ["arena random -p 3 -n 3 --max-turns 1 --results new/games.jsonl --html new/page.html",
              "arena random -p 3 -n 3 --max-turns 1 --records new --html new/page.html",
              "crossplay random greedy -p 3 -n 3 --folder new --html new/page.html"]
)  # fmt: skip
def test_a_page_may_be_in_a_folder_that_the_command_makes(words: str) -> None:
    done = run(*words.split())
    assert done.exit_code == 0 and Path("new/page.html").read_text().startswith("<!doctype html>"), done.output
    assert "written to new/page.html" in done.stderr.splitlines()


def test_a_page_or_picture_is_made_anew_and_that_is_said() -> None:
    commands = ("view game.json -o a.html", "picture game.json -o a.svg", " ".join(ARENA))
    for words, name in zip(commands, ("a.html", "a.svg", "new.html")):
        first, again = run(*words.split()), run(*words.split())
        assert first.exit_code == again.exit_code == 0, again.output
        assert "replaced" not in first.output and re.search(rf"^replaced (.*/)?{name}", again.output, re.MULTILINE)


def test_a_missing_file_is_named_before_what_is_named_after_it() -> None:
    for words in ("view none/game.json", "picture none/game.json", "estimate none/game.json ppo"):
        assert "none/game.json: No such file" in run(*words.split()).output


def test_what_is_printed_does_not_wait_for_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("hansa_env.formats.outputs.write_whole", full)
    done = run(*ARENA, "--json", "--no-progress")
    assert done.exit_code == 2 and "new.html: No space left on device; make room" in done.output
    assert json.loads(done.stdout)["games"] == 3


def test_a_page_is_written_although_nobody_reads_what_is_printed() -> None:
    words = [sys.executable, "-m", "hansa_env", *ARENA]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() != 0 and Path("new.html").read_text().startswith("<!doctype html>")
