"""Games played out from a position on: what is dealt anew, who wins how many, that it stops, and that people come first."""

from __future__ import annotations

import asyncio
import time
from random import Random
from threading import Event
from typing import Any

import numpy as np
import pytest

from hansa_env import Game, Ruleset
from hansa_env.engine.state import OVER, POSITION_BYTES
from hansa_env.formats.missions import NOBODY
from hansa_env.table.agent_pool import AgentPool, AgentProblem, _AgentProcess
from hansa_env.table.agent_process import ACT, ESTIMATE, PLAY_OUT, Answer
from hansa_env.table.errors import NotThere, TooLate
from hansa_env.table.games import Games
from hansa_env.table.knowledge import dealt_as_known
from hansa_env.table.live_game import LiveGame
from hansa_env.table.playout_pages import card_kept
from hansa_env.table.playouts import KEPT, PlayOut, PlayOuts
from hansa_env.table.seats import Seat
from tests.table.chance import AGENT, GUEST, until
from tests.table.chance import HERE as SEATED
from tests.table.serving import GREEDY, HERE, Server

RULES = Ruleset(3)


class Chance:
    """A pool whose agents take any legal decision; or fail, or wait until they are let go."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.problem: str | None = None
        self.random = Random(1)
        self.seen: list[tuple[str, Any]] = []

    async def play_out(self, spec: str, ruleset: Ruleset, game: Any, seconds: float) -> int:
        self.seen.append((spec, game.copy()))
        await self.gate.wait()
        if self.problem:
            raise AgentProblem(self.problem)
        return self.random.choice(Game.from_state(ruleset, game).legal_actions())


def late(ruleset: Ruleset = RULES, left: int = 3) -> Game:
    """A game played anyhow that has so many rounds left to its cut-off."""
    game, random = Game(ruleset, seed=2, max_turns=8 + left), Random(2)
    while game.state["turns"] < 8 * ruleset.players:
        game.play(random.choice(game.legal()))
    return game


def played(pool: Chance, count: int, specs: tuple[str, ...] = ("a", "b", "c")) -> PlayOut:
    game = late()
    return PlayOut("game", 9, RULES, dealt_as_known(RULES, game.state, int(game.seat or 0), count, 5), specs, pool)  # type: ignore[arg-type]


def test_what_nobody_knows_is_dealt_anew_in_every_game() -> None:
    game = late()
    known = game.state.tobytes()[:POSITION_BYTES]
    games = dealt_as_known(RULES, game.state, 0, 40, 5)
    assert all(one.tobytes()[:POSITION_BYTES] == known for one in games), "what lies open is as it was"
    assert not games["seed"].any() and len({one["pile"].tobytes() for one in games}) > 20
    assert dealt_as_known(RULES, game.state, 0, 40, 5).tobytes() == games.tobytes()


def test_mission_cards_are_those_that_a_seat_may_think_of() -> None:
    ruleset = Ruleset(3, missions=True)
    game = Game(ruleset, seed=1)
    for viewer in (0, 2, NOBODY):
        games = dealt_as_known(ruleset, game.state, viewer, 60, 3)
        for seat in range(3):
            cards = set(games["missions"][:, seat].tolist())
            assert cards == {int(game.state["missions"][seat])} if seat == viewer else len(cards) > 3
        assert all(len(set(row[:3].tolist())) == 3 for row in games["missions"]), "every card is there once"


@pytest.mark.parametrize(("seats", "held", "kept"), [
    ([AGENT, AGENT], set(), 1), ([Seat(kind="study")] * 2, set(), 1), ([SEATED, AGENT], {0}, 0),
    ([GUEST, AGENT], set(), NOBODY),
], ids=["agents alone", "a study", "who plays", "who invited the one who plays"])  # fmt: skip
def test_the_card_is_kept_of_who_plays_or_where_nobody_does_of_who_decides(
    games: Games, seats: list[Seat], held: set[int], kept: int
) -> None:
    game = LiveGame(games.store.game(games.deal(Ruleset(2, missions=True), seats, 1, None)), games.store, games.pool)  # type: ignore[arg-type]
    while game.game.seat != 1:
        game.line.play(game.game.legal()[-1])
    assert card_kept(game, len(game.line), held) == kept


@pytest.mark.slow
def test_all_are_played_and_every_game_has_its_winners() -> None:
    async def go() -> None:
        pool = Chance()
        one = played(pool, 50)
        assert one.as_data()["seats"][0] == {"agent": "a", "share": None, "low": 0.0, "high": 1.0}
        one.start()
        await until(lambda: not one.is_running)
        data = one.as_data()
        assert data["played"] == data["games"] == 50 and data["problem"] is None
        assert sum(seat["share"] for seat in data["seats"]) == pytest.approx(1)
        assert all(seat["low"] <= seat["share"] <= seat["high"] for seat in data["seats"])
        assert {spec for spec, _ in pool.seen} == {"a", "b", "c"}
        assert all("abc"[game["seat"]] == spec for spec, game in pool.seen), "each decides for its seat"

    asyncio.run(go())


def test_it_is_stopped_and_what_was_played_counts() -> None:
    async def go() -> None:
        one = played(Chance(), 40)
        one.start()
        await until(lambda: one.played >= 5, pause=0)
        await one.stop()
        before = one.as_data()
        assert not before["running"] and 5 <= before["played"] < 40
        for _ in range(500):
            await asyncio.sleep(0)
        assert one.as_data() == before

    asyncio.run(go())


def test_games_that_end_while_it_is_stopped_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_env.table.playouts.MAX_TURNS", 1)
    ended, go_on = Event(), Event()

    async def go() -> None:
        one = played(Chance(), 6)
        step = one._batch.step_legal

        def slow(actions: np.ndarray) -> None:
            step(actions)
            if (one._batch.games["asked"] == OVER).any():
                ended.set()
                go_on.wait(60)

        monkeypatch.setattr(one._batch, "step_legal", slow)
        one.start()
        await until(ended.is_set)
        stopping = asyncio.ensure_future(one.stop())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        go_on.set()
        await stopping
        assert not one.is_running and one.played == (one._batch.games["asked"] == OVER).sum() > 0
        assert one.wins.sum() == pytest.approx(one.played) and one.problem is None

    asyncio.run(go())


def test_a_mistake_of_ours_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        one = played(Chance(), 4)
        one._batch.step_legal = None  # type: ignore[method-assign, assignment]
        one.start()
        await until(lambda: not one.is_running)
        assert one.problem is not None and one.problem.startswith("the server raised TypeError: 'NoneType'")

    asyncio.run(go())
    assert "playing out failed" in caplog.text and "TypeError" in caplog.text


def test_a_game_goes_on_for_as_many_turns_as_a_whole_one_may_have_and_is_cut_off_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here for two of each seat."""
    monkeypatch.setattr("hansa_env.table.playouts.MAX_TURNS", 2)

    async def go() -> None:
        pool = Chance()
        one = played(pool, 6)
        one.start()
        await until(lambda: not one.is_running)
        assert {int(game["turns"]) for _, game in pool.seen} == set(range(24, 30))
        data = one.as_data()
        assert (data["played"], data["cut_off"]) == (6, 6)

    asyncio.run(go())


