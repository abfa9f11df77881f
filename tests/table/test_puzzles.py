"""Puzzles at the table: what is put, what is told, what is counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from hansa_env import Game, Ruleset
from hansa_env.play.known_positions import GROUP, KnownPosition, NoPuzzles
from hansa_env.table.errors import NotKept, NotThere, Refused
from hansa_env.table.puzzles import Puzzles
from hansa_env.table.store import Store
from tests.helpers import before_a_move
from tests.table.disk import full_disk
from tests.table.serving import Server

BEST = "place trader stade/hamburg"


def some(*players: int) -> list[KnownPosition]:
    """The beginnings of games, of which a decision is called the best."""
    return [
        KnownPosition(kind, Ruleset(count), Game(Ruleset(count), seed=count).position(), (BEST,), "Because.")
        for count in players
        for kind in ("opening", "ending")[: 1 + (count == 3)]
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.sqlite")


@pytest.fixture
def puzzles(store: Store) -> Puzzles:
    return Puzzles(store, lambda: some(2, 4))


def test_nothing_of_the_answer_is_in_what_is_put(puzzles: Puzzles) -> None:
    put = puzzles.next(None, 2)
    assert put["kind"] == "opening" and len(put["seats"]) == 2 and put["seats"][put["view"]["seat"]] == "You"
    assert "Because" not in json.dumps(put) and not {"answers", "why"} & put.keys()
    assert any(choice["texts"] == [BEST] for choice in put["view"]["choices"])


def test_answers_are_told_and_counted_in_the_file(puzzles: Puzzles, store: Store) -> None:
    name = puzzles.next(None, 4)["name"]
    wrong = puzzles.answer(name, "done")
    assert not wrong["right"] and wrong["why"] == "Because." and [one["text"] for one in wrong["answers"]] == [BEST]
    assert wrong["answers"][0]["words"] == "place a trader on Stade–Hamburg" and wrong["answers"][0]["things"]
    of_four = {"kind": "opening", "players": 4, "puzzles": 1}
    assert of_four | {"right": 0, "wrong": 1} in wrong["counts"]
    assert puzzles.next(None, 4)["before"] is False
    assert puzzles.answer(name, BEST)["right"]
    store.close()
    again = Puzzles(Store(store.path), lambda: some(2, 4))
    assert of_four | {"right": 1, "wrong": 0} in again.counts(), "the last answer counts"
    assert again.next(None, 4)["before"] is True


def test_an_answer_that_begins_an_action_is_told_with_its_end(store: Store) -> None:
    """ "Move" alone says nothing; what the picture is to show is that of all its decisions."""
    game = before_a_move()
    then = (("lift trader stade/hamburg",),)
    puzzles = Puzzles(store, lambda: [KnownPosition("fight", game.ruleset, game.position(), ("move",), "Because.", then)])
    [told] = puzzles.answer(puzzles.next(None, None)["name"], "move")["answers"]
    assert told["text"] == "move" and told["words"] == "move: lift a trader from Stade–Hamburg" and told["goes_on"]
    assert any(thing.startswith("post stade/hamburg") for thing in told["things"])


def test_giving_up_is_not_solving(puzzles: Puzzles) -> None:
    assert puzzles.answer(puzzles.next(None, 2)["name"], None)["right"] is False


def test_what_was_never_solved_comes_first(puzzles: Puzzles) -> None:
    first = puzzles.next(None, None)["name"]
    puzzles.answer(first, BEST)
    second = {puzzles.next(None, None)["name"] for _ in range(8)}
    assert first not in second and len(second) == 1
    puzzles.answer(*second, "done")
    assert {puzzles.next(None, None)["name"] for _ in range(8)} == second, "what was wrong comes before what was right"
    assert puzzles.next(None, None, but=next(iter(second)))["name"] == first


def test_what_is_wrong_is_refused_and_counts_nothing(puzzles: Puzzles, store: Store) -> None:
    name = puzzles.next(None, 2)["name"]
    with pytest.raises(Refused, match="'sing' is not legal in this puzzle; legal are"):
        puzzles.answer(name, "sing")
    with pytest.raises(NotThere, match="no puzzle 'other'"):
        puzzles.answer("other", BEST)
    with pytest.raises(NotThere, match="kinds are opening"):
        puzzles.next("ending", None)
    with full_disk(store), pytest.raises(NotKept):
        puzzles.answer(name, BEST)
    assert not store.puzzle_answers()


def test_puzzles_that_cannot_be_read_are_named(store: Store) -> None:
    def broken() -> Sequence[KnownPosition]:
        raise NoPuzzles("the puzzles 'mine' cannot be read: line 3")

    with pytest.raises(Refused, match="the puzzles 'mine' cannot be read: line 3"):
        Puzzles(store, broken).counts()


def test_a_file_of_games_without_counts_gets_a_place_for_them(store: Store) -> None:
    store._sql.execute("DROP TABLE puzzles")
    store.close()
    assert Store(store.path).puzzle_answers() == {}


def test_mission_cards_of_others_are_not_in_a_puzzle(store: Store) -> None:
    ruleset = Ruleset(4, missions=True)
    game = Game(ruleset, seed=1)
    puzzles = Puzzles(store, lambda: [KnownPosition("opening", ruleset, game.position(), (BEST,), "Because.")])
    shown = puzzles.next(None, None)["view"]
    column = shown["columns"].index("mission")
    assert all(not row[column] for seat, row in enumerate(shown["scores"]) if seat != shown["seat"])


def test_the_published_puzzles_are_found_by_their_entry_point(server: Server) -> None:
    """By a table that imports nothing of the package that has them."""
    counts = server.ask("/api/puzzles").json()["counts"]
    assert {row["kind"] for row in counts} == {"opening", "fight", "ending"} and sum(row["puzzles"] for row in counts) > 500
    assert GROUP == "hansa_env.puzzles"
    put = server.ask("/api/puzzles/next?kind=ending&players=3").json()
    told = server.ask(f"/api/puzzles/{put['name']}/answers", {"text": None}).json()
    assert told["why"].startswith("Proven, by trying ") and told["answers"]
    study = server.ask(f"/api/puzzles/{put['name']}/studies", method="POST")
    assert study.status_code == 201


def test_only_the_host_is_told_and_counted(server: Server) -> None:
    name = server.ask("/api/puzzles/next").json()["name"]
    for path, body in (("/api/puzzles", None), ("/api/puzzles/next", None), (f"/api/puzzles/{name}", None),
                       (f"/api/puzzles/{name}/answers", {"text": None})):  # fmt: skip
        assert server.ask(path, body, host=False).status_code == 403
    assert server.ask(f"/api/puzzles/{name}/studies", method="POST", host=False).status_code == 403
    for body in ({}, {"text": 5}, {"text": "x" * 5000}, {"text": None, "more": 1}):
        assert server.ask(f"/api/puzzles/{name}/answers", body).status_code == 400
    for query in ("players=x", "players=9", "kind=nothing", f"players={10**12}"):
        assert server.ask(f"/api/puzzles/next?{query}").status_code in (400, 404)
