"""Compressed files of lines that are made wrong: puzzles, openings and rows of the leaderboard."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from hansa_agents.benchmark.row_file import About, RowError, read_row, write_row
from hansa_agents.line_ups import MatchError
from hansa_agents.openings.graph import positions_of
from hansa_agents.openings.play import play_beginnings
from hansa_agents.puzzles.puzzle_file import PuzzleError, published, read_puzzles
from hansa_env import Game, Ruleset, make_agent
from hansa_env.formats.openings import FORMAT, Head, OpeningsError, read_openings
from tests.agents.benchmark.played import play, row_of
from tests.formats import mutate
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, given_twice, json_of, same


def _lines_mutant(sample: Callable[[random.Random], list[Any]]) -> Callable[[random.Random], tuple[str, bytes, bool]]:
    """Files of lines, one of which is changed as data, or the whole as text or as compressed bytes; `read` is told whether a
    field stands twice."""

    def make(choose: random.Random) -> tuple[str, bytes, bool]:
        lines = sample(choose)
        way, number = choose.random(), choose.randrange(len(lines))
        texts = [json.dumps(line) for line in lines]
        if way < 0.1:
            what, data = bytes_changed(gzip.compress(_joined(texts), mtime=0), choose)
            return f"compressed: {what}", data, False
        if way < 0.25:
            what, data = bytes_changed(_joined(texts), choose)
            return what, gzip.compress(data, mtime=0), False
        if way < 0.35:
            other = choose.randrange(len(lines))
            texts.insert(other, texts[number])
            return f"line {number} again at {other}", gzip.compress(_joined(texts), mtime=0), False
        twice = way < 0.45 and isinstance(lines[number], dict)
        if twice:
            texts[number] = given_twice(lines[number], choose)
            return "a field twice", gzip.compress(_joined(texts), mtime=0), True
        holder = {"line": lines[number]}
        what = _value_changed(holder, choose) if isinstance(lines[number], list) else changed(lines[number], choose)
        texts[number] = json_of(holder["line"])
        return f"line {number}: {what}", gzip.compress(_joined(texts), mtime=0), False

    return make


def _joined(texts: list[str]) -> bytes:
    return ("\n".join(texts) + "\n").encode("utf-8", "surrogatepass")


def _value_changed(holder: dict, choose: random.Random) -> str:
    path = choose.choice(list(mutate.places(holder)))
    value: Any = choose.choice(mutate.STRANGE)
    old = mutate.at(holder, path)
    if type(old) in (int, float) and choose.random() < 0.5:
        value = old * choose.choice((-1, 0, 1, 10**9)) + choose.choice((-1, 0, 1))
    mutate.put(holder, path, value)
    return f"{'/'.join(map(str, path)):.80} changed"


def _written(path: Path) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def _as_written(twice: bool, path: Path, found: list[Any]) -> None:
    if twice:
        raise TakenWrongly("a field stands twice")
    if not same(_written(path), found):
        raise TakenWrongly("it was read otherwise than it is written")


# Puzzles


@cache
def _puzzles() -> list[list[str]]:
    """The published puzzles, three to a file, and their first line."""
    head, *lines = gzip.decompress(published().read_bytes()).decode().splitlines()
    head = json.dumps(json.loads(head) | {"puzzles": 3})
    return [[head, *lines[at : at + 3]] for at in range(0, len(lines) - 2, 3)]


def _some_puzzles(choose: random.Random) -> list[Any]:
    return [json.loads(line) for line in choose.choice(_puzzles())]


def _read_puzzles(path: Path, twice: bool) -> None:
    head, puzzles = read_puzzles(path)
    _as_written(twice, path, [json.loads(head.model_dump_json()), *(one.line.model_dump() for one in puzzles)])
    for one in puzzles:
        if not set(one.line.answers) < set(Game.from_position(one.line.position).legal()):
            raise TakenWrongly("an answer is not legal, or all that is legal is right")


PUZZLES = Kind(
    "puzzles", ".jsonl.gz", (PuzzleError,), _lines_mutant(_some_puzzles), _read_puzzles,
    lambda: (gzip.compress(_joined(_puzzles()[0])), False),
)  # fmt: skip


# Openings


@cache
def _openings() -> list[list[str]]:
    """How a few games of scripted players begin, with three players on the base board and with four in the East."""
    found = []
    for ruleset in (Ruleset(3), Ruleset(4, board="east")):
        agents = [make_agent(spec, ruleset, seed=1) for spec in ("greedy", "scripted:network")]
        begun, _ = play_beginnings(ruleset, agents, 40, seed=1, depth=6, on_played=lambda _: None)
        beginnings, positions = positions_of(ruleset, begun, least=1)
        head = Head(
            format=FORMAT, version="0", ruleset=ruleset.config, agents=["greedy", "scripted:network"], seed=1, games=40,
            depth=6, least=1, positions=len(positions), beginnings=beginnings,
        )  # fmt: skip
        found.append([head.model_dump_json(), *map(json.dumps, positions)])
    return found


def _some_openings(choose: random.Random) -> list[Any]:
    return [json.loads(line) for line in choose.choice(_openings())]


def _read_openings(path: Path, twice: bool) -> None:
    found = read_openings(path)
    positions = json.loads(json.dumps(found.positions))
    _as_written(twice, path, [json.loads(found.head.model_dump_json()), *positions])
    for one in found.positions:
        if sum(taken.games for taken in one.taken) != one.games or any(taken.wins > taken.games for taken in one.taken):
            raise TakenWrongly("games or wins that cannot be")
    for number in range(len(found.head.beginnings)):
        found.walk(number, ["done"] * 1000)  # ends, since each decision leads on


OPENINGS = Kind(
    "openings", ".jsonl.gz", (OpeningsError,), _lines_mutant(_some_openings), _read_openings,
    lambda: (gzip.compress(_joined(_openings()[0])), False),
)  # fmt: skip


# Rows of the leaderboard


@cache
def _row() -> list[str]:
    """A row of two cells of an agent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "row.jsonl.gz"
        write_row(path, row_of("greedy", play("greedy", Path(folder), games=12)))
        return gzip.decompress(path.read_bytes()).decode().splitlines()


def _some_row(choose: random.Random) -> list[Any]:
    return [json.loads(line) for line in _row()]


def _read_row(path: Path, twice: bool) -> None:
    row = read_row(path)
    row.card()
    again = path.with_name("again.jsonl.gz")
    write_row(again, row)
    (head, *lines), (written_head, *written) = _written(again), _written(path)
    written_head["about"] = About().model_dump() | written_head["about"]  # of which anything may be left out
    order = [line["cell"] for line in written]
    found = [head, *sorted(lines, key=lambda line: order.index(line["cell"]))]
    if twice or not same([written_head, *written], found):
        raise TakenWrongly("a field stands twice, or it was read otherwise than it is written")


ROWS = Kind(
    "rows", ".jsonl.gz", (RowError, MatchError), _lines_mutant(_some_row), _read_row,
    lambda: (gzip.compress(_joined(_row())), False),
)  # fmt: skip
