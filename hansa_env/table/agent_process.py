"""The process that agents live in: it answers questions about positions, a group of one agent's at a time.

It ends with the server, whatever happens to that: its end of the pipe closes.
"""

from __future__ import annotations

import os
import signal
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NamedTuple

import numpy as np

from hansa_env.engine import state
from hansa_env.play.agents import Agent, ask_agents
from hansa_env.play.errors import TOLD
from hansa_env.play.estimates import estimate_games, in_notation
from hansa_env.play.process import die_with_parent
from hansa_env.play.registry import make_agent
from hansa_env.ruleset import Ruleset

ACT, ESTIMATE, LOAD, PLAY_OUT = "act", "estimate", "load", "play out"
#: Games in one question.
MOST_AT_ONCE = 64
#: Decisions of a position that an estimate names: all there can be.
EVERY = 500
#: Agents that are kept loaded, the last used.
KEPT = 8
#: Of every agent. What it draws follows from the game as well, and games are dealt by seeds of their own.
SEED = 0


class Question(NamedTuple):
    """What one agent is asked: `games` are the bytes of game records, one after the other; `purpose` is ACT, PLAY_OUT (the
    same where nobody waits for it), ESTIMATE, or LOAD: nothing yet."""

    purpose: str
    spec: str
    ruleset: Ruleset
    games: bytes


class Answer(NamedTuple):
    """By game, action indices or estimates as `in_notation` writes them (None: the agent has none), or in `fault` why not; and
    the agents that are loaded from now on, with the rulesets that they play."""

    found: list
    fault: str | None
    loaded: tuple[tuple[str, Ruleset], ...] = ()


def work(connection: Connection) -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us
    if hasattr(os, "setsid"):
        os.setsid()  # with us it ends what agents have started
        die_with_parent()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the server and other agents want a processor too
    agents: OrderedDict[tuple[str, Ruleset], Agent] = OrderedDict()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            answer = _answer(connection.recv(), agents)
            connection.send(answer._replace(loaded=tuple(agents)))


def _answer(question: Question, agents: OrderedDict[tuple[str, Ruleset], Agent]) -> Answer:
    try:
        agent = _agent(question, agents)
        if question.purpose == LOAD:
            return Answer([None] * MOST_AT_ONCE, None)
        games = _games(question.games)
        if question.purpose in (ACT, PLAY_OUT):
            actions = ask_agents([agent], np.zeros(len(games), np.int64), question.ruleset, games)
            return Answer(actions.tolist(), None)
        estimate = estimate_games(agent, question.ruleset, games)
        if estimate is None:
            return Answer([None] * len(games), None)
        found = [in_notation(question.ruleset, games[row], estimate, row, EVERY) for row in range(len(games))]
        return Answer(found, None)
    except TOLD as error:
        return Answer([], str(error))
    except Exception as error:
        return Answer([], f"{question.spec}: {type(error).__name__}: {error!s:.200}")


def _agent(question: Question, agents: OrderedDict[tuple[str, Ruleset], Agent]) -> Agent:
    key = question.spec, question.ruleset
    if key not in agents:
        agents[key] = make_agent(question.spec, question.ruleset, SEED)
    agents.move_to_end(key)
    while len(agents) > KEPT:
        agents.popitem(last=False)
    return agents[key]


def _games(data: bytes) -> np.ndarray:
    games = state.new_games(len(data) // state.GAME.itemsize)
    games.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    return games
