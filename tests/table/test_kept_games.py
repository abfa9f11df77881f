"""Games in the file: what is kept of a game at the table, what is read, what is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.formats.outputs import OutputError
from hansa_env.render.words import decision_as_order, decision_told_alone
from hansa_env.table.access import covered_at, viewer_of
from hansa_env.table.errors import NotThere, Refused
from hansa_env.table.game_history import Line
from hansa_env.table.games import MOST_AT_REST, Games
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import AgentMenu, Seat, seats_of_record
from hansa_env.table.store import Store, StoreError
from tests.table.chance import (
    AGENT,
    GUEST,
    HERE,
    RULES,
    dealt,
    opened_again,
    play_on,
    until,
)
from tests.table.disk import full_disk
from tests.table.opinion import JUDGE
from tests.table.serving import OPINION


def test_what_was_decided_is_there_when_the_file_is_opened_again(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        heard: list[Any] = []
        game.listen(heard.append, None)
        play_on(game, 12)
        game.undo({0, 1}, game.seq)
        again = opened_again(games, game.id)
        assert again.line.decisions == game.line.decisions and len(again.line) == 11
        assert again.seq == game.seq == 13
        assert again.game.position() == game.game.position()
        events = [json.loads(text) for text in heard]
        assert [event["seq"] for event in events if event["type"] == "event"] == list(range(1, 14))

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


def test_a_game_that_is_removed_while_it_is_opened_is_not_there(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        name, loop = games.deal(RULES, [AGENT, AGENT], 1, None, pace=0), asyncio.get_running_loop()

        def opened_as_it_is_removed(*given: Any) -> LiveGame:
            game = LiveGame(*given)
            if games.store.has(name):
                asyncio.run_coroutine_threadsafe(games.remove(name), loop).result(10)
            return game

        monkeypatch.setattr("hansa_env.table.games.LiveGame", opened_as_it_is_removed)
        opened = await asyncio.gather(games.open(name), games.open(name), return_exceptions=True)
        assert [type(one) for one in opened] == [NotThere] * 2
        assert not games._open and not games._opening, "nothing is kept of it"

    asyncio.run(play())


def test_what_cannot_be_kept_does_not_happen(games: Games) -> None:
    """As on a full disk; agents stop with a line that says so, and go on when they are told to."""

    async def play() -> None:
        game = await dealt(games, HERE, AGENT)
        other = await games.open(games.deal(RULES, [AGENT, AGENT], 1, None, pace=0))
        other.listen(lambda _: None, None)
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


def test_what_is_saved_of_a_running_game_tells_nothing_that_is_hidden(games: Games) -> None:
    """The markers that lie open are as they are; the pile is another each time, and the seed is not told."""

    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 20)
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


@pytest.mark.parametrize("begins", ["deal", "position"])
def test_who_saves_or_goes_on_keeps_the_own_card_and_nobody_elses(games: Games, begins: str) -> None:
    """R11.1."""

    async def play() -> None:
        ruleset, agents = Ruleset(3, missions=True), [HERE, AGENT, AGENT]
        game = await games.open(games.deal(ruleset, agents, 1, None, pace=0))
        if begins == "position":
            study = await games.open(games.read(json.dumps(game.game.position())))
            game = await games.open(games.branch(study, 0, agents, [], None))
        cards = game.game.state["missions"][:3].tolist()
        kept = {seat: set() for seat in range(3)}  # type: dict[int, set[int]]
        for _ in range(8):
            branch = await games.open(games.branch(game, 0, agents, [], None, {0}))
            saved = await games.open(games.read(json.dumps(game.record({0}))))
            watched = await games.open(games.read(json.dumps(game.record())))
            for one in (branch, saved):
                assert one.game.state["missions"][0] == cards[0]
                kept[1].add(int(one.game.state["missions"][1]))
            kept[0].add(int(watched.game.state["missions"][0]))
        assert len(kept[0]) > 1 and len(kept[1]) > 1, "nobody else learns the card, nor does who holds it learn others"

    asyncio.run(play())


def test_two_people_at_one_screen_see_the_card_of_whoever_decides_now_when_it_is_asked_for(games: Games) -> None:
    """R11.1: looking back shows nobody's card to the other."""

    async def play() -> None:
        game = await games.open(games.deal(Ruleset(2, missions=True), [HERE, HERE], 1, None, pace=0))
        while game.game.seat == 0 or not game.game.decisions:
            game.decide({0, 1}, game.seq, game.game.legal()[:1])
        assert {int(game.line.records[number]["seat"]) for number in range(len(game.line))} == {0}
        assert {viewer_of(game, number, frozenset((0, 1))) for number in range(len(game.line) + 1)} == {1}
        assert viewer_of(game, 0, frozenset((0,))) == 0
        both = frozenset((0, 1))
        assert covered_at(game, 1, both, None) == covered_at(game, 1, both, "0") == 1
        assert covered_at(game, 1, both, "1") is None and covered_at(game, 0, frozenset((0,)), None) is None

    asyncio.run(play())


