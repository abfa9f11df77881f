"""The agents at a game: they answer when it is their turn, wait when they are told to, and stop when one of them fails."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Protocol

from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.errors import Refused
from hansa_env.table.game_history import Line
from hansa_env.table.seats import AGENT, Seat
from hansa_env.table.store import KeptGame


class GameOfAgents(Protocol):
    """What they need of the game that they play; attributes as of `LiveGame`."""

    kept: KeptGame
    seats: list[Seat]
    line: Line
    seq: int
    pace: float

    @property
    def is_held_up(self) -> bool:
        """Agents wait for people, who decide, agree or watch."""

    def decide_by_agent(self, action: int) -> None:
        """Play an action index. Raises Refused."""

    def tell_status(self) -> None:
        """What they do is another thing now."""


class SeatedAgents:
    """The agents of one game.

    Args:
        game: whose.
        pool: who asks them.

    Attributes:
        paused: they wait.
        thinking: the seat whose agent is being asked.
        problem: why they stopped.
    """

    def __init__(self, game: GameOfAgents, pool: AgentPool) -> None:
        self._game, self._pool = game, pool
        self.paused, self._steps = False, 0
        self.thinking: int | None = None
        self.problem: str | None = None
        self._changed = asyncio.Event()
        self._answering: asyncio.Task | None = None

    def start(self) -> None:
        """They begin to answer, and go on until they are stopped."""
        for spec in {seat.agent for seat in self._game.seats if seat.kind == AGENT}:
            self._pool.prepare(spec, self._game.line.ruleset)
        if self._answering is None and any(seat.kind == AGENT for seat in self._game.seats):
            self._answering = asyncio.create_task(self._answer())

    async def stop(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
            with suppress(asyncio.CancelledError):
                await self._answering

    def set_paused(self, paused: bool) -> None:
        self.paused, self._steps = paused, 0
        self.look_again()

    def step(self) -> None:
        """One decision of an agent; from then on they wait."""
        self.paused, self._steps = True, 1
        self.look_again()

    def try_again(self) -> None:
        """Ask the agent that failed once more, or go on after anything else has happened in the game."""
        self.problem = None  # it was one of the position before
        self.look_again()

    def look_again(self) -> None:
        """Something that they go by is another; who listens is told."""
        self.wake()
        self._game.tell_status()

    def wake(self) -> None:
        """Look again whether to go on; nobody is told."""
        self._changed.set()

    def _to_move(self) -> str | None:
        """The agent that is to be asked now."""
        seat = self._game.line.game.seat
        if seat is None or self.problem or self._game.is_held_up or (self.paused and not self._steps):
            return None
        return self._game.seats[seat].agent or None

    async def _answer(self) -> None:
        while True:
            spec = self._to_move()
            if spec is None:
                await self._changed.wait()
                self._changed.clear()
            else:
                await self._one_answer(spec)

    async def _one_answer(self, spec: str) -> None:
        """Ask an agent and play its decision, unless something else happens in the meantime."""
        game = self._game
        seq, began = game.seq, monotonic()
        self.thinking = game.line.game.seat
        game.tell_status()
        try:
            action = await self._decision(spec, seq)
            await self._wait_for_pace(seq, began)
        except AgentProblem as problem:
            if game.seq == seq:
                self.problem = str(problem)
            return
        finally:
            self.thinking = None
            game.tell_status()
        if action is None or game.seq != seq or self._to_move() != spec:
            return
        self._steps = 0
        try:
            game.decide_by_agent(action)
        except Refused as refused:
            self.problem = str(refused)
            game.tell_status()

    async def _decision(self, spec: str, seq: int) -> int | None:
        """What an agent decides; None as soon as the game has gone on since the event `seq`. Raises AgentProblem."""
        game = self._game
        asked = asyncio.ensure_future(self._pool.decide(spec, game.line.ruleset, game.line.records[-1], game.kept.clock))
        asked.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        gone = asyncio.ensure_future(self._gone_on(seq))
        try:
            await asyncio.wait((asked, gone), return_when=asyncio.FIRST_COMPLETED)
            return None if gone.done() else asked.result()
        finally:
            asked.cancel()
            gone.cancel()

    async def _gone_on(self, seq: int) -> None:
        """Wait until something else has happened in the game."""
        while self._game.seq == seq:
            self._changed.clear()
            await self._changed.wait()

    async def _wait_for_pace(self, seq: int, began: float) -> None:
        """Wait until a decision that was begun then may be shown; a change of pace counts at once."""
        while self._game.seq == seq and not self._steps and (left := began + self._game.pace - monotonic()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
