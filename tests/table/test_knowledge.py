"""Whoever plays and asks what agents think is told what follows from his own knowledge, and nothing else."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansa_env import Game, Ruleset
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine.state import GAME
from hansa_env.formats.missions import EVERYBODY, NOBODY
from hansa_env.play.agents import Agent
from hansa_env.play.estimates import Estimate, estimate_games, in_notation
from hansa_env.play.registry import make_agent
from hansa_env.table.analysis import curve_of, estimates_of
from hansa_env.table.errors import Refused
from hansa_env.table.games import Games
from hansa_env.table.knowledge import as_known, mean_of
from hansa_env.table.live_game import LiveGame
from hansa_env.table.plans import Adviser, better_of
from hansa_env.table.seats import AgentMenu, Seat
from hansa_env.table.store import Store

RULES = Ruleset(3, missions=True)
HERE, GUEST, AGENT = Seat(kind="here"), Seat(kind="guest"), Seat(kind="agent", agent="greedy")
DECISIONS = 6


class Tells(Agent):
    """Its value tells every byte that it is given, hidden ones too."""

    sees_hidden = True

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        told = [int.from_bytes(hashlib.sha256(game.tobytes()).digest()[:2], "big") / 2**16 for game in inputs]
        return Estimate((masks / masks.sum(1, keepdims=True)).astype(np.float32), np.array(told, np.float32))


class Likes(Tells):
    """Every byte that it is given, hidden ones too, changes which decision it likes best."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        shares, told = np.zeros(masks.shape, np.float32), super().estimate(inputs, masks, seats)
        assert told.values is not None
        for row, value in enumerate(told.values):
            legal = np.flatnonzero(masks[row])
            shares[row, legal[int(value * len(legal))]] = 1
        return told._replace(shares=shares)


class Pool:
    """A pool that asks an agent here; its agents at the table wait for ever."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def prepare(self, spec: str, ruleset: Ruleset) -> None:
        pass

    def is_ready(self, spec: str, ruleset: Ruleset) -> bool:
        return True

    async def decide(self, spec: str, ruleset: Ruleset, game: Any, seconds: float | None) -> int:
        await asyncio.Event().wait()
        raise AssertionError

    async def estimates(self, spec: str, ruleset: Ruleset, games: Any, seconds: float | None) -> list:
        records = np.array(list(games), GAME)
        estimate = estimate_games(self.agent, ruleset, records)
        assert estimate is not None
        return [in_notation(ruleset, record, estimate, row, 500) for row, record in enumerate(records)]

    def close(self) -> None:
        pass


def with_hidden_things_changed(game: LiveGame, seat: int | None) -> None:
    """The other seats' cards, the pile and the seed are others at every position, as if the game had been dealt so."""
    rng = np.random.default_rng(5)
    cards = game.line.records[0]["missions"][:3]
    unseen = [card for card in range(len(MISSIONS)) if card not in cards]
    for record in game.line.records:
        for other, card in zip([n for n in range(3) if n != seat], unseen):
            record["missions"][other] = card
        hidden = np.flatnonzero(record["pile"][:12] >= 0)
        record["pile"][hidden] = rng.permutation(record["pile"][hidden])
        record["seed"] = 99


async def a_game(folder: Path, agent: Agent, seats: list[Seat]) -> tuple[Games, LiveGame]:
    """A game that has been played for a while by those who sit there now."""
    folder.mkdir()
    games = Games(Store(folder / "games.sqlite"), Pool(agent), AgentMenu())  # type: ignore[arg-type]
    game = await games.open(games.deal(RULES, [HERE] * 3, 5, None))
    for _ in range(DECISIONS):
        game.decide({0, 1, 2}, game.seq, [game.game.legal()[-1]])
    game.seats[:] = seats
    return games, game


async def answers(games: Games, game: LiveGame, held: set[int]) -> tuple:
    asked = game, games.pool, games.opinions, "greedy"
    found = await estimates_of(*asked, 0, DECISIONS + 1, held)
    return found, curve_of(game, games.opinions, "greedy", held)


#: An agent that looks at the games it is given.
LOOKS = "rollout:screen_sims=1,top_k=1,final_sims=1"