def test_an_agent_that_fails_is_named() -> None:
    async def go() -> None:
        pool = Chance()
        pool.problem = "a took more than 60 seconds"
        one = played(pool, 5)
        one.start()
        await until(lambda: not one.is_running)
        assert one.as_data()["problem"] == pool.problem and one.as_data()["played"] == 0

    asyncio.run(go())


def test_one_at_a_time_and_the_last_are_known() -> None:
    async def go() -> None:
        pool, game = Chance(), late()
        playouts = PlayOuts(pool)  # type: ignore[arg-type]

        def begin() -> PlayOut:
            return playouts.begin("game", 1, RULES, dealt_as_known(RULES, game.state, 0, 3, 1), ["a", "b", "c"])

        pool.gate.clear()
        first = begin()
        with pytest.raises(TooLate, match="0 of 3 games from another position are played; stop those first"):
            begin()
        await first.stop()
        for _ in range(KEPT):
            last = begin()
            await last.stop()
        with pytest.raises(NotThere, match="no longer known"):
            playouts.one(first.id)
        assert playouts.of_game("game")[0] is last and playouts.of_game("other") == []

    asyncio.run(go())


def test_what_is_played_of_a_game_that_is_removed_stops_and_lets_others_be_played(games: Games) -> None:
    async def go() -> None:
        pool, position = Chance(), late()
        pool.gate.clear()
        games.playouts = PlayOuts(pool)  # type: ignore[arg-type]
        name = games.deal(RULES, [Seat(kind="study")] * 3, 1, None)

        def begin(game: str) -> PlayOut:
            return games.playouts.begin(game, 1, RULES, dealt_as_known(RULES, position.state, 0, 3, 1), ["a", "b", "c"])

        one = begin(name)
        with pytest.raises(TooLate, match="stop those first") as refused:
            begin("other")
        assert refused.value.more == {"playout": one.id, "game": name}
        await games.remove(name)
        assert not one.is_running and not games.playouts.of_game(name)
        await begin("other").stop()

    asyncio.run(go())


