"""Games at a table without a server, whose agents take any legal decision."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from hansa_env import Game, Ruleset
from hansa_env.table.agent_pool import AgentProblem
from hansa_env.table.games import Games
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import Seat
from hansa_env.table.store import Store

HERE, GUEST = Seat(kind="here"), Seat(kind="guest", name="Bob")
AGENT = Seat(kind="agent", agent="greedy")
RULES = Ruleset(2, "second")


def play_on(game: LiveGame, decisions: int, place: int = -1) -> None:
    """Whoever sits at the first two seats takes so many decisions, each the last legal one, or that of another place."""
    for _ in range(decisions):
        game.decide({0, 1}, game.seq, [game.game.legal()[place]])


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


async def dealt(games: Games, *seats: Seat, seed: int | None = 1) -> LiveGame:
    return await games.open(games.deal(RULES, seats, seed, None, pace=0))


def opened_again(games: Games, name: str) -> LiveGame:
    """A game of the file, opened by another server after this one."""
    games.store.close()
    store: Any = Store(games.store.path)
    return LiveGame(store.game(name), store, Chance())  # type: ignore[arg-type]


async def until(condition: Any, pause: float = 0.002) -> None:
    """Looks again after so many seconds."""
    async with asyncio.timeout(300):  # else a test that fails would hang
        while not condition():
            await asyncio.sleep(pause)


async def settled() -> None:
    """Whatever goes on without anybody's doing has gone on."""
    for _ in range(500):
        await asyncio.sleep(0)
