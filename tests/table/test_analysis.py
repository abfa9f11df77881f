"""Curves and turning points, and that no position is asked about twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from hansa_env import Game, Ruleset
from hansa_env.table.analysis import Point, Swing, curve_of, estimates_of, turning_points
from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu, Seat
from hansa_env.table.store import Store
from tests.table.disk import full_disk


def test_turning_points_are_the_biggest_swings_in_their_order() -> None:
    points = [Point(0, 0, 0.3), Point(1, 1, 0.3), Point(2, 0, 0.35), Point(3, 1, 0.6), Point(4, 0, 0.1), Point(5, 1, 0.62),
              Point(6, 0, 0.9)]  # fmt: skip
    assert turning_points(points) == [Swing(1, 1, 0.3, 0.6), Swing(2, 0, 0.35, 0.1), Swing(4, 0, 0.1, 0.9)]
    assert turning_points(points, most=1) == [Swing(4, 0, 0.1, 0.9)]
    assert turning_points(points, least=0.5) == [Swing(4, 0, 0.1, 0.9)]
    assert turning_points([]) == []


class Opinions:
    """A pool whose agent thinks every decision as good as any other, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def prepare(self, spec: str, ruleset: Ruleset) -> None:
        pass

    def is_ready(self, spec: str, ruleset: Ruleset) -> bool:
        return self.asked > 0

    async def estimates(self, spec: str, ruleset: Ruleset, games: Any, seconds: float | None) -> list:
        self.asked += len(games)
        legal = [Game.from_state(ruleset, game).legal() for game in games]
        return [{"likeliest": [[text, 1 / len(texts), None] for text in texts], "value": len(texts) / 100} for texts in legal]


def test_positions_are_asked_about_once_and_make_a_curve(tmp_path: Path) -> None:
    async def look() -> None:
        pool: Any = Opinions()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(2, "second"), [Seat(kind="here")] * 2, 5, None))
        for _ in range(20):
            game.decide({0, 1}, game.seq, [game.game.legal()[-1]])
        found = await estimates_of(game, pool, games.store, "greedy", 0, 10)
        assert [one["number"] for one in found] == list(range(10)) and pool.asked == 10
        assert [one["decided"] for one in found] == game.line.decisions[:10]
        again = await estimates_of(game, pool, games.store, "greedy", 0, 21)
        assert pool.asked == 21 and again[:10] == found and again[20]["decided"] is None
        assert len(await estimates_of(game, pool, games.store, "ppo", 0, 1)) == 1 and pool.asked == 22
        curve = curve_of(game, games.store, "greedy")
        assert [point["number"] for point in curve["points"]] == list(range(21)) and curve["last"] == 20
        for point in curve["points"]:
            assert point["value"] == len(game.line.game_at(point["number"]).legal()) / 100
        assert [point["number"] for point in curve_of(game, games.store, "ppo")["points"]] == [0]

    asyncio.run(look())


def test_it_is_told_that_an_agent_is_being_prepared(tmp_path: Path) -> None:
    """Before its first answer, which takes longer than those that follow, and no more."""

    async def look() -> None:
        pool: Any = Opinions()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(2, "second"), [Seat(kind="here")] * 2, 5, None))
        heard: list[Any] = []
        game.listen(heard.append, None)
        await estimates_of(game, pool, games.store, "greedy", 0, 1)
        assert [json.loads(text)["preparing"] for text in heard] == [["greedy"], []]
        game.decide({0, 1}, game.seq, game.game.legal()[:1])
        heard.clear()
        await estimates_of(game, pool, games.store, "greedy", 0, 2)
        assert pool.asked == 2 and heard == []

    asyncio.run(look())


def test_estimates_are_told_although_they_cannot_be_kept(tmp_path: Path) -> None:
    async def look() -> None:
        pool: Any = Opinions()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(2, "second"), [Seat(kind="here")] * 2, 5, None))
        with full_disk(games.store):
            assert (await estimates_of(game, pool, games.store, "greedy", 0, 1))[0]["estimate"]

    asyncio.run(look())
