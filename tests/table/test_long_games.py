"""Games of more decisions than anybody plays: they are sent at once, and what cannot be kept is refused before it is."""

from __future__ import annotations

import asyncio
import json

import pytest

from hansa_env import Game
from hansa_env.table import store
from hansa_env.table.errors import TooLate, TooLong
from hansa_env.table.game_history import Line
from hansa_env.table.games import Games
from hansa_env.table.messages import event_messages, welcome_message
from tests.table.chance import GUEST, HERE, RULES, dealt, opened_again, play_on


def test_decisions_are_not_listed_anew_for_each_of_them(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of 60,000, once for each of them, held up everybody for twenty seconds."""

    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 20)
        asked, moves = [], Line.moves
        monkeypatch.setattr(Line, "moves", property(lambda line: asked.append(line) or moves.fget(line)))  # type: ignore[attr-defined]
        welcome = welcome_message(game.kept, game.seq, game.line, game.seats, {0}, True)
        assert [move["number"] for move in welcome["moves"]] == list(range(1, 21)) and len(asked) == 1
        told = event_messages(games.store.events(game.id, since=5), game.line, game.seats)
        assert [message["move"] for message in told] == welcome["moves"][5:] and len(asked) == 2

    asyncio.run(play())


def test_a_record_of_too_many_decisions_is_refused_before_it_is_played(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_EVENTS", 12)
    whole = Game(RULES, 1)
    for _ in range(13):
        whole.play("done")
    monkeypatch.setattr(Game, "from_record", lambda text: pytest.fail("it was played"))
    with pytest.raises(ValueError, match="cannot be read: the game has 13 decisions; expected at most 12"):
        games.read(json.dumps(whole.record()))
    assert games.listed() == []


def test_who_decides_and_takes_back_without_end_does_not_cost_the_others_the_game(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_EVENTS", 11)

    async def play() -> None:
        game = await dealt(games, GUEST, HERE)
        with pytest.raises(TooLate, match="this game is full: 11 times somebody has decided or taken something back; save it"):
            while True:
                game.decide({0}, game.seq, [game.game.legal()[0]])
                game.undo({0}, game.seq)
        assert game.seq == 11 and len(game.line) == 1
        study = await games.open(games.read(json.dumps(game.record())))
        assert study.line.decisions == game.line.decisions
        assert [row.get("problem") for row in games.listed()] == [None, None]
        assert opened_again(games, game.id).line.decisions == game.line.decisions

    asyncio.run(play())


def test_a_game_begins_with_no_more_than_can_be_kept(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 6)
        monkeypatch.setattr(store, "MOST_EVENTS", 5)
        with pytest.raises(TooLong, match="the game has 6 decisions; expected at most 5"):
            games.branch(game, 6, None, [], None)
        (row,) = games.listed()
        assert "more than 5 events" in row["problem"], "the first page says what opening it would"

    asyncio.run(play())
