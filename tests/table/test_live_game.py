"""A game at the table: who may decide and when, what is kept, what is told and in which order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hansa_env import Game, Ruleset
from hansa_env.table.access import held_by_guest, held_by_host
from hansa_env.table.agent_pool import AgentProblem
from hansa_env.table.errors import NotAllowed, NotThere, Refused, TooLate
from hansa_env.table.games import MOST_AT_REST, Games
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import AgentMenu, Seat, seats_of_record
from hansa_env.table.store import Store, StoreError
from tests.table.disk import full_disk

HERE, GUEST = Seat(kind="here"), Seat(kind="guest", name="Bob")
AGENT = Seat(kind="agent", agent="greedy")
RULES = Ruleset(2, "second")


class Chance:
    """A pool whose agents take any legal decision; or fail, or wait until they are let go."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = 0
        self.random = Random(1)

    def prepare(self, spec: str, ruleset: Ruleset) -> None:
        pass

    async def decide(self, spec: str, ruleset: Ruleset, game: Any, seconds: float | None) -> int:
        self.asked += 1
        await asyncio.sleep(0)
        await self.gate.wait()
        if self.problem:
            raise AgentProblem(self.problem)
        return self.random.choice(Game.from_state(ruleset, game).legal_actions())

    def close(self) -> None:
        pass


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]


async def dealt(games: Games, *seats: Seat, seed: int | None = 1) -> LiveGame:
    return await games.open(games.deal(RULES, seats, seed, None, pace=0))


def opened_again(games: Games, name: str) -> LiveGame:
    """A game of the file, opened by another server after this one."""
    games.store.close()
    store: Any = Store(games.store.path)
    return LiveGame(store.game(name), store, Chance())  # type: ignore[arg-type]


async def until(condition: Any) -> None:
    async with asyncio.timeout(300):  # else a test that fails would hang
        while not condition():
            await asyncio.sleep(0.002)


async def settled() -> None:
    """Whatever goes on without anybody's doing has gone on."""
    for _ in range(500):
        await asyncio.sleep(0)


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


def test_a_person_is_one_in_the_record_whatever_the_name(games: Games) -> None:
    """So that `hansa play --resume` goes on with it, and nobody called after an agent is replaced by it."""

    async def play() -> None:
        game = await dealt(games, Seat(kind="here"), Seat(kind="guest", name="greedy"))
        assert game.record()["agents"] == ["person", "person:greedy"]
        game = await dealt(games, AGENT, Seat(kind="here", name="x" * 200))
        Game.from_record(game.record())

    asyncio.run(play())


