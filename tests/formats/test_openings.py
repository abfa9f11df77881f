"""Files of openings: read as they were written; whatever else a file may be is refused in a line that says what is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hansa_env import Game, Ruleset
from hansa_env.formats import openings
from hansa_env.formats.openings import FORMAT, Beginning, Head, OpeningsError, Position, Taken, read_openings, write_openings

RULES = Ruleset(3)
POSITIONS = [
    Position(10, [Taken("place trader stade/hamburg", 7, 3.5, 1), Taken("done", 3, 0.0, None)]),
    Position(7, [Taken("place trader stade/hamburg", 7, 3.5, None)]),
]


def head(**more: Any) -> Head:
    setup = Game(RULES, seed=1).setup
    return Head(**{
        "format": FORMAT, "version": "0", "ruleset": RULES.config, "agents": ["greedy"], "seed": 0, "games": 10, "depth": 2,
        "least": 3, "positions": 2, "beginnings": [Beginning(setup=setup, position=0)], **more,
    })  # fmt: skip


def test_what_was_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    write_openings(file, head(), POSITIONS)
    before = file.read_bytes()
    found = read_openings(file)
    assert found.head == head() and found.positions == POSITIONS and found.ruleset == RULES
    assert found.walk(0, []) == POSITIONS[0] and found.walk(0, ["place trader stade/hamburg"]) == POSITIONS[1]
    assert found.walk(0, ["done"]) is None and found.walk(0, ["nothing", "more"]) is None
    write_openings(file, found.head, found.positions)
    assert file.read_bytes() == before


def lines(**more: Any) -> list[Any]:
    return [json.loads(head().model_dump_json()) | more, *[json.loads(json.dumps(one)) for one in POSITIONS]]


def changed(line: int, *where: Any, to: Any) -> list[Any]:
    """The lines of a file, one value of which is another."""
    found = lines()
    at = found[line]
    for step in where[:-1]:
        at = at[step]
    at[where[-1]] = to
    return found


@pytest.mark.parametrize(("content", "said"), [
    (lines(format="hansa-openings/2"), "line 1: no file of openings"),
    (lines(more=1), "line 1: more"),
    (lines(positions=3), "has 2 positions; by its first line it has 3"),
    (lines(ruleset={"players": 9}), "line 1"),
    (lines(ruleset={"players": 3}), "line 1: ruleset"),
    (lines(games=10**12), "line 1: games"),
    (lines(depth=10**6), "line 1: depth"),
    (lines(agents=[]), "line 1: agents"),
    (changed(0, "beginnings", 0, "position", to=2), "begins at position 2"),
    (changed(0, "beginnings", 0, "setup", to={"markers": {}}), "line 1"),
    (changed(0, "beginnings", 0, "setup", "markers", to={"nowhere": "exchange"}), "line 1"),
    (changed(1, 0, to=11), "line 2: 11 games"),
    (changed(1, 1, 0, 1, to=6), "line 2: 10 games"),
    (changed(1, 1, 0, 2, to=7.5), "has 7.5 wins in 7 games"),
    (changed(1, 1, 0, 2, to="3"), "line 2"),
    (changed(1, 1, 0, 3, to=0), "leads to 0; expected a later position"),
    (changed(1, 1, 0, 3, to=2), "leads to 2"),
    (changed(1, 1, 0, 3, to=-1), "line 2"),
    (changed(1, 1, 1, 0, to="place trader stade/hamburg"), "line 2: a decision is named twice"),
    (changed(1, 1, 1, 0, to="x" * 500), "line 2"),
    (changed(2, 1, to=[]), "line 3"),
    ([*lines()[:2], {"games": 7}], "line 3"),
    (changed(1, 1, to=[["x", 0, 0, 9]] * 20_000), "bytes; expected at most 131,072 of a position"),
    ([*lines()[:2], [7]], "line 3"),
])  # fmt: skip
def test_what_is_wrong_is_told_by_line(tmp_path: Path, content: list[Any], said: str) -> None:
    file = tmp_path / "some.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in content).encode()))
    with pytest.raises(OpeningsError) as error:
        read_openings(file)
    assert said in str(error.value) and "some.jsonl.gz" in str(error.value) and "\n" not in str(error.value)


def test_long_data_of_a_file_is_cut_in_what_is_said(tmp_path: Path) -> None:
    file, content = tmp_path / "huge.jsonl.gz", changed(0, "ruleset", "board", to="b" * 100_000)
    file.write_bytes(gzip.compress(("\n".join(map(json.dumps, content)) + "\n").encode()))
    with pytest.raises(OpeningsError, match=r"huge\.jsonl\.gz: line 1: unknown board 'bbb") as refused:
        read_openings(file)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("data", [b"", b"\n", b"no json\n", b"[" * 9999, b'{"format": NaN}\n', b"\xff\n"])
def test_what_is_no_file_of_openings_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "some.jsonl.gz"
    for content in (data, gzip.compress(data), gzip.compress(data)[:-6]):
        file.write_bytes(content)
        with pytest.raises(OpeningsError):
            read_openings(file)


def test_no_more_is_read_than_such_a_file_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "some.jsonl.gz"
    file.write_bytes(gzip.compress(b" " * 10_000_000))
    monkeypatch.setattr(openings, "LARGEST", 1000)
    with pytest.raises(OpeningsError, match="larger than 1,000 bytes"):
        read_openings(file)
    monkeypatch.undo()
    monkeypatch.setattr(openings, "MOST_POSITIONS", 1)
    write_openings(file, head(), POSITIONS)
    with pytest.raises(OpeningsError, match="1 positions at most"):
        read_openings(file)
