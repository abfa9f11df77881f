"""The file of puzzles: what comes with the package is right, and anything else is refused with its line."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hansa_agents.puzzles import puzzle_file
from hansa_agents.puzzles.offered import why
from hansa_agents.puzzles.puzzle_file import (
    AGREED,
    ENDING,
    KINDS,
    PROVEN,
    Puzzle,
    PuzzleError,
    published,
    read_puzzles,
    text_of,
    write_puzzles,
)
from hansa_agents.puzzles.settings import SETTINGS
from hansa_env import Game


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The first three puzzles of the published file."""
    lines = gzip.decompress(published().read_bytes()).splitlines()[:4]
    head = json.loads(lines[0]) | {"puzzles": 3}
    path = tmp_path / "small.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join([json.dumps(head).encode(), *lines[1:]]) + b"\n"))
    return path


def changed(path: Path, change: Callable[[list[dict]], object]) -> Path:
    """A file after a change of its lines as data."""
    data = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    change(data)
    path.write_bytes(gzip.compress(("\n".join(map(json.dumps, data)) + "\n").encode()))
    return path


def test_why_speaks_of_as_many_answers_as_there_are(puzzles: list[Puzzle]) -> None:
    for number, said in ((1, "after this one you can end the game"), (2, "after any of these you can end the game")):
        one = next(one for one in puzzles if one.line.known == PROVEN and len(one.answers) == number)
        assert f"by trying {one.line.tried:,} decisions of this turn: {said} in this turn and win alone" in why(one.line)


def test_there_are_puzzles_of_every_setting_and_kind(puzzles: list[Puzzle]) -> None:
    assert len(puzzles) >= 500
    assert {one.line.setting for one in puzzles} == set(SETTINGS)
    counts = Counter(one.line.kind for one in puzzles)
    assert set(counts) == set(KINDS) and min(counts.values()) >= 100
    assert {one.ruleset.players for one in puzzles} == {2, 3, 4, 5}


def test_agents_draw_anew_in_every_puzzle(puzzles: list[Puzzle]) -> None:
    """A mixture draws its member by noise and seat: with one noise for all, a seat had the same one in every puzzle."""
    assert len({int(one.game["noise"][0]) for one in puzzles}) == len(puzzles)


def test_answers_are_legal_and_something_else_is_too(puzzles: list[Puzzle]) -> None:
    for one in puzzles:
        game = Game.from_position(one.line.position, composed=False)
        legal = set(game.legal())
        assert one.answers and one.answers < legal == one.legal
        assert all(game.parse(answer) in game.legal_actions() for answer in one.answers)


def test_no_position_stands_twice(puzzles: list[Puzzle]) -> None:
    seen = Counter((one.line.setting, json.dumps(one.line.position, sort_keys=True)) for one in puzzles)
    assert seen.most_common(1)[0][1] == 1


def test_endings_are_proven_and_the_others_agreed_on_by_several(puzzles: list[Puzzle]) -> None:
    for one in puzzles:
        assert one.line.known == (PROVEN if one.line.kind == ENDING else AGREED)
        assert one.line.kind == ENDING or len({(search.spec, search.seed) for search in one.line.searches}) >= 3


def test_an_answer_that_is_only_the_beginning_of_an_action_has_the_rest_beside_it(puzzles: list[Puzzle]) -> None:
    """People learn nothing from "move"."""
    begun = [
        (answer, then)
        for one in puzzles
        for answer, then in zip(one.line.answers, one.line.then, strict=True)
        if answer == "move"
    ]
    assert len(begun) > 100 and all(then[-1].startswith(("put ", "done")) for _, then in begun)


def test_what_is_displaced_is_told_unless_there_is_but_one_place(puzzles: list[Puzzle]) -> None:
    """The engine takes a decision by itself where there is but one; so a few answers say no more."""
    begun = [then for one in puzzles for answer, then in zip(one.line.answers, one.line.then) if answer == "displace"]
    assert len(begun) > 80 and sum(not then for then in begun) <= 4


