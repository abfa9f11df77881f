"""Agents in their processes: many tables in one call, what fails or takes too long, and what it leaves alone."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from hansa_env import Game, Ruleset
from hansa_env.play.agents import Agent
from hansa_env.play.estimates import Estimate
from hansa_env.table import agent_pool
from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.agent_process import ESTIMATE, KEPT, LOAD, Answer, Question
from tests.table.chance import until

RULES = Ruleset(2, "second")


class Trying(Agent):
    """The last legal decision; at the beginning of a game it never answers, raises, dies or
    writes into its pipe, or starts a process that writes into a file, as its argument says."""

    def __init__(self, ruleset: Ruleset, argument: str = "") -> None:
        self.argument, self.calls = argument, 0

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.calls += 1
        if (inputs["turns"] == 0).any():
            if self.argument == "slow":
                Event().wait()
            if self.argument == "raises":
                raise ArithmeticError("no idea")
            if self.argument == "dies":
                os._exit(3)
            if self.argument.startswith("/"):
                subprocess.Popen(["sh", "-c", 'exec > "$0"; echo begun; exec sleep 600', self.argument])
                Event().wait()
            if self.argument == "writes":
                pipe_of_this_process().send_bytes(b"no answer")
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """How often it was asked before is told in the value; it never ends at the beginning of a game if it "ponders"."""
        if self.argument.startswith("ponders") and (inputs["turns"] == 0).any():
            Path(self.argument.partition(":")[2]).touch()
            Event().wait()
        shares = masks / masks.sum(1, keepdims=True)
        return Estimate(shares.astype(np.float32), np.full(len(seats), self.calls / 100, np.float32))


def pipe_of_this_process() -> Connection:
    """What the process of an agent answers through."""
    return next(found for found in gc.get_objects() if isinstance(found, Connection))


def spec(argument: str = "") -> str:
    return f"{__name__}:Trying" + (f":{argument}" if argument else "")


#: Named where the pool is made, as by `hansa table --agent`.
KNOWN = [spec(argument) for argument in ("", "raises", "dies", "writes", "slow")]


def positions(count: int) -> list[Game]:
    """Games after their first turn, and so many decisions more."""
    games = []
    for number in range(count):
        game = Game(RULES, seed=number)
        while game.state["turns"] == 0 or len(game.decisions) < 6 + number:
            game.play(next(text for text in game.legal() if text.startswith(("place", "done", "income"))))
        games.append(game)
    return games


def test_questions_of_many_tables_go_in_few_calls_and_come_back_to_theirs() -> None:
    async def ask() -> None:
        pool = AgentPool(KNOWN)
        games = positions(20)
        answers = await asyncio.gather(*(pool.decide(spec(), RULES, game.state, None) for game in games))
        assert list(answers) == [game.legal_actions()[-1] for game in games]
        (found,) = await pool.estimates(spec(), RULES, [games[0].state], None)
        assert found is not None and 0 < 100 * found["value"] < 20, "twenty questions, each in a call of its own"
        assert abs(sum(share for _, share, _ in found["likeliest"]) - 1) < 0.05
        pool.close()

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("raises", "ArithmeticError: no idea"),
        ("dies", "its process died"),
        pytest.param("writes", "its process died", marks=pytest.mark.slow),
    ],
)
def test_what_one_table_spoils_is_told_to_that_table_alone(argument: str, said: str) -> None:
    async def ask() -> None:
        pool = AgentPool(KNOWN)
        good, bad = positions(2), Game(RULES)
        asked = [pool.decide(spec(argument), RULES, game.state, None) for game in (good[0], bad, good[1])]
        first, second, third = await asyncio.gather(*asked, return_exceptions=True)
        assert (first, third) == (good[0].legal_actions()[-1], good[1].legal_actions()[-1])
        assert isinstance(second, AgentProblem) and said in str(second) and "\n" not in str(second)
        pool.close()

    asyncio.run(ask())


def test_an_agent_that_takes_too_long_is_ended_and_answers_the_next() -> None:
    async def ask() -> None:
        pool = AgentPool(KNOWN)
        (good,) = positions(1)
        await pool.decide(spec("slow"), RULES, good.state, 1.0)
        with pytest.raises(AgentProblem, match=r"took more than 0\.5 seconds"):
            await pool.decide(spec("slow"), RULES, Game(RULES).state, 0.5)
        assert await pool.decide(spec("slow"), RULES, good.state, 1.0) == good.legal_actions()[-1]
        pool.close()

    asyncio.run(ask())


def test_what_nobody_waits_for_any_more_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_pool, "LEFT_ALONE", 0.2)

    async def ask() -> None:
        pondering = spec(f"ponders:{tmp_path / 'begun'}")
        pool = AgentPool([pondering])
        (good,) = positions(1)
        try:
            left = asyncio.ensure_future(pool.estimates(pondering, RULES, [Game(RULES).state] * 2, None))
            await until((tmp_path / "begun").exists)
            left.cancel()
            decided = await asyncio.wait_for(pool.decide(pondering, RULES, good.state, None), 120)
            assert decided == good.legal_actions()[-1]
        finally:
            await asyncio.to_thread(pool.close)

    asyncio.run(ask())


def test_a_question_takes_up_as_many_positions_as_leave_others_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a decision would wait until an agent that thinks long has estimated a whole game."""
    monkeypatch.setattr(agent_pool, "PATIENCE", {ESTIMATE: 0.0})
    asked, ask_process = [], agent_pool._AgentProcess._ask_process

    def noted(process: agent_pool._AgentProcess, group: list) -> Answer | None:
        asked.append(len(group))
        return ask_process(process, group)

    monkeypatch.setattr(agent_pool._AgentProcess, "_ask_process", noted)

    async def ask() -> None:
        pool = AgentPool(KNOWN)
        found = await pool.estimates(spec(), RULES, [game.state for game in positions(4)], 60)
        assert len(found) == 4 and asked == [1, 1, 1, 1]
        pool.close()

    asyncio.run(ask())