@pytest.mark.parametrize(("agent", "seats", "held"), [
    pytest.param("tells", [HERE, AGENT, AGENT], {0}, id="who plays"),
    pytest.param("tells", [GUEST, AGENT, AGENT], set(), id="who invited the one who plays"),
    pytest.param("tells", [AGENT] * 3, set(), id="who watches agents"),
    pytest.param(LOOKS, [HERE, AGENT, AGENT], {0}, id="who plays, of one that looks"),
    pytest.param(LOOKS, [GUEST, AGENT, AGENT], set(), id="who invited, of one that looks", marks=pytest.mark.slow),
    pytest.param(LOOKS, [AGENT] * 3, set(), id="who watches, of one that looks", marks=pytest.mark.slow),
])  # fmt: skip
def test_estimates_of_a_running_game_do_not_change_with_what_is_hidden(
    tmp_path: Path, agent: str, seats: list[Seat], held: set[int]
) -> None:
    asked = Tells() if agent == "tells" else make_agent(agent, RULES)

    async def look(name: str, change: bool) -> tuple:
        games, game = await a_game(tmp_path / name, asked, seats)
        if change:
            with_hidden_things_changed(game, 0 if held else None)
        return await answers(games, game, held)

    found, curve = asyncio.run(look("one", False))
    again, curve_again = asyncio.run(look("other", True))
    assert {one["seat"] for one in found} == {0, 1, 2}
    assert again == found and curve_again == curve and len(curve["points"]) == DECISIONS + 1


def test_the_own_card_counts_and_what_is_open_is_told_as_it_is(tmp_path: Path) -> None:
    async def look(name: str, seats: list[Seat], held: set[int], another_card: bool) -> list:
        games, game = await a_game(tmp_path / name, Tells(), seats)
        for record in game.line.records if another_card else ():
            record["missions"][0] = (record["missions"][0] + 1) % len(MISSIONS)
        return (await answers(games, game, held))[0]

    async def all_of_them() -> None:
        alone = [HERE, AGENT, AGENT]
        one, other = await look("a", alone, {0}, False), await look("b", alone, {0}, True)
        assert sum(a != b for a, b in zip(one, other)) > DECISIONS - 4, "numbers are rounded, so some are equal"
        study = [Seat(kind="study")] * 3
        one, other = await look("c", study, set(), False), await look("d", study, set(), True)
        assert sum(a != b for a, b in zip(one, other)) > DECISIONS - 4

    asyncio.run(all_of_them())


def test_a_better_action_is_told_from_what_the_asker_knows(tmp_path: Path) -> None:
    async def look(name: str, seats: list[Seat], held: set[int], change: bool) -> list[str]:
        games, game = await a_game(tmp_path / name, Likes(), seats)
        if change:
            with_hidden_things_changed(game, 0 if held else None)
        able = [number for number in range(DECISIONS) if "move" in game.line.game_at(number).legal()]
        assert {game.line.moves[number].seat for number in able} == {0, 1, 2}
        adviser = Adviser(game, games.pool, games.opinions, "greedy", held)
        with pytest.raises(Refused, match=r"^'xx' is not legal at the question 'act'; legal are [^()]*$"):
            await better_of(adviser, able[0], able[0], "xx")
        return [await better_of(adviser, number, number, "move") for number in able]

    async def all_of_them() -> None:
        alone, study = [HERE, AGENT, AGENT], [Seat(kind="study")] * 3
        one, other = await look("a", alone, {0}, False), await look("b", alone, {0}, True)
        assert one == other and all(words.startswith("move: ") for words in one)
        assert await look("c", study, set(), False) != await look("d", study, set(), True), "there nothing is hidden"

    asyncio.run(all_of_them())


def test_a_seat_may_have_every_card_but_the_viewers() -> None:
    game = Game(RULES, seed=4)
    card = int(game.state["missions"][2])
    known = as_known(RULES, game.state, 2)
    assert sorted(known["missions"][:, 0]) == [other for other in range(len(MISSIONS)) if other != card]
    assert sorted(as_known(RULES, game.state, NOBODY)["missions"][:, 0]) == list(range(len(MISSIONS)))
    own = as_known(RULES, game.state, 0)
    assert own["missions"][0, 0] == game.state["missions"][0] and len(own) == 1 and own["seed"] == [0]
    assert as_known(RULES, game.state, EVERYBODY)[0].tobytes() == game.state.tobytes()
    plain = Game(Ruleset(3), seed=4)
    assert len(as_known(plain.ruleset, plain.state, NOBODY)) == 1


def test_the_mean_of_estimates() -> None:
    one = {"likeliest": [["done", 0.9, 0.2], ["income 0", 0.1, None]], "value": 0.4}
    other = {"likeliest": [["income 0", 1.0, 0.5]], "value": None}
    assert mean_of([one, other]) == {"likeliest": [["income 0", 0.55, 0.5], ["done", 0.45, 0.2]], "value": 0.4}
    assert mean_of([one]) is one and mean_of([one, None]) is None
    seats = [[0.4, 0.6, 0.0], [0.1, 0.3, 0.6]]
    assert mean_of([one | {"seats": told} for told in seats])["seats"] == [0.25, 0.45, 0.3]  # type: ignore[index]
    assert "seats" not in mean_of([one | {"seats": seats[0]}, other])  # type: ignore[operator]
