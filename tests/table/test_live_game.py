"""A game at the table: who may decide and when, what agents answer, what is taken back, what is told."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from hansa_env import Game
from hansa_env.table.access import held_by_guest, held_by_host
from hansa_env.table.errors import NotAllowed, Refused, TooLate
from hansa_env.table.games import Games
from hansa_env.table.seats import Seat
from hansa_env.table.start import Start
from tests.table.chance import (
    AGENT,
    GUEST,
    HERE,
    RULES,
    dealt,
    opened_again,
    settled,
    until,
)


def test_a_decision_is_taken_once_and_in_its_turn(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, GUEST)
        text = game.game.legal()[0]
        with pytest.raises(NotAllowed, match="decides now"):
            game.decide({1}, 0, [text])
        with pytest.raises(Refused, match="not legal"):
            game.decide({0}, 0, ["place trader nowhere/else"])
        assert game.seq == len(game.line) == 0
        game.decide({0}, 0, [text])
        with pytest.raises(TooLate, match="changes nothing"):
            game.decide({0}, 0, [text])
        assert game.seq == len(game.line) == 1
        with pytest.raises(TooLate):
            game.decide({0}, 7, [text])

    asyncio.run(play())


def test_what_is_legal_is_told_of_the_question_that_was_answered_wrongly(games: Games) -> None:
    """Not of the one before it, where several are answered at once."""

    async def play() -> None:
        game = await dealt(games, HERE, GUEST)
        game.decide({0, 1}, 0, ["place trader stade/hamburg", "done", "done"])
        ahead = game.game.copy()
        ahead.play("displace")
        legal = ", ".join(ahead.legal()[:6])
        said = f"'nonsense' is not legal at the question {ahead.asked!r}; legal are {legal} ..."
        assert legal != ", ".join(game.game.legal()[:6])
        with pytest.raises(Refused, match=re.escape(said)):
            game.decide({0, 1}, game.seq, ["displace", "nonsense"])
        with pytest.raises(Refused, match=re.escape(said)):
            games.branch(game, len(game.line), None, ["displace", "nonsense"], None)

    asyncio.run(play())


def test_a_person_is_one_in_the_record_whatever_the_name(games: Games) -> None:
    """So that `hansa play --resume` goes on with it, and nobody called after an agent is replaced by it."""

    async def play() -> None:
        game = await dealt(games, Seat(kind="here"), Seat(kind="guest", name="greedy"))
        assert game.record()["agents"] == ["person", "person:greedy"]
        game = await dealt(games, AGENT, Seat(kind="here", name="x" * 200))
        Game.from_record(game.record())

    asyncio.run(play())


def test_what_an_older_table_let_in_as_a_spec_is_told_so_that_a_record_can_name_it(games: Games) -> None:
    async def play() -> None:
        seats = [HERE, Seat(kind="agent", agent="ppo:foo\nbar\x07")]
        game = await games.open(games._keep(Start.dealt(RULES, 1), [], False, seats, None, 0))
        assert Game.from_record(json.dumps(game.record())).agents == ["person", "ppo:foo?bar?"]
        study = await games.open(games.branch(game, 0, None, [], None))
        assert study.names == ["Seat 0", "ppo:foo?bar?"]
        with pytest.raises(Refused, match="control character"):
            games.deal(RULES, seats, 1, None)
        with pytest.raises(Refused, match="control character"):
            games.menu.checked("search:sims=20\t")

    asyncio.run(play())


def test_a_name_that_is_a_word_of_the_page_is_told_apart(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, Seat(kind="here", name="Seat 1"), Seat(kind="guest"))
        assert game.names == ["“Seat 1”", "Seat 1"]
        game = await dealt(games, HERE, Seat(kind="guest", name="You"))
        assert game.names == ["Seat 0", "“You”"] and game.record()["agents"][1] == "person:You"
        study = await games.open(games.read(json.dumps(game.record())))
        assert study.names[1] == "“You”"

    asyncio.run(play())


def test_who_won_a_game_that_is_over_is_not_replaced(games: Games) -> None:
    async def play() -> None:
        played = Game(RULES, seed=3, max_turns=4)
        while not played.over:
            played.play(played.legal()[-1])
        game = await games.open(games._keep(Start.of_record(played), played.decisions, True, [AGENT, AGENT], None, 0))
        assert game.game.over
        with pytest.raises(TooLate, match="the game is over"):
            game.replace_agent(0, "tree")
        assert game.record()["agents"] == ["greedy", "greedy"]

    asyncio.run(play())


def test_several_decisions_are_taken_whole_or_not_at_all(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        with pytest.raises(Refused):
            game.decide({0, 1}, 0, [game.game.legal()[-1], "nonsense"])
        assert len(game.line) == 0 and games.store.events(game.id) == []

    asyncio.run(play())


def test_agents_answer_and_the_person_undoes_past_them(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, AGENT)
        while game.game.seat == 0:
            game.decide({0}, game.seq, [text for text in game.game.legal() if text.startswith("place")][:1])
        before = len(game.line)
        await until(lambda: game.game.seat == 0)
        assert len(game.line) > before and game.undoes_to({0}) == before - 1
        game.undo({0}, game.seq)
        assert len(game.line) == before - 1 and game.game.seat == 0
        game.undo({0}, game.seq)
        with pytest.raises(NotAllowed, match="nothing to take back"):
            game.undo({0}, game.seq)
        await games.close()

    asyncio.run(play())


def test_several_decisions_of_ones_own_are_taken_back_at_once_but_none_of_another_person(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, GUEST)
        for _ in range(6):  # two actions a turn: seats 0, 1, and 0 again
            game.decide({0, 1}, game.seq, [next(text for text in game.game.legal() if text.startswith("place"))])
        before = 4
        others = max(number for number, move in enumerate(game.line.moves) if move.seat == 1)
        with pytest.raises(NotAllowed, match="what others decided stands"):
            game.undo({0}, game.seq, others)
        assert len(game.line) == before + 2
        game.undo({0}, game.seq, before)
        assert len(game.line) == before and game.game.seat == 0
        with pytest.raises(TooLate):
            game.undo({0}, game.seq - 1, before)

    asyncio.run(play())


def test_nobody_takes_back_what_another_person_decided(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, GUEST)
        token = game.seats[1].token
        assert held_by_host(game) == {0} and held_by_guest(game, token) == {1} and not held_by_guest(game, "")
        while game.game.seat == 0:
            game.decide({0}, game.seq, [game.game.legal()[-1]])
        with pytest.raises(NotAllowed, match="you have not decided anything yet"):
            game.undo({1}, game.seq)
        game.decide({1}, game.seq, [game.game.legal()[-1]])
        with pytest.raises(NotAllowed, match="another person has decided since"):
            game.undo({0}, game.seq)

    asyncio.run(play())


def test_an_answer_for_a_position_that_is_gone_is_dropped(games: Games) -> None:
    async def play() -> None:
        pool: Any = games.pool
        game = await dealt(games, HERE, AGENT)
        pool.gate.clear()
        while game.game.seat == 0:
            game.decide({0}, game.seq, [text for text in game.game.legal() if text.startswith("place")][:1])
        await until(lambda: pool.asked > 0)
        game.undo({0}, game.seq)
        stands = len(game.line)
        pool.gate.set()
        await settled()
        assert len(game.line) == stands and game.seated_agents.thinking is None
        await games.close()

    asyncio.run(play())


def test_nobody_waits_for_an_answer_to_a_position_that_is_gone(games: Games) -> None:
    """A long thought about what was taken back does not hold up the next question."""

    async def play() -> None:
        pool: Any = games.pool
        game = await dealt(games, HERE, AGENT)
        pool.gate.clear()
        while game.game.seat == 0:
            game.decide({0}, game.seq, [text for text in game.game.legal() if text.startswith("place")][:1])
        await until(lambda: pool.asked == 1)
        game.undo({0}, game.seq)
        await until(lambda: game.seated_agents.thinking is None)
        while game.game.seat == 0:
            game.decide({0}, game.seq, [text for text in game.game.legal() if text.startswith("place")][:1])
        await until(lambda: pool.asked == 2)
        await games.close()

    asyncio.run(play())


def test_an_agent_that_fails_stops_the_game_until_somebody_says_how_it_goes_on(games: Games) -> None:
    async def play() -> None:
        pool: Any = games.pool
        pool.problem = "greedy took more than 3 seconds"
        game = await dealt(games, AGENT, AGENT)
        game.listen(lambda _: None, None)
        await until(lambda: game.seated_agents.problem)
        assert game.seated_agents.problem == "greedy took more than 3 seconds" and len(game.line) == 0
        pool.problem = None
        with pytest.raises(Refused, match="only agents"):
            game.replace_agent(7, "random")
        game.replace_agent(0, "random")
        await until(lambda: len(game.line) > 5)
        assert game.names == ["random", "greedy"]
        await games.close()
        again = opened_again(games, game.id)
        assert again.names == ["random", "greedy"]

    asyncio.run(play())


def test_a_problem_of_an_agent_goes_with_its_position(games: Games) -> None:
    async def play() -> None:
        pool: Any = games.pool
        game = await dealt(games, HERE, AGENT)
        pool.problem = "greedy took more than 3 seconds"
        while game.game.seat == 0:
            game.decide({0}, game.seq, [text for text in game.game.legal() if text.startswith("place")][:1])
        await until(lambda: game.seated_agents.problem)
        game.undo({0}, game.seq)
        assert game.game.seat == 0 and game.seated_agents.problem is None
        await games.close()

    asyncio.run(play())


def test_agents_that_nobody_watches_wait_where_nobody_plays(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, AGENT, AGENT)
        await settled()
        assert len(game.line) == 0
        heard: list[Any] = []
        game.listen(heard.append, None)
        await until(lambda: len(game.line) > 2)
        game.leave(heard.append)
        await settled()
        stands = len(game.line)
        await settled()
        assert len(game.line) == stands and not game.game.over
        game.listen(heard.append, None)
        await until(lambda: len(game.line) > stands)
        await games.close()

    asyncio.run(play())


def test_pausing_and_stepping(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, AGENT, AGENT)
        game.listen(lambda _: None, None)
        await until(lambda: len(game.line) > 2)
        game.seated_agents.set_paused(True)
        await settled()
        stands = len(game.line)
        await settled()
        assert len(game.line) == stands
        game.seated_agents.step()
        await until(lambda: len(game.line) == stands + 1)
        await settled()
        assert len(game.line) == stands + 1 and game.seated_agents.paused
        game.seated_agents.set_paused(False)
        await until(lambda: game.game.over)
        assert games.store.game(game.id).over  # type: ignore[union-attr]
        assert Game.from_record(game.record()).winners() == game.game.winners()
        await games.close()

    asyncio.run(play())