def test_several_decisions_are_taken_whole_or_not_at_all(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        with pytest.raises(Refused):
            game.decide({0, 1}, 0, [game.game.legal()[-1], "nonsense"])
        assert len(game.line) == 0 and games.store.events(game.id) == []

    asyncio.run(play())


def test_what_was_decided_is_there_when_the_file_is_opened_again(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        heard: list[Any] = []
        game.listen(heard.append, None)
        for _ in range(12):
            game.decide({0, 1}, game.seq, [game.game.legal()[-1]])
        game.undo({0, 1}, game.seq)
        again = opened_again(games, game.id)
        assert again.line.decisions == game.line.decisions and len(again.line) == 11
        assert again.seq == game.seq == 13
        assert again.game.position() == game.game.position()
        events = [json.loads(text) for text in heard]
        assert [event["seq"] for event in events if event["type"] == "event"] == list(range(1, 14))

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
        game.decide({1}, game.seq, [game.game.legal()[-1]])
        with pytest.raises(NotAllowed, match="another person has decided"):
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


def test_who_is_at_a_game_that_is_removed_is_told_and_can_decide_nothing(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        heard: list[str | None] = []
        game.listen(heard.append, None)
        await games.remove(game.id)
        assert heard[-1] is None
        with pytest.raises(NotThere):
            game.decide({0, 1}, game.seq, game.game.legal()[:1])
        assert len(game.line) == 0

    asyncio.run(play())


def test_what_cannot_be_kept_does_not_happen(games: Games) -> None:
    """As on a full disk; agents stop with a line that says so, and go on when they are told to."""

    async def play() -> None:
        game = await dealt(games, HERE, AGENT)
        other = await games.open(games.deal(RULES, [AGENT, AGENT], 1, None, pace=0))
        with full_disk(games.store):
            with pytest.raises(Refused, match="disk is full"):
                game.decide({0}, game.seq, game.game.legal()[:1])
            with pytest.raises(Refused, match="disk is full"):
                games.deal(RULES, [HERE, HERE], 1, None)
            with pytest.raises(Refused, match="disk is full"):
                game.set_pace(2.0)
            with pytest.raises(Refused, match="disk is full"):
                await games.remove(game.id)
            assert len(game.line) == game.seq == 0 and game.pace == 0
            assert [row["id"] for row in games.listed()] == [other.id, game.id]
            await until(lambda: other.seated_agents.problem)
            assert "disk is full" in str(other.seated_agents.problem)
        game.decide({0}, game.seq, game.game.legal()[:1])
        other.seated_agents.try_again()
        await until(lambda: len(other.line) > 3)
        await games.close()

    asyncio.run(play())


def test_pausing_and_stepping(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, AGENT, AGENT)
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


def test_what_is_saved_of_a_running_game_tells_nothing_that_is_hidden(games: Games) -> None:
    """The markers that lie open are as they are; the pile is another each time, and the seed is not told."""

    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        for _ in range(20):
            game.decide({0, 1}, game.seq, [game.game.legal()[-1]])
        records = [game.record() for _ in range(4)]
        real = game.game.record()
        assert real["seed"] == 1
        for record in records:
            assert record["seed"] is None
            assert record["setup"]["markers"] == real["setup"]["markers"]
            assert sorted(record["setup"]["pile"]) == sorted(real["setup"]["pile"])
            assert Game.from_record(record).position() == game.game.position()
        assert len({json.dumps(record["setup"]["pile"]) for record in records}) > 1

    asyncio.run(play())


def test_a_branch_comes_to_the_same_position_and_goes_on_by_itself(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        for _ in range(10):
            game.decide({0, 1}, game.seq, [game.game.legal()[-1]])
        name = games.branch(game, 6, None, [game.line.game_at(6).legal()[0]], None)
        branch = await games.open(name)
        assert branch.line.decisions == [*game.line.decisions[:6], game.line.game_at(6).legal()[0]]
        assert branch.line.start.data["setup"] != game.line.start.data["setup"] or branch.line.start.data["seed"] is None
        assert [found["id"] for found in games.branches(game.id)] == [name]
        assert games.branches(game.id)[0]["words"]
        assert len(game.line) == 10
        with pytest.raises(Refused):
            games.branch(game, 11, None, [], None)
        with pytest.raises(Refused):
            games.branch(game, 6, None, ["nonsense"], None)
        await games.remove(game.id)
        with pytest.raises(NotThere):
            await games.open(game.id)

    asyncio.run(play())


def test_the_list_of_games_knows_which_are_over_from_the_start(games: Games) -> None:
    async def play() -> None:
        game = Game(RULES, seed=3, max_turns=3)
        while not game.over:
            game.play(game.legal()[-1])
        over = games.read(json.dumps(game.position()))
        running = games.read(json.dumps(game.rewound(4).position()))
        branch = games.branch(await games.open(over), 0, None, [], None)
        assert {row["id"]: row["over"] for row in games.listed()} == {over: True, running: False, branch: True}

    asyncio.run(play())


def test_games_at_rest_are_closed_and_come_back_as_they_were(games: Games) -> None:
    """Those that somebody watches, or that are under way, stay open."""

    async def play() -> None:
        game = Game(RULES, seed=3)
        for _ in range(15):
            game.play(game.legal()[-1])
        study = json.dumps(game.record())
        under_way = await dealt(games, HERE, GUEST)
        watched = await games.open(games.read(study))
        watched.listen(lambda _: None, None)
        left = await games.open(games.read(study))
        left.listen(print, None)
        left.leave(print)
        for _ in range(MOST_AT_REST + 1):
            last = await games.open(games.read(study))
        assert [await games.open(one.id) is one for one in (under_way, watched, last, left)] == [True, True, True, False]
        again = await games.open(left.id)
        assert again.record() == left.record() and again.seq == left.seq
        again.decide({0, 1}, again.seq, again.game.legal()[:1])
        assert len(again.line) == 16

    asyncio.run(play())


def test_records_and_positions_are_read_and_bad_ones_refused_in_a_line(games: Games) -> None:
    async def play() -> None:
        game = Game(RULES, seed=3)
        for _ in range(15):
            game.play(game.legal()[-1])
        game.agents = ["greedy", "person:Anna"]
        study = await games.open(games.read(json.dumps(game.record())))
        assert study.is_study and study.line.decisions == [text for _, text in game.decisions]
        assert study.record() == game.record() and study.names == ["greedy", "Anna"]
        proposed = seats_of_record(study.game.agents, 2, games.menu)
        assert proposed == [{"kind": "agent", "agent": "greedy"}, {"kind": "here", "name": "Anna"}]
        branch = await games.open(games.branch(study, 3, None, [], None))
        assert branch.names == ["greedy", "Anna"] and branch.record()["agents"] == game.agents
        position = await games.open(games.read(json.dumps(game.position())))
        assert position.game.position() == game.position() == position.record()
        forged = json.dumps(game.record() | {"decisions": [[0, "x"]]})
        for bad in ("", "{", "[]", "[" * 5000, '{"format": "hansa-record/9"}', forged):
            with pytest.raises(Refused) as refused:
                games.read(bad)
            assert "\n" not in str(refused.value)

    asyncio.run(play())


@pytest.mark.parametrize("spec", ["nobody", "os:system", "ppo:x.zip:trust", "tests.agents.faulty:Faulty"])
def test_a_page_cannot_ask_for_agents_that_run_code(spec: str) -> None:
    with pytest.raises(Refused):
        AgentMenu().checked(spec)
    assert AgentMenu([spec]).checked(spec) == spec


def test_files_that_are_no_games_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but long enough to look at" * 30)
    with pytest.raises(StoreError, match=r"text\.sqlite"):
        Store(text)
    with pytest.raises(StoreError):
        Store(tmp_path)
    store = Store(tmp_path / "new" / "games.sqlite")
    store._sql.execute("PRAGMA user_version = 9")
    store.close()
    with pytest.raises(StoreError, match="version 9"):
        Store(tmp_path / "new" / "games.sqlite")


def test_a_file_is_one_tables_at_a_time(tmp_path: Path) -> None:
    """Two would give the same numbers to different events."""
    first = Store(tmp_path / "games.sqlite")
    with pytest.raises(StoreError, match="another table has it open"):
        Store(tmp_path / "games.sqlite")
    first.close()
    Store(tmp_path / "games.sqlite").close()


def test_a_file_of_an_earlier_version_loses_the_estimates_that_it_was_emptied_of_anyway(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    store._sql.execute("CREATE TABLE estimates (agent TEXT NOT NULL, position TEXT NOT NULL, found TEXT NOT NULL)")
    store._sql.commit()
    store.close()
    again = Store(tmp_path / "games.sqlite")
    tables = {name for (name,) in again._sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables == {"settings", "games", "events", "puzzles"}
