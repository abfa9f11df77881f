"""Whole actions that an agent suggests, what it expects after them, and what decisions are worth to it, all of it bounded."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hansa_env import Game, Ruleset
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Piece
from hansa_env.render.things import posts_of
from hansa_env.table import plans as whole_actions
from hansa_env.table.errors import Refused
from hansa_env.table.games import Games
from hansa_env.table.plans import FORESEEN, MOST_ASKED, Adviser, expected_of, plan_of
from hansa_env.table.seats import AgentMenu, Seat
from hansa_env.table.store import Store
from hansa_env.table.weighed import AT_ONCE, MOST_WEIGHED, weighed_of
from tests.rules import scenario
from tests.table.serving import GREEDY, OPINION, Server
from tests.waiting import until

THREE = Ruleset(players=3)


class Told:
    """A pool whose agent likes what it is told to: `likes(game)` names decisions with their shares; counts what it is asked."""

    def __init__(
        self,
        likes: Callable[[Game], dict[str, float]],
        worth: Callable[[Game], float | None],
        values: dict[str, float] | None = None,
    ) -> None:
        self.likes, self.worth, self.values, self.asked = likes, worth, values or {}, 0

    def prepare(self, spec: str, ruleset: Ruleset) -> None:
        pass

    def is_ready(self, spec: str, ruleset: Ruleset) -> bool:
        return True

    async def estimates(self, spec: str, ruleset: Ruleset, games: Any, seconds: float | None) -> list:
        self.asked += len(games)
        return [self._of(Game.from_state(ruleset, game)) for game in games]

    def _of(self, game: Game) -> dict:
        legal = game.legal()
        liked = {text: share for text, share in self.likes(game).items() if text in legal} or {legal[0]: 1.0}
        # alone, a decision has all the attention, and another value than what one lucky look at it came to
        values = {legal[0]: self.worth(game)} if self.values and len(legal) == 1 else self.values
        return {"likeliest": [[text, share, values.get(text)] for text, share in liked.items()], "value": self.worth(game)}


def advised(
    folder: Path, look: Callable[[Adviser, Told], Any], likes: Callable[[Game], dict[str, float]], *texts: str,
    worth: Callable[[Game], float | None] = lambda game: None, position: dict | None = None,
    values: dict[str, float] | None = None,
) -> None:  # fmt: skip
    """Look at a game of three people's seats, in which this was decided, or at a position, with an agent that likes what it is
    told to."""

    async def looked() -> None:
        pool: Any = Told(likes, worth, values)
        games = Games(Store(folder / "games.sqlite"), pool, AgentMenu())
        dealt = games.deal(THREE, [Seat(kind="here")] * 3, 5, None) if position is None else games.read(json.dumps(position))
        game = await games.open(dealt)
        for text in texts:
            game.decide({0, 1, 2}, game.seq, [text])
        await look(Adviser(game, pool, games.opinions, "told"), pool)

    asyncio.run(looked())


def test_the_likeliest_actions_come_first_and_each_leads_elsewhere(tmp_path: Path) -> None:
    """By the product of their shares; two orders of the same lifts and puts are one action."""

    def likes(game: Game) -> dict[str, float]:
        if game.asked == "act":
            return {"move": 0.6, "place trader stade/hamburg": 0.3, "done": 0.03, "income 0": 0.02}
        lifts = {"lift trader hamburg/luneburg": 0.5, "lift trader hamburg/bremen": 0.5}
        puts = {"put trader kampen/arnheim": 0.7, "put trader kampen/osnabruck": 0.3}
        return {"lift": lifts, "put": puts}.get(game.asked, {})

    async def look(adviser: Adviser, pool: Told) -> None:
        number = len(adviser.game.line)
        plans = [await plan_of(adviser, number, rank) for rank in range(3)]
        told = [[step["text"] for step in plan["steps"]] for plan in plans if plan is not None]
        both = ["lift trader hamburg/luneburg", "lift trader hamburg/bremen"]
        assert told[0] == ["place trader stade/hamburg"] and set(both) < set(told[1])
        assert sorted(told[2][-2:]) == ["put trader kampen/arnheim", "put trader kampen/osnabruck"]
        assert [plan["share"] for plan in plans if plan] == pytest.approx([0.3, 0.6 * 0.25 * 0.49, 0.6 * 0.25 * 0.21], abs=1e-3)
        asked = pool.asked
        assert asked <= MOST_ASKED
        assert await plan_of(adviser, number, 2) == plans[2] and pool.asked == asked, "nothing is asked twice"

    began = ("place trader hamburg/luneburg", "place trader hamburg/bremen", *("done",) * 2)
    advised(tmp_path, look, likes, *began)


def test_an_agent_that_never_comes_to_an_end_is_left(tmp_path: Path) -> None:
    """However many decisions it likes: a request asks about so many positions at most."""

    def likes(game: Game) -> dict[str, float]:
        legal = [text for text in game.legal() if game.asked != "act" or text == "displace"]
        return {text: 1 / len(legal) for text in legal[:3]}

    async def look(adviser: Adviser, pool: Told) -> None:
        number = len(adviser.game.line)
        for rank in range(3):
            await plan_of(adviser, number, rank)
        assert 3 < pool.asked <= MOST_ASKED
        with pytest.raises(Refused, match="rank is 3; expected less than 3"):
            await plan_of(adviser, number, 3)
        assert 0 < len((await expected_of(adviser, number, 0))["steps"]) <= FORESEEN

    advised(tmp_path, look, likes, "place merchant stade/hamburg", "place trader hamburg/bremen")


def test_a_value_that_was_not_weighed_well_is_not_taken(tmp_path: Path) -> None:
    """The agent is asked about such a decision alone, so that the page shows one value of it wherever it stands."""
    likes = {"place trader stade/hamburg": 0.95, "done": 0.05}
    values = {"place trader stade/hamburg": 0.4, "done": 1.0}

    async def look(adviser: Adviser, pool: Told) -> None:
        found = [await plan_of(adviser, 0, rank) for rank in range(2)]
        assert [(plan["steps"][0]["text"], plan["value"]) for plan in found if plan] == [
            ("place trader stade/hamburg", 0.4), ("done", 0.3),
        ]  # fmt: skip

    advised(tmp_path, look, lambda game: likes, worth=lambda game: 0.3, values=values)


def test_who_asks_keeps_the_own_card_while_others_decide(tmp_path: Path) -> None:
    """With missions, where cards that nobody may know are dealt anew (R11)."""
    ruleset = Ruleset(3, missions=True)

    async def look() -> None:
        pool: Any = Told(lambda game: {}, lambda game: None)
        games = Games(Store(tmp_path / "games.sqlite"), pool, AgentMenu())
        game = await games.open(games.deal(ruleset, [Seat(kind="here")] * 3, 5, None))
        for _ in range(40):
            game.decide({0, 1, 2}, game.seq, [game.game.legal()[0]])
        game.seats[1:] = [Seat(kind="agent", agent="told")] * 2
        others = set()
        for number, record in enumerate(game.line.records):
            ahead = Adviser(game, pool, games.opinions, "told", {0}).at(number)
            cards = ahead.state["missions"][:3].tolist()
            assert cards[0] == record["missions"][0] and len({*cards}) == 3, (number, cards)
            others.add(ahead.seat)
        assert others >= {1, 2}

    asyncio.run(look())


def test_what_leads_to_no_thing_is_not_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_actions, "things_of", lambda *_: ())

    async def look(adviser: Adviser, pool: Told) -> None:
        plan = await plan_of(adviser, len(adviser.game.line), 0)
        assert plan is not None
        claim = plan["steps"][0]
        assert (claim["text"], claim["things"], claim["trail"], claim["mark"]) == ("claim stade/hamburg", [], None, False)

    fill = [f"place trader {route}" for route in ("stade/hamburg", "stade/hamburg", "kampen/arnheim", "kampen/arnheim")]
    fill += ["done", "place trader stade/hamburg"]
    advised(tmp_path, look, lambda game: {"claim stade/hamburg": 1.0, "office hamburg": 1.0}, *fill)


def test_arrows_go_to_posts_as_they_are_drawn(tmp_path: Path) -> None:
    """A displacing piece goes where the other stands, whose owner then takes it from there; each has a post of its own."""

    def likes(game: Game) -> dict[str, float]:
        return {
            "displace": 1.0,
            "0m": 1.0,
            "trader": 1.0,
            "put merchant hamburg/luneburg": 1.0,
            "put trader hamburg/luneburg": 1.0,
        }

    async def look(adviser: Adviser, pool: Told) -> None:
        number = len(adviser.game.line)
        plan = await plan_of(adviser, number, 0)
        assert plan is not None
        trails = [step["trail"] for step in plan["steps"] if step["trail"]]
        assert [step["text"] for step in plan["steps"]][:3] == ["displace", "0m", "trader"]
        supply, stock = "supply 1 trader", "stock 1 trader"
        posts = posts_of(scene_of(THREE, adviser.game.line.records[-1]), "stade/hamburg")
        post = next(name for name, piece in posts if piece == Piece("0", "merchant"))
        assert trails[0] == {"source": supply, "target": post, "piece": "1t"}, "where the merchant stands now"
        assert trails[1:] == [{"source": supply, "target": stock, "piece": "1t"}] * 2, "the penalty for a merchant"
        then = (await expected_of(adviser, number, 0))["steps"]
        assert [step["seat"] for step in then] == [0] * len(then) and len(then) >= 2
        moved = [step["trail"] for step in then]
        assert moved[0] == {"source": post, "target": "post hamburg/luneburg 1", "piece": "0m"}
        assert moved[1]["target"] == "post hamburg/luneburg 2", "the first is taken by the arrow before"

    advised(tmp_path, look, likes, "place trader stade/hamburg", "place merchant stade/hamburg")


def test_a_claim_is_marked_where_no_piece_goes(tmp_path: Path) -> None:
    async def look(adviser: Adviser, pool: Told) -> None:
        number = len(adviser.game.line)
        plan = await plan_of(adviser, number, 0)
        assert plan is not None
        claim, office = plan["steps"][:2]
        assert (claim["mark"], claim["trail"], claim["things"]) == (True, None, ["route stade/hamburg"])
        assert not office["mark"] and office["trail"]["source"].startswith("post stade/hamburg ")
        assert office["trail"]["target"] == "office hamburg 1", "the trader of the route goes to a square"

    fill = [f"place trader {route}" for route in ("stade/hamburg", "stade/hamburg", "kampen/arnheim", "kampen/arnheim")]
    fill += ["done", "place trader stade/hamburg"]
    likes = {"claim stade/hamburg": 1.0, "office hamburg": 1.0}
    advised(tmp_path, look, lambda game: likes, *fill)


@pytest.mark.parametrize("supply", [(2, 0), (2, 1)], ids=["one kind", "two kinds"])
def test_a_displacement_is_marked_where_its_piece_follows_by_itself(tmp_path: Path, supply: tuple[int, int]) -> None:
    """With traders alone there is no choice which piece displaces, nor which is paid; with both kinds its arrow says it."""
    position = scenario.position(THREE, turn=0, actions=2, posts={"kampen/arnheim": "1t 2t"}, supply={0: supply})

    async def look(adviser: Adviser, pool: Told) -> None:
        plan = await plan_of(adviser, 0, 0)
        assert plan is not None
        told = [(step["text"], step["mark"], step["trail"] and step["trail"]["target"]) for step in plan["steps"]]
        alone = supply[1] == 0
        assert told[:2] == [("displace", False, None), ("1t", alone, None)]
        assert told[2:3] == ([] if alone else [("trader", False, "post kampen/arnheim 1")])
        assert plan["steps"][1]["things"] == ["post kampen/arnheim 1"]

    advised(tmp_path, look, lambda game: {"displace": 1.0, "1t": 1.0, "trader": 1.0}, position=position)


def test_what_follows_ends_when_another_seat_has_acted(tmp_path: Path) -> None:
    async def look(adviser: Adviser, pool: Told) -> None:
        expected = await expected_of(adviser, 0, 0)
        then = expected["steps"]
        assert expected["why"] == ""
        assert [(step["seat"], step["text"]) for step in then] == [
            (0, "place trader stade/hamburg"), (1, "place trader stade/hamburg"),
        ]  # fmt: skip
        assert [step["trail"]["target"] for step in then] == ["post stade/hamburg 2", "post stade/hamburg 3"]
        end = await plan_of(adviser, 0, 0)
        assert end is not None and end["steps"][0]["trail"]["target"] == "post stade/hamburg 1"

    advised(tmp_path, look, lambda game: {"place trader stade/hamburg": 1.0, "done": 0.0})


@pytest.mark.parametrize(
    ("why", "prestige", "route", "then"),
    [
        ("over", 19, "hannover/minden", ["office hannover"]),
        ("hidden", 0, "bremen/osnabruck", ["done", "route hannover/minden"]),
    ],
)
def test_what_follows_ends_with_the_game_and_where_a_marker_is_shown(
    tmp_path: Path, why: str, prestige: int, route: str, then: list[str]
) -> None:
    """The second claim brings seat 0 to twenty points, or a marker; at the end of the turn it lays another, unseen before."""
    given = {"prestige": {0: prestige}, "offices": {"minden": "0t"}, "posts": {route: "0t 0t 0t"}}
    position = scenario.position(THREE, turn=0, actions=2, **given)

    async def look(adviser: Adviser, pool: Told) -> None:
        expected = await expected_of(adviser, 0, 0)
        assert (expected["why"], [step["text"] for step in expected["steps"]]) == (why, [f"claim {route}", *then])

    def likes(game: Game) -> dict[str, float]:
        first = game.state["actions_left"] == 2
        return dict.fromkeys(["place trader stade/hamburg"] if first else [f"claim {route}", *then], 0.5)

    advised(tmp_path, look, likes, position=position)


def test_decisions_are_weighed_a_few_at_a_time_and_so_many_at_most(tmp_path: Path) -> None:
    """An agent that values positions is asked about each decision alone; then the value is that of the decision."""

    def worth(game: Game) -> float:
        legal = game.legal()
        return 0.5 if len(legal) > 1 else 0.9 if legal == ["done"] else 0.2

    async def look(adviser: Adviser, pool: Told) -> None:
        legal = adviser.at(0).legal()
        found, part = dict[str, float](), {"weighed": 0, "of": 1}
        while part["weighed"] < part["of"]:
            part = await weighed_of(adviser, 0, len(found))
            assert 0 < len(part["values"]) <= AT_ONCE
            found |= part["values"]
        assert len(found) == part["of"] == min(len(legal), MOST_WEIGHED) and set(found) <= set(legal)
        assert found == {text: 0.9 if text == "done" else 0.2 for text in found} and "income 0" in found, "what was taken, too"
        assert pool.asked == 1 + len(found)
        for number, first in ((5, 0), (0, 3), (0, MOST_WEIGHED), (0, -AT_ONCE)):
            expected = f"expected at from 0 to 1, and first a multiple of {AT_ONCE} below {MOST_WEIGHED}"
            with pytest.raises(Refused, match=f"at is {number}, first is {first}; {expected}"):
                await weighed_of(adviser, number, first)

    advised(tmp_path, look, lambda game: {"place trader stade/hamburg": 0.8, "done": 0.2}, "income 0", worth=worth)


def test_an_agent_without_an_opinion_on_the_win_weighs_nothing(tmp_path: Path) -> None:
    async def look(adviser: Adviser, pool: Told) -> None:
        assert await weighed_of(adviser, 0, 0) == {"values": {}, "weighed": 0, "of": 0} and pool.asked == 1

    advised(tmp_path, look, lambda game: {"done": 1.0})


@pytest.mark.parametrize("asked", ["plan?at=0&rank=1", "expected?at=0&rank=0", "weighed?at=0&first=0"])
def test_only_the_host_lets_agents_think(server: Server, asked: str) -> None:
    game = server.deal({"kind": "guest", "name": "Bob"}, GREEDY, GREEDY, seed=5)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["0"]
    path = f"/api/games/{game}/{asked}&agent={OPINION}"
    refused = server.ask(f"{path}&token={token}", host=False)
    assert refused.status_code == 403 and list(refused.json()) == ["error"]
    found = server.ask(path)
    assert found.status_code == 200, found.text
    two = server.deal({"kind": "guest", "name": "Bob"}, {"kind": "here", "name": "Ann"}, GREEDY, seed=5)
    refused = server.ask(f"/api/games/{two}/{asked}&agent={OPINION}")
    assert refused.status_code == 403 and "play against each other" in refused.json()["error"]


def test_an_answer_that_nobody_waits_for_any_more_is_thought_no_further(tmp_path: Path) -> None:
    """Its agent finishes the position that it is at, of several that it would be asked about."""
    ready, slow = tmp_path / "ready", f"tests.table.opinion:Slow:{tmp_path / 'ready'}"
    questions = ready.with_suffix(".asked")
    server = Server(tmp_path / "games.sqlite", options=("--agent", slow))
    try:
        begun = Game(THREE, seed=5)
        for _ in range(6):
            begun.play(next(text for text in begun.legal() if text.startswith("place")))
        begun.play("move")
        game = server.ask("/api/records", begun.record()).json()["id"]
        path = f"/api/games/{game}/plan?agent={slow}&at=7&rank=2"
        with socket.create_connection((server.address.partition(":")[0], server.port)) as impatient:
            words = f"GET {path} HTTP/1.1\r\nHost: {server.address}\r\nCookie: {server.headers['Cookie']}\r\n\r\n"
            impatient.sendall(words.encode())
            until(questions.exists, seconds=40)
        assert server.ask("/api/games").status_code == 200, "the server has heard that nobody waits"
        ready.touch()
        for number in range(5):  # others, one after the other
            asked = f"/api/games/{game}/estimates?agent={slow}&first={number}&last={number + 1}"
            assert server.ask(asked).status_code == 200
        assert len(questions.read_text().split()) == 1 + 5
        assert server.ask(path).status_code == 200 and len(questions.read_text().split()) > 1 + 5 + 3, "it had further to go"
    finally:
        server.stop()
    assert "Traceback" not in server.errors()
