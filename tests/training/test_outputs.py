"""Commands that make models and players look at where they are to write before they work, and keep what they read."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from hansa_agents.puzzles.make import make
from hansa_agents.scripted.breed import app as breed
from hansa_env.commands.cli import app as hansa

puzzles = typer.Typer()
puzzles.command()(make)
MISSING, FOLDER, READ = "there is no folder", "which is a folder", "that the command reads"


def run(app: typer.Typer, words: str) -> Result:
    return CliRunner().invoke(app, words.split())


@pytest.mark.parametrize(("app", "words", "said"), [
    (hansa, "export ppo -p 3 --onnx none/new.onnx", MISSING), (hansa, "export ppo -p 3 --onnx folder", FOLDER),
    (hansa, "export model -p 3 --onnx model", READ), (hansa, "blend model=0.5 model=0.5 --out none/new", MISSING),
    (hansa, "blend model=0.5 model=0.5 --out folder", FOLDER), (hansa, "blend model=0.5 model=0.5 --out model", READ),
    (breed, "population --out none/new.npz", MISSING), (breed, "population --out folder", FOLDER),
    (breed, "exploiter greedy --out none/new.npz", MISSING), (breed, "exploiter greedy --out folder", FOLDER),
    (puzzles, "--out none/new.jsonl.gz", MISSING), (puzzles, "--out folder", FOLDER),
])  # fmt: skip
def test_what_cannot_be_written_is_refused_before_the_work(
    app: typer.Typer, words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("model").write_text("kept")
    refused = run(app, words)
    assert refused.exit_code == 2 and said in refused.output, refused.output
    assert len(refused.output.splitlines()) == 1 and refused.output.startswith("error: --o")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "model"] and Path("model").read_text() == "kept"
