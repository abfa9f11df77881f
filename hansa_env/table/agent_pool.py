"""Agents, asked away from the server's loop: each in a process of its own, all tables that wait for it in one call.

A process is started when its agent is first asked. One that takes too long, or goes on with what nobody waits for any more,
is ended, and started again at the next question; what else was asked of it meanwhile is asked again.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

import numpy as np

from hansa_env.play.errors import AgentError
from hansa_env.play.process import block_interrupts
from hansa_env.play.registry import split_spec
from hansa_env.play.specs import as_typed, check_specs_of_file
from hansa_env.ruleset import Ruleset
from hansa_env.table.agent_process import ACT, ESTIMATE, LOAD, MOST_AT_ONCE, PLAY_OUT, Answer, Question, work

#: Seconds that a process may take to start, and to load an agent, beside what the decision may take.
LOADING = 120.0
#: Seconds that a process goes on with what nobody waits for any more: about as many as it takes to start anew.
LEFT_ALONE = 3.0
#: Processes; further agents share them.
MOST_PROCESSES = 4
CLOSED = "the table is being closed"
#: What people wait for is 0.
_URGENCY = {ESTIMATE: 1, PLAY_OUT: 2}
#: Seconds that a question of some purpose may take, by how long the last one took: nothing else is asked meanwhile.
PATIENCE = {ESTIMATE: 2.0, PLAY_OUT: 0.5}


class AgentProblem(ValueError):
    """An agent has no answer: it failed, or took too long; says which agent and what it did."""


@dataclass
class _Waiting:
    """A question about one position, and who waits for the answer."""

    purpose: str
    spec: str
    ruleset: Ruleset
    game: bytes
    seconds: float | None
    future: asyncio.Future
    loop: asyncio.AbstractEventLoop

    @property
    def group(self) -> tuple:
        return self.purpose, self.spec, self.ruleset, self.seconds

    def answer(self, found: object, problem: str | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._settle, found, problem)

    def _settle(self, found: object, problem: str | None) -> None:
        if self.future.done():  # nobody waits any more
            return
        if problem is None:
            self.future.set_result(found)
        else:
            self.future.set_exception(AgentProblem(problem))


class _AgentProcess:
    """A process for some agents, and the thread that talks to it."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._asked: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._pending: list[_Waiting] = []
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._loaded: set[tuple[str, Ruleset]] = set()  # as the last answer told
        self._most: dict[tuple[str, str], int] = {}  # by purpose and spec, positions that are answered within PATIENCE
        self.answered: set[tuple[str, str, Ruleset]] = set()  # purpose, spec, ruleset, by agents that are loaded
        self._closed = False
        self._thread = Thread(target=self._talk, daemon=True)
        self._thread.start()

    def ask(self, waiting: _Waiting) -> None:
        if self._closed:
            waiting.answer(None, CLOSED)
        else:
            self._asked.put(waiting)

    def close(self) -> None:
        """End the process; whatever is still asked is told so."""
        self._closed = True
        self._asked.put(None)

    def join(self) -> None:
        self._thread.join(5)

    def _talk(self) -> None:
        block_interrupts()  # the processes of agents end with the server
        while self._collect():
            group = self._next_group()
            if group and not self._settle(group):
                self._pending += group
                break
        self._end_process()
        while not self._asked.empty():
            self._pending += filter(None, [self._asked.get()])
        for waiting in self._pending:
            waiting.answer(None, CLOSED)

    def _settle(self, group: list[_Waiting]) -> bool:
        """Get answers for a group; what one position of it spoils is asked one by one. False when the table was closed."""
        began = monotonic()
        try:
            answer = self._ask_process(group)
        except Exception:  # what came is no answer: the process died while it wrote, or the agent wrote into its pipe
            self._end_process()
            answer = Answer([], f"{group[0].spec}: its process died; an agent crashed it, or memory ran out")
        if answer is None:
            return False
        purpose, spec = group[0].purpose, group[0].spec
        if purpose in PATIENCE:
            most = int(PATIENCE[purpose] / max(monotonic() - began, 0.001) * len(group))
            self._most[purpose, spec] = max(1, min(MOST_AT_ONCE, most))
        if answer.fault and len(group) > 1:
            return all(waiting.future.done() or self._settle([waiting]) for waiting in group)
        for row, waiting in enumerate(group):
            waiting.answer(None if answer.fault else answer.found[row], answer.fault)
        return True

    def _collect(self) -> bool:
        """Wait until something is asked, and take all of it; False at the end."""
        waiting = None
        if not self._pending:
            waiting = self._asked.get()
        while True:
            if waiting is not None:
                self._pending.append(waiting)
            if self._closed:
                return False
            try:
                waiting = self._asked.get_nowait()
            except Empty:
                return True

    def _next_group(self) -> list[_Waiting]:
        """What is asked of one agent: decisions that a game waits for before estimates, and those before what is played out."""
        self._pending = [waiting for waiting in self._pending if not waiting.future.done()]
        if not self._pending:
            return []
        first = min(self._pending, key=lambda waiting: _URGENCY.get(waiting.purpose, 0))
        most = self._most.get((first.purpose, first.spec), 1) if first.purpose in PATIENCE else MOST_AT_ONCE
        group = [waiting for waiting in self._pending if waiting.group == first.group][:most]
        taken = set(map(id, group))
        self._pending = [waiting for waiting in self._pending if id(waiting) not in taken]
        return group

    def _ask_process(self, group: list[_Waiting]) -> Answer | None:
        """What it answers; None when the table was closed."""
        first = group[0]
        if self._process is None or not self._process.is_alive():
            self._start_process()
        patience = None if first.seconds is None else first.seconds * len(group)
        if (first.spec, first.ruleset) not in self._loaded:
            loaded = self._exchange([], Question(LOAD, first.spec, first.ruleset, b""), None if patience is None else LOADING)
            if loaded is None or loaded.fault:
                return loaded
            patience = None if patience is None else patience + LOADING  # some is loaded at the first question only
        question = Question(first.purpose, first.spec, first.ruleset, b"".join(waiting.game for waiting in group))
        answer = self._exchange(group, question, patience)
        if answer is not None and not answer.fault:
            self.answered.add((first.purpose, first.spec, first.ruleset))
        return answer

    def _exchange(self, group: list[_Waiting], question: Question, patience: float | None) -> Answer | None:
        """Ask something for a group, or to load an agent for it (of which no position waits). What takes more seconds than
        `patience`, or is of a group for which nobody waits any more, ends the process."""
        assert self._pipe is not None
        self._pipe.send(question)
        began = waited_for = monotonic()
        while not self._pipe.poll(0.2):  # also looks whether the table was closed meanwhile
            now = monotonic()
            if self._closed:
                return None
            if patience is not None and now > began + patience:
                self._end_process()
                seconds = group[0].seconds if group else patience
                return Answer([], f"{question.spec} took more than {seconds:g} seconds{'' if group else ' to load'}")
            if not group or any(not waiting.future.done() for waiting in group):
                waited_for = now
            elif now > waited_for + LEFT_ALONE:
                self._end_process()
                return Answer([], f"nobody waits for {question.spec} any more")
        answer = self._pipe.recv()
        if not isinstance(answer, Answer) or (answer.fault is None and len(answer.found) < len(group)):
            raise EOFError
        self._loaded = set(answer.loaded)
        self.answered = {one for one in self.answered if one[1:] in self._loaded}
        return answer

    def _start_process(self) -> None:
        context = get_context("spawn")  # a fork would take over threads of compiled code and of torch in any state
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._loaded.clear()

    def _end_process(self) -> None:
        self.answered.clear()
        if self._process is not None and self._process.is_alive():
            _kill_with_children(self._process)
            self._process.join(5)


