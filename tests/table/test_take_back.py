"""Taking back at the table what showed something hidden: the others are asked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from hansa_agents.arena import play_game
from hansa_env import Ruleset
from hansa_env.table.asking import begun_at
from hansa_env.table.errors import NotAllowed, Refused, TooLate
from hansa_env.table.game_history import Line
from hansa_env.table.games import Games
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import Seat
from hansa_env.table.start import Start
from tests.table.chance import AGENT, GUEST, HERE, until

RULES = Ruleset(3)
SEED = 3


def up_to_a_marker() -> tuple[list[str], int]:
    """Decisions of a game of RULES and SEED, the last of which lays a marker from the pile, and whose that is."""
    whole = play_game(["greedy"], RULES, seed=SEED)
    number = next(number for number, move in enumerate(whole.moves()) if move.asked == "marker")
    return [text for _, text in whole.decisions[: number + 1]], whole.decisions[number][0]


async def with_a_marker_laid(games: Games, seats: list[Seat]) -> LiveGame:
    """A game in which one has just been laid; people or agents who sit there now played it."""
    texts, _ = up_to_a_marker()
    game = await games.open(games.deal(RULES, [HERE] * 3, SEED, None, pace=0))
    for text in texts:
        game.decide({0, 1, 2}, game.seq, [text])
    game.seats[:] = seats
    return game


def people(seat: int, *others: Seat) -> list[Seat]:
    """Seats: a person at one, and at those that follow others."""
    seats = [HERE] * 3
    for number, other in enumerate(others, 1):
        seats[(seat + number) % 3] = other
    return seats


def test_what_showed_a_marker_goes_back_when_the_others_agree(games: Games) -> None:
    async def play() -> None:
        texts, seat = up_to_a_marker()
        bob, eve = (seat + 1) % 3, (seat + 2) % 3
        game = await with_a_marker_laid(games, people(seat, GUEST, GUEST))
        heard: list[Any] = []
        game.listen(heard.append, None)
        seq = game.seq
        with pytest.raises(NotAllowed, match="nobody asks you"):
            game.agree({bob}, seq, True)
        game.undo({seat}, seq)
        assert len(game.line) == len(texts) and game.seq == seq, "nothing has happened yet"
        asked = json.loads(heard[-1])["take_back"]
        assert asked == {"seat": seat, "stands": len(texts) - 1, "waits_for": sorted((bob, eve))}
        with pytest.raises(NotAllowed, match="nobody asks you"):
            game.agree({seat}, seq, True)
        with pytest.raises(TooLate):
            game.agree({bob}, seq - 1, True)
        game.agree({bob}, seq, True)
        assert len(game.line) == len(texts) and json.loads(heard[-1])["take_back"]["waits_for"] == [eve]
        game.agree({eve}, seq, True)
        assert len(game.line) == len(texts) - 1 and json.loads(heard[-1])["take_back"] is None
        assert games.store.events(game.id)[-1].kind == "undone"

    asyncio.run(play())


@pytest.mark.parametrize("who", [0, 1])
def test_it_stands_when_somebody_says_so(games: Games, who: int) -> None:
    """Another person, or who wanted it."""

    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, GUEST, GUEST))
        game.undo({seat}, game.seq)
        game.agree({(seat + who) % 3}, game.seq, False)
        assert game.take_back is None and len(game.line) == len(texts)
        with pytest.raises(NotAllowed):
            game.agree({(seat + 1) % 3}, game.seq, True)

    asyncio.run(play())


def test_the_host_drops_a_wish_of_people_who_have_left(games: Games) -> None:
    """Agents would wait for them without end."""

    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, [GUEST] * 3)
        game.undo({seat}, game.seq)
        for agreed, is_host in ((False, False), (True, True)):
            with pytest.raises(NotAllowed, match="nobody asks you"):
                game.agree((), game.seq, agreed, is_host)
        game.agree((), game.seq, False, is_host=True)
        assert game.take_back is None and len(game.line) == len(texts)

    asyncio.run(play())


def test_between_turns_there_is_no_action_to_call_off(games: Games) -> None:
    """A marker is laid at the end of a turn, whose actions stand."""
    line = Line(Start.dealt(RULES, SEED))
    for text in up_to_a_marker()[0][:-1]:
        line.play(text)
    assert line.game.asked == "marker" and line.moves[-1].seat == line.game.seat
    assert begun_at(line, len(line)) is None


def test_a_decision_answers_it_too(games: Games) -> None:
    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, GUEST, GUEST))
        game.undo({seat}, game.seq)
        game.decide({(seat + 1) % 3}, game.seq, game.game.legal()[:1])
        assert game.take_back is None and len(game.line) == len(texts) + 1

    asyncio.run(play())


def test_at_one_screen_the_others_are_asked_as_well(games: Games) -> None:
    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat))
        everybody = {0, 1, 2}
        game.undo(everybody, game.seq)
        assert len(game.line) == len(texts)
        game.agree(everybody, game.seq, True)
        assert len(game.line) == len(texts) - 1

    asyncio.run(play())


def test_agents_wait_until_it_is_answered(games: Games) -> None:
    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, AGENT, GUEST))
        game.undo({seat}, game.seq)
        game.seated_agents.start()
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(game.line) == len(texts), "the agent is to move"
        game.agree({(seat + 2) % 3}, game.seq, False)
        await until(lambda: len(game.line) > len(texts))
        await games.close()

    asyncio.run(play())


def test_alone_against_agents_nobody_is_asked(games: Games) -> None:
    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, AGENT, AGENT))
        game.undo({seat}, game.seq)
        assert len(game.line) == len(texts) - 1

    asyncio.run(play())


def test_who_goes_back_beyond_an_agents_decision_has_not_to_agree_himself(games: Games) -> None:
    """The page may ask for more than the last decision, down to one that an agent gave."""

    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, AGENT, AGENT))
        to = next(number for number, move in enumerate(game.line.moves) if move.seat != seat)
        assert to < len(texts) - 1
        game.undo({seat}, game.seq, to)
        assert len(game.line) == to and game.take_back is None

    asyncio.run(play())


def test_nothing_can_be_decided_in_one_go_with_what_shows_a_marker(games: Games) -> None:
    """A refusal would tell what the marker is, and nothing would have happened."""

    async def play() -> None:
        texts, seat = up_to_a_marker()
        game = await with_a_marker_laid(games, people(seat, AGENT, AGENT))
        game.undo({seat}, game.seq)
        with pytest.raises(Refused, match="something is seen that is hidden now"):
            game.decide({0, 1, 2}, game.seq, [texts[-1], "done"])
        assert len(game.line) == len(texts) - 1

    asyncio.run(play())
