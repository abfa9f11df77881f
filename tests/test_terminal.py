"""What a file or an agent says is shown on terminals: none of it is read or written that a terminal would obey."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from hansa_agents.arena import Faults, Keep, play_match
from hansa_agents.benchmark.row_file import read_row
from hansa_agents.line_ups import MatchError
from hansa_agents.puzzles.puzzle_file import published, read_puzzles
from hansa_agents.results_file import read_lines
from hansa_env import Agent, Game, Ruleset
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.records import read_record
from hansa_env.formats.openings import read_openings
from hansa_env.play.agents import name_of
from tests.formats.test_openings import lines as lines_of_openings

PAIR = Ruleset(2)
#: Clear the screen, begin a line anew; the same by one character.
OBEYED = ("\x1b[2J", "a\rb", "\x9b2J")


class Whistles(Agent):
    """Says something to the terminal wherever it can."""

    name = "bad\x1b[2J"

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        raise type("Err\x1bor", (ValueError,), {})("gone\x9b2J")


def record(text: str) -> list[Any]:
    game = Game(PAIR, 1)
    game.agents = ["greedy", text]
    return [game.record()]


def results(text: str) -> list[Any]:
    play_match(["random", "greedy"], PAIR, 2, max_turns=2, keep=Keep(file := Path(f"{len(text)}.jsonl")))
    first = json.loads(file.read_text().splitlines()[0])
    return [first | {"agents": ["random", text]}]


def row(text: str) -> list[Any]:
    kept = Path(__file__).parent.parent / "docs" / "leaderboard" / "greedy.jsonl.gz"
    first, *rest = map(json.loads, gzip.decompress(kept.read_bytes()).splitlines())
    return [first | {"machine": text}, *rest[:1]]


def puzzles(text: str) -> list[Any]:
    first, *rest = map(json.loads, gzip.decompress(published().read_bytes()).splitlines()[:2])
    return [first | {"version": text, "puzzles": 1}, *rest]


def openings(text: str) -> list[Any]:
    return lines_of_openings(agents=[text])


@pytest.mark.parametrize("text", OBEYED)
@pytest.mark.parametrize(("made", "read", "ending"), [
    (record, read_record, ".json"), (results, lambda path: list(read_lines(path)), ".jsonl"), (row, read_row, ".jsonl.gz"),
    (puzzles, read_puzzles, ".jsonl.gz"), (openings, read_openings, ".jsonl.gz"),
])  # fmt: skip
def test_files_do_not_speak_to_the_terminal(
    made: Callable[[str], list[Any]], read: Callable[[Path], object], ending: str, text: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)

    def write(told: str) -> Path:
        data = "".join(json.dumps(line) + "\n" for line in made(told)).encode()
        (file := tmp_path / f"file{ending}").write_bytes(gzip.compress(data) if ending.endswith(".gz") else data)
        return file

    read(write("plain text"))
    with pytest.raises(ValueError, match=r"control|pattern") as refused:
        read(write(text))
    assert str(refused.value).isprintable()


def test_errors_do_not_speak_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), one_line_errors():
        raise ValueError("one\x1b[2J\ntwo\x9b \udc9b")
    assert capsys.readouterr().err == "error: one?[2J two? ?\n"


def test_agents_do_not_speak_to_the_terminal(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    assert name_of(Whistles()) == "bad?[2J"
    play_match([Whistles(), "random"], PAIR, 4, faults=Faults("forfeit"), keep=Keep(results=results))
    lines = list(read_lines(results))
    (reason,) = {one.forfeit.reason for one in lines if one.forfeit}
    assert re.fullmatch(r"raised Err\?or: gone\?2J \(test_terminal\.py, line \d+\)", reason)
    with pytest.raises(MatchError, match="control characters"):
        play_match(["greedy", "a\x1b[2J=random"], PAIR, 2)