def _kill_with_children(process: BaseProcess) -> None:
    """End a process, and what it has started where that can be known (not on Windows)."""
    assert process.pid is not None
    try:
        os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own as soon as it works
    except (AttributeError, ProcessLookupError):
        process.kill()


class AgentPool:
    """All agents of a server.

    Args:
        named: specs that were given at the start; no others may run code, whatever asks for them.
    """

    def __init__(self, named: Sequence[str] = ()) -> None:
        self._named = frozenset(named)
        self._processes: list[_AgentProcess] = []
        self._closed = False

    async def decide(self, spec: str, ruleset: Ruleset, game: np.void, seconds: float | None) -> int:
        """The action index of an agent at a position; `seconds` = its time, None = as long as it likes. Raises AgentProblem."""
        return await self._ask(ACT, spec, ruleset, game.tobytes(), seconds)

    async def estimates(
        self, spec: str, ruleset: Ruleset, games: Sequence[np.void], seconds: float | None
    ) -> list[dict | None]:
        """What an agent thinks of positions, as `hansa_env.play.estimates.in_notation` writes it. Raises AgentProblem."""
        asked = [self._ask(ESTIMATE, spec, ruleset, game.tobytes(), seconds) for game in games]
        try:
            return list(await asyncio.gather(*asked))
        finally:
            for one in asked:  # where one has failed, nobody waits for the others
                one.cancel()

    async def play_out(self, spec: str, ruleset: Ruleset, game: np.void, seconds: float) -> int:
        """The same as `decide`, after everything that people wait for. Raises AgentProblem."""
        return await self._ask(PLAY_OUT, spec, ruleset, game.tobytes(), seconds)

    def is_ready(self, spec: str, ruleset: Ruleset) -> bool:
        """Whether an agent has made an estimate before: it is loaded and compiled, and the next takes as long as it thinks."""
        return any((ESTIMATE, spec, ruleset) in process.answered for process in self._processes)

    def prepare(self, spec: str, ruleset: Ruleset) -> None:
        """Load an agent ahead of its first decision; whether it can be loaded is told at that."""
        waiting = self._ask(LOAD, spec, ruleset, b"", None)
        waiting.add_done_callback(lambda future: future.cancelled() or future.exception())

    def _ask(self, purpose: str, spec: str, ruleset: Ruleset, game: bytes, seconds: float | None) -> asyncio.Future:
        loop = asyncio.get_running_loop()
        waiting = _Waiting(purpose, spec, ruleset, game, seconds, loop.create_future(), loop)
        problem = CLOSED if self._closed else self._refusal(spec)
        if problem is not None:
            waiting.future.set_exception(AgentProblem(problem))
        else:
            self._process_of(spec).ask(waiting)
        return waiting.future

    def _refusal(self, spec: str) -> str | None:
        """Why an agent is not asked: seats come from the file of games, and what is in it is data."""
        try:
            check_specs_of_file([spec], "the games of this table", self._named, f"hansa table --agent {as_typed(spec)}")
        except AgentError as error:
            return str(error)
        return None

    def _process_of(self, spec: str) -> _AgentProcess:
        name, _ = split_spec(spec)
        process = next((process for process in self._processes if name in process.names), None)
        if process is None and len(self._processes) < MOST_PROCESSES:
            process = _AgentProcess()
            self._processes.append(process)
        if process is None:
            process = min(self._processes, key=lambda process: len(process.names))
        process.names.add(name)
        return process

    def close(self) -> None:
        """End all processes; what is still asked is told so."""
        self._closed = True
        for process in self._processes:
            process.close()
        for process in self._processes:
            process.join()
