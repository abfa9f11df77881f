"""Where the agents of a match live: in this process, or in one of their own that can be ended and begun again."""

from __future__ import annotations

import logging
import os
import sys
import threading
from abc import abstractmethod
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, suppress
from math import inf
from typing import Any

import cloudpickle
import numpy as np

from hansa_agents.entrants import Entrant
from hansa_agents.in_agent_process import ACT, BRING, ESTIMATE, FAILED, LATE, MAKE, TABLE
from hansa_agents.line_ups import MatchError
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine.results import masks_of
from hansa_env.play.agents import inputs_for
from hansa_env.play.errors import AgentError, NoAnswer, OutOfTime, said
from hansa_env.play.estimates import Estimate
from hansa_env.play.process import AnsweringProcess, ProcessDied
from hansa_env.play.registry import Factory, registered, split_spec

log = logging.getLogger(__name__)
#: Seconds, at least, that an agent may take to be made and to begin where its time is limited: it may have to compile.
FIRST_ANSWER = 120.0
#: Seconds of waiting for an agent whose time is limited, after which it is said who is waited for, and how long at most.
NOTICE = 10.0
#: Seconds beyond its time after which an agent that cannot be interrupted is ended with its process.
GRACE = 1.0


class AgentDied(NoAnswer):
    """The process of an agent ended while it was asked."""


class Seating(AbstractContextManager):
    """The agents of a match, from entering the context to leaving it.

    Attributes:
        ruleset: what they play; entrants: who they are.
        never_began: places of agents that gave no first answer; nobody waits for another of theirs as long.
    """

    def __init__(self, ruleset: Ruleset, entrants: Sequence[Entrant]) -> None:
        self.ruleset, self.entrants = ruleset, tuple(entrants)
        self.never_began: set[int] = set()

    @abstractmethod
    def make(self) -> list[Agent]:
        """The agents, made anew. Raises AgentError: which cannot be made; MatchError: which cannot be sent."""

    def warm_up(self, place: int) -> None:
        """Let an agent load what it needs, as it does at its first question, before its time counts. Raises NoAnswer."""
        return None

    def end(self) -> None:
        """Let go of what they take; they can be made anew still."""
        return None

    def __exit__(self, *_: object) -> None:
        self.end()


class SameProcess(Seating):
    """In this process."""

    def make(self) -> list[Agent]:
        return [entrant.make(self.ruleset) for entrant in self.entrants]