def test_an_agent_that_made_room_for_others_is_loaded_again_and_is_not_ready_before(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, exchange = [], agent_pool._AgentProcess._exchange

    def noted(process: agent_pool._AgentProcess, group: list, question: Question, patience: float | None) -> Answer | None:
        if question.purpose == LOAD:
            loaded.append(question.spec)
        return exchange(process, group, question, patience)

    monkeypatch.setattr(agent_pool._AgentProcess, "_exchange", noted)

    async def ask() -> None:
        several = [spec(f"number {number}") for number in range(KEPT + 1)]
        pool = AgentPool(several)
        (game,) = positions(1)
        try:
            for each in several[:-1]:
                await pool.estimates(each, RULES, [game.state], None)
            await pool.decide(several[0], RULES, game.state, None)
            assert all(pool.is_ready(each, RULES) for each in several[:-1])
            await pool.decide(several[-1], RULES, game.state, None)
            assert pool.is_ready(several[0], RULES) and not pool.is_ready(several[1], RULES)
            await pool.decide(several[1], RULES, game.state, None)
            assert loaded == [*several, several[1]]
        finally:
            await asyncio.to_thread(pool.close)

    asyncio.run(ask())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with groups of processes")
def test_what_an_agent_has_started_ends_with_it(tmp_path: Path) -> None:
    async def ask() -> None:
        os.mkfifo(held := tmp_path / "held")
        pool = AgentPool([spec(str(held))])
        waiting = asyncio.ensure_future(pool.decide(spec(str(held)), RULES, Game(RULES).state, None))
        with subprocess.Popen(["cat", held], stdout=subprocess.PIPE) as reading:  # to the end: nobody holds it open any more
            assert reading.stdout is not None and await asyncio.to_thread(reading.stdout.readline) == b"begun\n"
            pool.close()
            try:
                assert reading.wait(60) == 0
            finally:
                reading.kill()
        with pytest.raises(AgentProblem, match="being closed"):
            await waiting

    asyncio.run(ask())


def test_an_agent_that_cannot_be_made_is_told_in_a_line() -> None:
    async def ask() -> None:
        pool = AgentPool(KNOWN)
        with pytest.raises(AgentProblem, match="unknown agent 'nobody'"):
            await pool.decide("nobody", RULES, Game(RULES).state, None)
        pool.close()

    asyncio.run(ask())


def test_whoever_waits_when_the_table_is_closed_is_told() -> None:
    async def ask() -> None:
        pool = AgentPool(KNOWN)
        waiting = []
        for number in range(3):  # the first is being asked; the others have not been taken up yet
            waiting.append(asyncio.ensure_future(pool.decide(spec("slow"), RULES, Game(RULES).state, None)))
            if number == 0:
                await until(lambda: any(process._loaded or process._process for process in pool._processes))
        await asyncio.to_thread(pool.close)
        waiting.append(asyncio.ensure_future(pool.decide(spec("slow"), RULES, Game(RULES).state, None)))
        for one in waiting:
            with pytest.raises(AgentProblem, match="being closed"):
                await one

    asyncio.run(ask())


def test_who_was_not_named_at_the_start_is_not_asked_whatever_the_file_of_games_says() -> None:
    async def ask() -> None:
        pool = AgentPool([spec("slow")])
        for asked in (spec(), f"{spec('slow')}x", "ppo:gift.zip:trust", "nowhere:Bot"):
            with pytest.raises(AgentProblem, match=f"agent '{asked}' runs code.*name it: hansa table --agent {asked}$"):
                await pool.decide(asked, RULES, Game(RULES).state, None)
        assert not pool._processes, "no process was started for them"
        pool.close()

    asyncio.run(ask())
