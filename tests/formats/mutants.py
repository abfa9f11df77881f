"""Files made wrong in every way that comes to mind, given to their readers:

    python -m tests.formats.mutants --count 2000

Each reader must refuse a file in one line of its own error, or read exactly what it says. The table counts files that were
taken wrongly (something was read that does not stand there, or cannot be) and errors of other kinds; both must be 0.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from hansa_env.commands.progress import Progress, progress_on
from hansa_env.formats.errors import shown
from tests.formats import mutate

#: Characters of a message; it has to fit what somebody reads.
LONGEST = 1000


class TakenWrongly(AssertionError):
    """A reader took a file that it should have refused, or read it otherwise than it is written."""


@dataclass(frozen=True)
class Kind:
    """One kind of file.

    Attributes:
        name: in the table.
        ending: of the file's name.
        errors: what its reader may raise.
        make: a file by a random choice: what was done to it, its bytes, and what `read` needs to know.
        read: reads the file at a path; raises TakenWrongly where that should have been refused.
        whole: a file that nothing was done to, which is to be taken, and what `read` needs to know.
    """

    name: str
    ending: str
    errors: tuple[type[Exception], ...]
    make: Callable[[random.Random], tuple[str, bytes, Any]]
    read: Callable[[Path, Any], None]
    whole: Callable[[], tuple[bytes, Any]]


@dataclass
class Tally:
    """What came of the files of a kind: numbers, and of the wrong ones the first of each sort in words."""

    kind: Kind
    refused: int = 0
    taken: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    raw: Counter[str] = field(default_factory=Counter)

    def judge(self, path: Path, what: str, known: Any) -> None:
        """Let the file be read."""
        try:
            self.kind.read(path, known)
        except TakenWrongly as error:
            self.wrong[f"{what}: {error!s:.200}"] += 1
        except self.kind.errors as error:
            text = str(error)
            if not text or len(text) > LONGEST or len(text.splitlines()) != 1:
                self.raw[f"{what}: a message of {len(text)} characters: {text!r:.200}"] += 1
            self.refused += 1
        except Exception as error:
            self.raw[f"{what}: {type(error).__name__}: {error!s:.200}"] += 1
        else:
            self.taken += 1


def run(kinds: list[Kind], count: int, seed: int, progress: Progress | None = None) -> list[Tally]:
    """Judge so many files of each kind; the same seed gives the same files."""
    progress = progress or Progress()
    tallies = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            progress.begin(kind.name, count)
            choose, tally = random.Random(f"{seed} {kind.name}"), Tally(kind)
            path = Path(folder) / f"mutant{kind.ending}"
            data, known = kind.whole()
            path.write_bytes(data)
            kind.read(path, known)  # else nothing would be said by the refusals
            for number in range(count):
                what, data, known = kind.make(choose)
                path.write_bytes(data)
                tally.judge(path, what, known)
                progress.at(number + 1)
            progress.end()
            tallies.append(tally)
    return tallies


# Changes


def same(a: Any, b: Any) -> bool:
    """Equal as JSON, where 1 is not true."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def changed(data: dict, choose: random.Random) -> str:
    """Change a JSON object in place in one way or several; returns what was done."""
    if choose.random() < 0.5:
        path = choose.choice(list(mutate.places(data)))
        value = choose.choice(mutate.STRANGE)
        mutate.put(data, path, value)
        return f"{'/'.join(map(str, path)):.80} = {shown(value)}"
    done = []
    for _ in range(choose.randint(1, 3)):
        change = choose.choice(mutate.CHANGES)
        try:
            change(data, choose)
        except (IndexError, ValueError, KeyError, TypeError):  # there is nothing of that sort left to change
            continue
        done.append(change.__name__)
    return " and ".join(done) or "nothing"


def json_of(data: Any) -> str:
    """JSON text of what was changed; where a number has more digits than Python writes, such a number alone."""
    try:
        return json.dumps(data)
    except ValueError:
        return "1" * 6000


def given_twice(data: dict, choose: random.Random) -> str:
    """JSON text in which one field of one object stands twice."""
    paths = [path for path in mutate.places(data) if isinstance(path[-1], str)]
    path = choose.choice(paths)
    owner = mutate.at(data, path[:-1])
    owner[f"{path[-1]}@twice"] = choose.choice((owner[path[-1]], *mutate.STRANGE[:20]))
    return json.dumps(data).replace('@twice"', '"')


def bytes_changed(data: bytes, choose: random.Random) -> tuple[str, bytes]:
    """A file torn, with bytes that are others, with a part twice or left out."""
    how = choose.choice(("cut", "flip", "flip", "double", "drop", "noise", "nothing left"))
    first, second = sorted((choose.randrange(len(data)), choose.randrange(len(data))))
    second = min(second, first + 1000)
    if how == "cut":
        return how, data[:first]
    if how == "flip":
        byte = data[first] ^ (1 << choose.randrange(8))
        return f"bit of byte {first} flipped", data[:first] + bytes([byte]) + data[first + 1 :]
    if how == "double":
        return f"bytes {first} to {second} twice", data[:second] + data[first:]
    if how == "drop":
        return f"bytes {first} to {second} dropped", data[:first] + data[second:]
    if how == "noise":
        return f"noise at {first}", data[:first] + choose.randbytes(second - first) + data[second:]
    return how, b""


def json_mutant(
    sample: Callable[[random.Random], dict], end: bytes = b""
) -> Callable[[random.Random], tuple[str, bytes, bool]]:
    """Files of one JSON object, changed as data or as text; `read` is told whether a field stands twice."""

    def make(choose: random.Random) -> tuple[str, bytes, bool]:
        data = sample(choose)
        way = choose.random()
        if way < 0.1:
            return "a field twice", given_twice(data, choose).encode() + end, True
        if way < 0.25:
            return *bytes_changed(json.dumps(data).encode() + end, choose), False
        what = changed(data, choose)
        try:
            return what, json.dumps(data).encode() + end, False
        except ValueError:  # more digits than Python writes
            return what, b'{"players": ' + b"1" * 6000 + b"}" + end, False

    return make


def main(
    count: Annotated[int, typer.Option(help="files of each kind")] = 1000,
    seed: Annotated[int, typer.Option(help="of the changes")] = 0,
) -> None:
    """Give readers wrong files and count what they do."""
    from tests.formats.mutant_kinds import all_kinds

    with progress_on() as progress:
        tallies = run(all_kinds(), count, seed, progress)
    console, table = Console(), Table(title=f"{count} files of each kind, seed {seed}")
    for column in ("files", "refused", "taken", "taken wrongly", "other errors"):
        table.add_column(column, justify="left" if column == "files" else "right")
    for tally in tallies:
        numbers = tally.refused, tally.taken, tally.wrong.total(), tally.raw.total()
        table.add_row(tally.kind.name, *map(str, numbers))
    console.print(table)
    for tally in tallies:
        for what, times in [*tally.wrong.most_common(20), *tally.raw.most_common(20)]:
            console.print(f"{tally.kind.name}: {times} x {what}", markup=False, highlight=False, soft_wrap=True)
    if any(tally.wrong or tally.raw for tally in tallies):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