class OwnProcess(Seating):
    """In a process of their own: what ends it, or does not end, is the failure of the agent that was asked.

    It is begun again then, with those that are asked next. So a match goes on whatever agents do.

    Attributes:
        seconds: that each agent may take for a decision, None = as long as it likes; of a call for many estimates they add up.
    """

    def __init__(
        self, ruleset: Ruleset, entrants: Sequence[Entrant], seconds: Sequence[float | None], never_began: Collection[int] = ()
    ) -> None:  # fmt: skip
        super().__init__(ruleset, entrants)
        self.seconds = seconds
        self.never_began.update(never_began)
        self._process: AnsweringProcess | None = None
        self._faultless = True
        self._there: dict[int, _Elsewhere] = {}
        self._said: dict[int, tuple] = {}
        self._warm: set[int] = set()
        self._told: set[int] = set()
        try:
            self._given = cloudpickle.dumps((ruleset, self.entrants, _factories(self.entrants)))
        except Exception as error:
            raise MatchError(
                f"an agent cannot be sent to another process, where agents play that may forfeit or whose time is limited "
                f"({said(error)}); give it by spec, or play with on_fault='raise' and no timeout"
            ) from error

    def make(self) -> list[Agent]:
        self._there.clear()
        return [self._seated_again(place) for place in range(len(self.entrants))]

    def warm_up(self, place: int) -> None:
        limit = self.seconds[place]
        if limit is None or place in self._warm:
            return
        agent, games = self._to_be_asked(place), HansaBatch(1, self.ruleset).games
        self._warm.add(place)
        patience = max(limit, FIRST_ANSWER)
        try:
            inputs = inputs_for(agent, self.ruleset, games)
            self._asked(ACT, place, patience, inputs, masks_of(self.ruleset, games), games["seat"].copy())
        except OutOfTime:
            self.never_began.add(place)
            raise NoAnswer(f"took longer than {patience:g} s to begin") from None
        except NoAnswer:
            self.never_began.add(place)
            raise

    def ask(self, purpose: str, place: int, *question: np.ndarray) -> Any:
        """What an agent answers about positions, its inputs, masks and seats. Raises NoAnswer, OutOfTime."""
        self._to_be_asked(place)
        with suppress(NoAnswer):  # if it does not begin it may answer still
            if place not in self.never_began:
                self.warm_up(place)
        self._to_be_asked(place)
        limit = self.seconds[place]
        return self._asked(purpose, place, None if limit is None else limit * len(question[0]), *question)

    def end(self) -> None:
        """End the process; the next question begins another."""
        if self._process is not None:
            self._process.end()
        self._forget()

    def __exit__(self, *error: object) -> None:
        if self._process is not None and self._faultless and error[0] is None:
            _leave(self._process)
            self._forget()
        self.end()

    def _forget(self) -> None:
        self._process = None
        self._there.clear()
        self._warm.clear()

    def _seated_again(self, place: int) -> _Elsewhere:
        """An agent that could be made once keeps its seat, as what it said it was, and fails where it is asked; its games are
        lost then, and not the match. Raises AgentError, of one that could not."""
        try:
            return self._seated(place)
        except AgentError:
            if place not in self._said:
                raise
            return _Elsewhere(self, place, self.entrants[place].name, *self._said[place])

    def _to_be_asked(self, place: int) -> _Elsewhere:
        """`_seated` for a question. Raises NoAnswer where the agent cannot be made again."""
        try:
            return self._seated(place)
        except AgentError as error:
            raise NoAnswer(f"could not be made again: {error}") from error

    def _seated(self, place: int) -> _Elsewhere:
        """An agent, made where it is not there. Raises AgentError."""
        if place in self._there:
            return self._there[place]
        name, limit = self.entrants[place].name, self.seconds[place]
        patience = None if limit is None else max(limit, FIRST_ANSWER)
        try:
            if self._process is None:
                self._process = _taken() or AnsweringProcess(TABLE)
                self._asked(BRING, place, patience, self._given)
            made = self._asked(MAKE, place, patience)
        except OutOfTime:
            raise AgentError(f"agent {name!r} took longer than {patience:g} s to be made") from None
        except AgentDied as error:
            raise AgentError(f"agent {name!r} {error} while it was made") from error
        except NoAnswer as error:
            raise AgentError(str(error)) from error
        self._warm.discard(place)
        self._said[place] = made
        self._there[place] = _Elsewhere(self, place, name, *made)
        return self._there[place]

    def _asked(self, purpose: str, place: int, seconds: float | None, *question: Any) -> Any:
        assert self._process is not None
        self._process.send((purpose, place, seconds, *question))
        before, self._faultless = self._faultless, False
        if not self._answers_within(inf if seconds is None else seconds + GRACE, place):
            self.end()
            raise OutOfTime
        try:
            how, found = self._process.take()
        except ProcessDied as death:
            self.end()
            raise AgentDied(f"ended its process ({death})") from death
        if how == LATE:
            raise OutOfTime
        if how == FAILED:
            raise NoAnswer(found)
        self._faultless = before
        return found

    def _answers_within(self, seconds: float, place: int) -> bool:
        """Whether an answer comes in time. Of an agent that is waited for long it is said once."""
        assert self._process is not None
        if place in self._told or not NOTICE < seconds < inf:
            return self._process.ready(seconds)
        if self._process.ready(NOTICE):
            return True
        self._told.add(place)
        log.warning(
            "waiting for agent %r, which has not answered for %g s; its process is ended after %g s (a first answer may take "
            "%g s, to compile)", self.entrants[place].name, NOTICE, seconds, FIRST_ANSWER,
        )  # fmt: skip
        return self._process.ready(seconds - NOTICE)


#: A process that a match without a failure has left, for the next one that begins in the same surroundings: to start one
#: takes seconds.
_left: tuple[tuple, AnsweringProcess] | None = None


def _surroundings() -> tuple:
    return os.getpid(), threading.get_ident(), os.getcwd(), tuple(sys.path), tuple(sorted(os.environ.items()))


def _leave(process: AnsweringProcess) -> None:
    global _left
    there, _left = _left, (_surroundings(), process)
    if there is not None and there[0][0] == os.getpid():
        there[1].end()


def _taken() -> AnsweringProcess | None:
    global _left
    there, _left = _left, None
    if there is None or there[0][0] != os.getpid():  # a fork's is its parent's
        return None
    if there[0] == _surroundings() and not there[1].has_ended():
        return there[1]
    there[1].end()
    return None


class _Elsewhere(Agent):
    """An agent in another process, as it is asked here."""

    model_hash: str | None = None

    def __init__(
        self, seating: OwnProcess, place: int, name: str, sees: str, estimate_sees: str | None, sees_hidden: bool,
        model: str | None,
    ) -> None:  # fmt: skip
        self.seating, self.place, self.name = seating, place, name
        self.sees, self.estimate_sees, self.sees_hidden, self.model_hash = sees, estimate_sees, sees_hidden, model

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """As of `Agent`. Raises NoAnswer, OutOfTime."""
        return self.seating.ask(ACT, self.place, inputs, masks, seats)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate | None:
        """As of `Agent`. Raises NoAnswer."""
        try:
            return self.seating.ask(ESTIMATE, self.place, inputs, masks, seats)
        except OutOfTime:
            raise NoAnswer(f"took longer than {self.seating.seconds[self.place]:g} s an estimate") from None


def _factories(entrants: Sequence[Entrant]) -> dict[str, Factory | str]:
    """What this process has registered of the agents that specs name."""
    wanted = {split_spec(entrant.spec)[0] for entrant in entrants if entrant.agent is None}
    return {name: factory for name, factory in registered().items() if name in wanted}