def test_when_the_game_is_over_each_position_shows_the_card_of_whoever_decided_there(games: Games) -> None:
    async def play() -> None:
        record = play_game(["greedy"], Ruleset(2, missions=True), 1).record()
        study = await games.open(games.read(json.dumps(record)))
        game = await games.open(games.branch(study, len(study.line), [HERE, HERE], [], None))
        assert game.game.over
        deciders = [move.seat for move in game.line.moves]
        assert set(deciders) == {0, 1}
        assert [viewer_of(game, number, frozenset((0, 1))) for number in range(len(deciders))] == deciders
        assert {viewer_of(game, number, frozenset((1,))) for number in range(len(deciders))} == {1}

    asyncio.run(play())


def test_a_token_is_dealt_and_not_brought_along(games: Games) -> None:
    """Whoever knew it before would sit there too."""
    with pytest.raises(Refused, match="seat 1: a token is not asked for, but given"):
        games.deal(RULES, [HERE, Seat(kind="guest", token="known")], 1, None)
    assert games.listed() == []


def test_a_branch_comes_to_the_same_position_and_goes_on_by_itself(games: Games) -> None:
    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 10)
        name = games.branch(game, 6, None, [game.line.game_at(6).legal()[0]], None)
        branch = await games.open(name)
        assert branch.line.decisions == [*game.line.decisions[:6], game.line.game_at(6).legal()[0]]
        assert game.line.start.data["seed"] == 1 and branch.line.start.data["seed"] is None, "by which the pile could be told"
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


def test_a_branch_is_listed_whatever_happens_in_it_first(games: Games) -> None:
    """With the first decision of its own that stands; and the list counts decisions, not what was taken back."""

    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 6)
        study = await games.open(games.branch(game, 4, None, [], None))
        study.undo({0, 1}, study.seq)
        assert [row["words"] for row in games.branches(game.id)] == [""]
        play_on(study, 2, place=0)
        played = await games.open(games.branch(game, 4, [HERE, AGENT], [], None))
        played.replace_agent(1, "random")
        rows = games.branches(game.id)
        assert [row["id"] for row in rows] == [study.id, played.id]
        assert rows[0]["words"] == decision_told_alone(RULES, study.line.moves, 4) and rows[1]["words"] == ""
        listed = {row["id"]: row for row in games.listed()}
        assert [listed[one.id]["decisions"] for one in (game, study, played)] == [6, 5, len(played.line)]
        assert listed[played.id]["names"][1] == "random"
        await games.close()

    asyncio.run(play())


def test_a_branch_is_played_once_to_be_told(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the list of many comes at once; it is told anew where its first decision is another."""

    async def play() -> None:
        game = await dealt(games, HERE, HERE)
        play_on(game, 6)
        study = await games.open(games.branch(game, 4, None, [], None))
        play_on(study, 1)
        rows, played = games.branches(game.id), []
        monkeypatch.setattr("hansa_env.table.games.Line", lambda *given: played.append(given) or Line(*given))
        assert games.branches(game.id) == rows and not played
        study.undo({0, 1}, study.seq)
        play_on(study, 1, place=0)
        assert games.branches(game.id)[0]["words"] != rows[0]["words"] and len(played) == 1
        await games.remove(study.id)
        assert not games._words

    asyncio.run(play())


def test_a_branch_of_a_position_that_is_dealt_anew_begins_with_its_own_decision(games: Games) -> None:
    async def play() -> None:
        position = Game(RULES, seed=3)
        for _ in range(9):
            position.play(position.legal()[-1])
        seats = [HERE, HERE]
        game = await games.open(games.branch(await games.open(games.read(json.dumps(position.position()))), 0, seats, [], None))
        play_on(game, 3)
        branch = await games.open(games.branch(game, 3, seats, [], None))
        assert branch.line.decisions == []
        play_on(branch, 2, place=0)
        move = branch.line.moves[0]
        assert [row["words"] for row in games.branches(game.id)] == [decision_as_order(RULES, move.asked, move.text)]

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


def test_of_many_games_those_under_way_come_first_and_all_are_reached(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_env.table.games.LISTED", 2)
    ruleset = Ruleset(3)
    running = [games.deal(ruleset, [Seat(kind="here")] * 3, 1, None) for _ in range(3)]
    over = [games.deal(ruleset, [Seat(kind="here")] * 3, 1, None) for _ in range(2)]
    for name in over:
        games.store.add_events(name, [], True)
    games.read(json.dumps(Game(ruleset, 3).record()))
    pages = [[row["id"] for row in games.listed(since)] for since in (0, 2, 4, 6)]
    assert [len(page) for page in pages] == [2, 2, 2, 0] and games.count() == 6
    names = [name for page in pages for name in page]
    assert names[:3] == running[::-1] and set(over) <= set(names[3:]) and len(set(names)) == 6


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
    with pytest.raises(OutputError, match="which is a folder"):
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


def test_who_is_proposed_as_a_judge_comes_with_the_project() -> None:
    assert AgentMenu([OPINION, JUDGE]).judges() == ["tree", "search", "rollout"]


@pytest.mark.parametrize("name", ["onnx", "mixture"])
def test_no_agent_is_offered_whose_name_alone_says_too_little(name: str) -> None:
    assert name not in AgentMenu().offered()
    with pytest.raises(Refused, match=f"expected {name}:"):
        AgentMenu().checked(name)