def test_the_same_puzzles_give_the_same_bytes(tmp_path: Path, small: Path) -> None:
    head, found = read_puzzles(small)
    for name in ("one.jsonl.gz", "two.jsonl.gz"):
        write_puzzles(tmp_path / name, head, [text_of(one.line) for one in found])
    assert (tmp_path / "one.jsonl.gz").read_bytes() == (tmp_path / "two.jsonl.gz").read_bytes()
    assert [one.line for one in read_puzzles(tmp_path / "one.jsonl.gz")[1]] == [one.line for one in found]


@pytest.mark.parametrize(("change", "said"), [
    (lambda lines: lines[0].update(format="hansa-puzzles/2"), "line 1: no file of puzzles"),
    (lambda lines: lines[0].update(run="os.system"), "line 1: field run is unknown"),
    (lambda lines: lines[0].update(puzzles=4), "has 3 puzzles; by its first line it has 4"),
    (lambda lines: lines[1].update(code="print()"), "line 2: field code is unknown"),
    (lambda lines: lines[1].pop("answers"), "line 2: field answers is missing"),
    (lambda lines: lines[1].update(answers=[]), "line 2: answers: a list of 0"),
    (lambda lines: lines[1].update(answers=["fly"]), "line 2: answers: fly is not legal there"),
    (lambda lines: lines[1].update(answers=lines[1]["answers"] * 2), "line 2: answers: expected them sorted, each once"),
    (lambda lines: lines[1].update(answers=lines[1]["position"]["legal"]), "line 2: answers: no legal decision is wrong"),
    (lambda lines: lines[1].update(then=[[], []]), "line 2: then: has 2 entries; expected one for each of 1 answers"),
    (lambda lines: lines[1].update(then=[["fly"]]), "line 2: then: fly is not for this seat to decide after"),
    (lambda lines: lines[1].update(kind="joke"), 'line 2: kind: "joke"; expected'),
    (lambda lines: lines[1].update(tried=3 if lines[1]["tried"] is None else None), "line 2: expected `tried` of"),
    (lambda lines: lines[1].update(setting="six"), 'line 2: setting "six"; expected one of two'),
    (lambda lines: lines[1].update(setting="five-east"), "line 2: the position is of 2 players"),
    (lambda lines: lines[2]["position"].update(pile=99), "line 3: position: pile: 99; expected"),
    (lambda lines: lines[2]["position"]["legal"].pop(), "line 3: position: legal: the list does not fit"),
    (lambda lines: lines.__setitem__(3, lines[2]), "line 4: the position of line 3 again"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_with_its_line(small: Path, change: Callable[[list[dict]], object], said: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        read_puzzles(changed(small, change))
    assert said in str(refused.value) and str(refused.value).startswith(f"{small}: ") and len(str(refused.value)) < 1000


def test_a_field_given_twice_is_refused(small: Path) -> None:
    text = gzip.decompress(small.read_bytes()).replace(b'"known":', b'"kind":"fight","known":', 1)
    small.write_bytes(gzip.compress(text))
    with pytest.raises(PuzzleError, match=r"line 2: field kind is given twice"):
        read_puzzles(small)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", gzip.compress(b""), gzip.compress(b"[" * 5000 + b"\n"), gzip.compress(b"\n"), gzip.compress(b"x" * 99)[:-9]],
    ids=["empty", "object", "nothing packed", "brackets packed", "an empty line", "packed and torn"],
)
def test_what_is_no_file_of_puzzles_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "some.jsonl.gz").write_bytes(data)
    with pytest.raises(PuzzleError, match=r"some\.jsonl\.gz: "):
        read_puzzles(tmp_path / "some.jsonl.gz")


def test_what_unpacks_to_too_much_is_not_read_on(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_file, "LARGEST", 1000)
    with pytest.raises(PuzzleError, match="is larger than 1,000 bytes"):
        read_puzzles(small)
    monkeypatch.undo()
    monkeypatch.setattr(puzzle_file, "MOST_PUZZLES", 2)
    with pytest.raises(PuzzleError, match="2 puzzles at most"):
        read_puzzles(small)
