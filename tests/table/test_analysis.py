"""Curves and turning points, and that no position is asked about twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.play.judge import LUCK_BY
from hansa_env.ruleset import MARKER_KINDS
from hansa_env.table.analysis import Point, Swing, curve_of, estimates_of, luck_after, mistakes_of, turning_points
from hansa_env.table.games import Games
from hansa_env.table.opinions import Opinions as KeptOpinions
from hansa_env.table.seats import AgentMenu, Seat
from hansa_env.table.store import Store
from tests.table.chance import play_on
from tests.table.serving import GREEDY, HERE, OPINION, Server


def test_turning_points_are_the_biggest_swings_in_their_order() -> None:
    points = [Point(0, 0, 0.3), Point(1, 1, 0.3), Point(2, 0, 0.35), Point(3, 1, 0.6), Point(4, 0, 0.1), Point(5, 1, 0.62),
              Point(6, 0, 0.9)]  # fmt: skip
    assert turning_points(points) == [Swing(1, 1, 0.3, 0.6), Swing(2, 0, 0.35, 0.1), Swing(4, 0, 0.1, 0.9)]
    assert turning_points(points, most=1) == [Swing(4, 0, 0.1, 0.9)]
    assert turning_points(points, least=0.5) == [Swing(4, 0, 0.1, 0.9)]
    assert turning_points([]) == []


def test_a_fall_is_as_big_a_swing_as_a_rise() -> None:
    points = [Point(0, 0, 0.9), Point(1, 1, 0.1), Point(2, 0, 0.2), Point(3, 1, 0.4)]
    assert turning_points(points, most=1) == [Swing(0, 0, 0.9, 0.2)]
    points = [Point(0, 0, 0.9), Point(0, 1, 0.1), Point(2, 0, 0.2), Point(3, 1, 0.4)]
    assert turning_points(points) == [Swing(0, 0, 0.9, 0.2)], "what one moment did to two is told of whom it did most to"


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
        play_on(game, 20)
        found = await estimates_of(game, pool, games.opinions, "greedy", 0, 10)
        assert [one["number"] for one in found] == list(range(10)) and pool.asked == 10
        assert [one["decided"] for one in found] == game.line.decisions[:10]
        again = await estimates_of(game, pool, games.opinions, "greedy", 0, 21)
        assert pool.asked == 21 and again[:10] == found and again[20]["decided"] is None
        assert len(await estimates_of(game, pool, games.opinions, "ppo", 0, 1)) == 1 and pool.asked == 22
        curve = curve_of(game, games.opinions, "greedy")
        assert [point["number"] for point in curve["points"]] == list(range(21)) and curve["last"] == 20
        for point in curve["points"]:
            assert point["value"] == len(game.line.game_at(point["number"]).legal()) / 100
        assert [point["number"] for point in curve_of(game, games.opinions, "ppo")["points"]] == [0]

    asyncio.run(look())


def test_it_is_told_that_an_agent_is_being_prepared(tmp_path: Path) -> None:
    """Before its first answer, which takes longer than those that follow, and no more."""

    async def look() -> None:
        pool: Any = Opinions()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(2, "second"), [Seat(kind="here")] * 2, 5, None))
        heard: list[Any] = []
        game.listen(heard.append, None)
        await estimates_of(game, pool, games.opinions, "greedy", 0, 1)
        assert [json.loads(text)["preparing"] for text in heard] == [["greedy"], []]
        game.decide({0, 1}, game.seq, game.game.legal()[:1])
        heard.clear()
        await estimates_of(game, pool, games.opinions, "greedy", 0, 2)
        assert pool.asked == 2 and heard == []

    asyncio.run(look())


def test_what_nobody_asked_for_longest_is_forgotten_first() -> None:
    kept = KeptOpinions(most=2)
    kept.keep("greedy", [("a", {"estimate": 1}), ("b", {"estimate": 2})])
    assert kept.of("greedy", "a") == {"estimate": 1} and kept.of("ppo", "a") is None
    kept.keep("ppo", [("a", {"estimate": 3})])
    assert [kept.of(agent, name) for agent, name in (("greedy", "a"), ("greedy", "b"), ("ppo", "a"))] == [
        {"estimate": 1}, None, {"estimate": 3},
    ]  # fmt: skip
    kept.of("greedy", "a")["estimate"] = 9  # type: ignore[index]
    assert kept.of("greedy", "a") == {"estimate": 1}, "nobody changes what another is given"


def test_a_whole_action_is_told_until_it_is_done(server: Server) -> None:
    game = server.deal(HERE, GREEDY, GREEDY, seed=5)
    plan = server.ask(f"/api/games/{game}/plan?agent=greedy&at=0").json()["plan"]
    ahead = Game(Ruleset(3), seed=5)
    for number, step in enumerate(plan["steps"]):
        assert ahead.seat == step["seat"] == 0 and (number == 0) == (ahead.asked == "act")
        assert step["words"] and step["things"] and step["trail"]["target"] in step["things"]
        ahead.play(step["text"])
    assert plan["steps"] and (ahead.seat, ahead.asked) == (0, "act"), "the action is done, and the next begins"
    assert (plan["share"], plan["value"]) == (1, None), "greedy has no opinion on the win"
    assert server.ask(f"/api/games/{game}/plan?agent=greedy&at=0&rank=1").json()["plan"] is None, "it thinks of one only"
    refused = server.ask(f"/api/games/{game}/plan?agent=greedy&at=1")
    assert refused.status_code == 400 and "has 0 decisions" in refused.json()["error"]
    refused = server.ask(f"/api/games/{game}/plan?agent=greedy&at=0&rank=3")
    assert refused.status_code == 400 and "less than 3" in refused.json()["error"]


def test_a_better_action_is_told_as_it_was_played_up_to_the_better_decision(server: Server) -> None:
    played = play_game(["greedy"], Ruleset(3), seed=5).rewound(13)
    texts = [text for _, text in played.decisions[8:]]
    assert texts == ["displace", "route gottingen/quedlinburg", "0t", "trader", "trader"], "one action of seat 2"
    game = server.ask("/api/records", played.record()).json()["id"]

    def better(first: int, at: int, best: str) -> Any:
        return server.ask(f"/api/games/{game}/better?agent=greedy&first={first}&at={at}&best={best}")

    told = better(8, 10, "1t").json()["words"]
    assert told == "displace on Göttingen–Quedlinburg the trader of seat 1 with a trader, then pay a trader"
    told = better(8, 9, "route quedlinburg/halle").json()["words"]
    assert told == "displace on Quedlinburg–Halle the trader of seat 0 with a trader, then pay a trader"
    told = better(8, 11, "merchant").json()["words"]
    said = "displace on Göttingen–Quedlinburg the trader of seat 0 with a merchant, then pay a trader"
    assert told == said, "no payment is asked for here, and it is told nevertheless"
    illegal = better(8, 11, "income 0")
    assert illegal.status_code == 400 and "income 0" in illegal.json()["error"]
    for first, at in ((8, 13), (8, 99), (13, 13), (9, 11), (7, 11), (0, 11), (12, 11), (99, 11)):
        refused = better(first, at, "merchant")
        expected = f"first is {first}, at is {at}; no action of the game begins at first and has at in it"
        assert (refused.status_code, refused.json()["error"]) == (400, expected)


def test_a_guest_is_told_no_better_action(server: Server) -> None:
    """Whoever invited them may analyse this game, as one person plays."""
    game = server.deal({"kind": "guest", "name": "Bob"}, GREEDY, GREEDY, seed=5)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["0"]
    with server.sit(game, token) as guest:
        guest.hear("welcome")
        guest.say(type="decide", seq=0, texts=["done"])
        guest.hear("event")
    path = f"/api/games/{game}/better?agent=greedy&first=0&at=0&best=income 0"
    assert server.ask(path).status_code == 200
    refused = server.ask(f"{path}&token={token}", host=False)
    assert refused.status_code == 403 and "words" not in refused.json()


class LikesFours(Opinions):
    """A pool whose agent gives seat 0 all of the win while a marker +4 lies on the board, else seat 1."""

    async def estimates(self, spec: str, ruleset: Ruleset, games: Any, seconds: float | None) -> list:
        self.asked += len(games)
        fours = [(game["route_marker"] == MARKER_KINDS.index("+4")).any() for game in games]
        return [{"likeliest": [], "value": None, "seats": [1.0, 0.0, 0.0] if four else [0.0, 1.0, 0.0]} for four in fours]


def test_luck_is_told_draw_by_draw(tmp_path: Path) -> None:
    async def look() -> None:
        pool: Any = LikesFours()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        record = play_game(["greedy"], Ruleset(3), seed=3).record()
        game = await games.open(games.read(json.dumps(record)))
        after, draws = 0, []
        while (found := await luck_after(game, pool, games.opinions, "likes", after))["draw"] is not None:
            draws.append(found["draw"])
            after = draws[-1]["after"] + 1
        assert [kind for draw in draws for kind in draw["markers"]] == record["setup"]["pile"][: len(draws)] and len(draws) > 5
        before, pile = game.line.records[draws[0]["after"] - 1], record["setup"]["pile"]
        assert not (before["route_marker"] == MARKER_KINDS.index("+4")).any(), "the first draw decides what this agent thinks"
        gained = (draws[0]["markers"] == ["+4"]) - pile.count("+4") / len(pile)
        assert draws[0]["seats"] == pytest.approx([gained, -gained, 0.0], abs=1e-4)
        asked = pool.asked
        assert (await luck_after(game, pool, games.opinions, "likes", 0))["draw"] == draws[0] and pool.asked == asked
        silent: Any = Opinions()
        told = await luck_after(game, silent, games.opinions, "silent", 0)
        assert told["draw"]["seats"] is None and told["others"] == LUCK_BY

    asyncio.run(look())


class Narrow(Opinions):
    """A pool whose agent thinks of the first legal decision only, and gives it 0.6, unless nothing else is legal."""

    async def estimates(self, spec: str, ruleset: Ruleset, games: Any, seconds: float | None) -> list:
        self.asked += len(games)
        legal = [Game.from_state(ruleset, game).legal() for game in games]
        return [
            {
                "likeliest": [[texts[0], 1.0, 0.6 if len(texts) > 1 else 0.1], *([text, 0.0, None] for text in texts[1:])],
                "value": 0.6,
            }
            for texts in legal
        ]


def test_a_mistake_that_the_agent_did_not_look_at_is_found(tmp_path: Path) -> None:
    async def look() -> None:
        pool: Any = Narrow()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(2, "second"), [Seat(kind="here")] * 2, 5, None))
        for text in ("done", game.game.legal()[0]):
            game.decide({0, 1}, game.seq, [text])
        assert [move.seat for move in game.line.moves] == [0, 1]
        found = await estimates_of(game, pool, games.opinions, "narrow", 0, 2)
        assert pool.asked == 3 and ["done", 0.0, 0.1] in found[0]["estimate"]["likeliest"]
        assert await estimates_of(game, pool, games.opinions, "narrow", 0, 2) == found and pool.asked == 3
        worst = mistakes_of(game, games.opinions, "narrow")["seats"][0]["worst"]
        assert [(one["at"], one["played"], one["loss"]) for one in worst] == [(0, "done", 0.5)]

    asyncio.run(look())


def test_a_mistake_is_told_as_the_whole_action_that_was_played(tmp_path: Path) -> None:
    """The better one has what was played before the decision that it changes, so that the two differ only there."""

    async def look() -> None:
        pool: Any = Narrow()
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(Ruleset(3), [Seat(kind="here")] * 3, 5, None))
        for text in ("place merchant bremen/minden", "place trader stade/hamburg", "displace", "route stade/hamburg"):
            game.decide({0, 1, 2}, game.seq, [text])
        for text in ("trader", "trader"):
            game.decide({0, 1, 2}, game.seq, [text])
        await estimates_of(game, pool, games.opinions, "narrow", 2, 6)
        (one,) = mistakes_of(game, games.opinions, "narrow")["seats"][1]["worst"]
        assert (one["first"], one["at"], one["last"]) == (2, 3, 6)
        assert one["words"] == [
            "displace on Stade–Hamburg the trader of seat 0 with a trader, then pay a trader",
            "displace on Bremen–Minden",
        ]

    asyncio.run(look())


def test_mistakes_follow_from_what_the_agent_was_asked(server: Server) -> None:
    game = server.deal(HERE, GREEDY, GREEDY, seed=5)
    found = server.ask(f"/api/games/{game}/mistakes?agent={OPINION}").json()
    assert found["by"] == OPINION and [seat["judged"] for seat in found["seats"]] == [0, 0, 0]
    assert [seat["accuracy"] for seat in found["seats"]] == [None] * 3