def test_people_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is played out waits for a decision that a game waits for, and for estimates."""
    told, everything = [], Event()
    ask_process = _AgentProcess._ask_process

    def noted(process: _AgentProcess, group: list) -> Answer | None:
        everything.wait()  # whatever the process is told first, the rest waits by then
        told.extend(waiting.purpose for waiting in group)
        return ask_process(process, group)

    async def go() -> None:
        pool, game = AgentPool(), late()
        try:
            await pool.decide("greedy", RULES, game.state, None)  # it is loaded
            monkeypatch.setattr(_AgentProcess, "_ask_process", noted)
            asked = [asyncio.ensure_future(pool.play_out("greedy", RULES, game.state, 60)) for _ in range(6)]
            asked += [asyncio.ensure_future(pool.estimates("greedy", RULES, [game.state], 60)),
                      asyncio.ensure_future(pool.decide("greedy", RULES, game.state, 60))]  # fmt: skip
            await asyncio.sleep(0)  # all of them ask
            everything.set()
            await asyncio.gather(*asked)
        finally:
            everything.set()
            pool.close()

    asyncio.run(go())
    began = told.index(ACT)
    assert began <= 1, "one may have been played out before the rest was asked"
    assert told[began:] == [ACT, ESTIMATE] + [PLAY_OUT] * (6 - began)


def test_the_server_plays_out_what_may_be_analysed(server: Server) -> None:
    record = late(left=2)
    while not record.over:
        record.play(record.legal()[-1])
    game = server.ask("/api/records", record.record()).json()["id"]
    at = next(n for n, move in enumerate(record.moves()) if move.turn == 27)
    path, wanted = f"/api/games/{game}/playouts", {"at": at, "agents": ["greedy"] * 3, "games": 4}
    end = {"at": len(record.decisions), "agents": ["greedy"] * 3, "games": 4}
    assert "the game is over there" in server.ask(path, end).json()["error"]
    for wrong, said in (
        ({"games": 0}, "games"), ({"games": 1001}, "games"), ({"at": 10**6}, "has"), ({"agents": ["greedy"] * 2}, "3"),
        ({"agents": ["os:system"] * 3}, "unknown agent"), ({"agents": ["x" * 500] * 3}, "agents"),
    ):  # fmt: skip
        refused = server.ask(path, wanted | wrong)
        assert refused.status_code == 400 and said in refused.json()["error"], wrong
    assert server.ask(path, wanted, host=False).status_code == 403
    made = server.ask(path, wanted)
    assert made.status_code == 201, made.text
    name, end_at = made.json()["id"], time.monotonic() + 200
    while (found := server.ask(f"/api/playouts/{name}").json())["running"] and time.monotonic() < end_at:
        time.sleep(0.1)
    assert found["played"] == 4 and [one["id"] for one in server.ask(path).json()["playouts"]] == [name]
    assert server.ask(f"/api/playouts/{name}", host=False).status_code == 403
    assert server.ask(f"/api/playouts/{name}", method="DELETE", host=False).status_code == 403
    assert server.ask("/api/playouts/nothing").status_code == 404

    bob = server.deal(HERE, {"kind": "guest", "name": "Bob"}, GREEDY)
    against = server.ask(f"/api/games/{bob}/playouts", wanted | {"at": 0})
    assert against.status_code == 403 and "people play against each other" in against.json()["error"]
