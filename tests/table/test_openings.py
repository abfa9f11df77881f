"""Openings at the table: what was decided at a position, to where, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansa_env import Game, Ruleset
from hansa_env.formats.openings import FORMAT, Beginning, Head, OpeningsError, Position, Taken, write_openings
from hansa_env.table.errors import NotThere, Refused
from hansa_env.table.openings import OpeningBooks
from tests.table.serving import Server

FIRST, SECOND = "place trader stade/hamburg", "place trader hamburg/lubeck"
RULES = Ruleset(3)


def a_book(file: Path, *, wrong: bool = False) -> Path:
    """Openings of 100 games, 70 of which begin with FIRST, of those 60 go on with SECOND."""
    positions = [
        Position(100, [Taken(FIRST, 70, 28.0, 1), Taken("sing" if wrong else "done", 30, 3.0, None)]),
        Position(70, [Taken(SECOND, 60, 30.0, None), Taken("done", 10, 1.0, None)]),
    ]
    head = Head(
        format=FORMAT, version="0", ruleset=RULES.config, agents=["greedy"], seed=0, games=100, depth=2, least=10, positions=2,
        beginnings=[Beginning(setup=Game(RULES, seed=1).setup, position=0)],
    )  # fmt: skip
    write_openings(file, head, positions)
    return file


@pytest.fixture
def books(tmp_path: Path) -> OpeningBooks:
    return OpeningBooks([a_book(tmp_path / "some.jsonl.gz")])


def test_what_was_decided_how_often_with_what_share_and_to_where(books: OpeningBooks) -> None:
    (listed,) = books.listed()
    assert (listed["players"], listed["games"], listed["agents"]) == (3, 100, ["greedy"])
    assert listed["beginnings"][0]["words"].count(" on ") == 3 and listed["beginnings"][0]["games"] == 100
    found = books.position(0, 0, [])
    first, done = found["decisions"]
    assert found["games"] == 100 and (first["games"], first["share"], first["wins"]) == (70, 0.7, 0.4)
    assert first["words"] == "place a trader on Stade–Hamburg" and "post stade/hamburg 1" in first["things"]
    assert first["low"] < 0.4 < first["high"] and first["goes_on"] and not done["goes_on"]
    assert first["then"] == [{"seat": 0, "words": "places a trader on Hamburg–Lübeck"}] and done["then"] == []
    there = books.position(0, 0, [FIRST])
    assert there["games"] == 70 and [one["games"] for one in there["decisions"]] == [60, 10]
    assert [move["text"] for move in there["moves"]] == [FIRST] and there["view"]["number"] == 1


def test_where_nobody_went_the_board_goes_on_alone(books: OpeningBooks) -> None:
    off = books.position(0, 0, [SECOND, FIRST])
    assert off["games"] == 0 and off["decisions"] == [] and len(off["moves"]) == 2 and off["view"]["choices"]


def test_what_is_not_there_or_not_legal_is_refused(books: OpeningBooks, tmp_path: Path) -> None:
    with pytest.raises(NotThere, match="this table has 1"):
        books.position(1, 0, [])
    with pytest.raises(NotThere, match="the file has 1"):
        books.position(0, 1, [])
    with pytest.raises(Refused, match="'sing' is not legal after 1 decisions"):
        books.position(0, 0, [FIRST, "sing"])
    with pytest.raises(Refused, match="has 'sing' here, which is not legal"):
        OpeningBooks([a_book(tmp_path / "wrong.jsonl.gz", wrong=True)]).position(0, 0, [])
    with pytest.raises(OpeningsError, match="cannot be decompressed"):
        (tmp_path / "none.jsonl.gz").write_text("nothing")
        OpeningBooks([tmp_path / "none.jsonl.gz"])


def test_the_host_alone_is_told(with_openings: Server) -> None:
    server, way = with_openings, {"book": 0, "beginning": 0, "texts": [FIRST]}
    assert server.ask("/api/openings").json()["books"][0]["name"] == "some.jsonl.gz"
    assert server.ask("/api/openings/positions", way).json()["games"] == 70
    for path, body in (("/api/openings", None), ("/api/openings/positions", way), ("/api/openings/studies", way)):
        assert server.ask(path, body, host=False).status_code == 403
    for wrong, status in (
        ({"book": 7}, 404), ({"book": -1}, 400), ({"beginning": 9}, 404), ({"more": 1}, 400),
        ({"texts": ["x" * 500]}, 400), ({"texts": ["done"] * 500}, 400), ({"texts": "done"}, 400),
    ):  # fmt: skip
        assert server.ask("/api/openings/positions", way | wrong).status_code == status, wrong
    study = server.ask("/api/openings/studies", way)
    assert study.status_code == 201 and [game["study"] for game in server.ask("/api/games").json()["games"]] == [True]
