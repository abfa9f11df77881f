"""Records of games that were cut off after so many rounds: at the table they are over, with their result."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from hansa_env import Game, Ruleset
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu
from hansa_env.table.store import Store
from hansa_env.table.view import view_of


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(Store(tmp_path / "games.sqlite"), AgentPool(), AgentMenu())


def cut_off(rounds: int = 2) -> dict:
    game = Game(Ruleset(3), seed=5, max_turns=rounds)
    while not game.over:
        game.play("done")
    return game.record()


def test_a_record_of_a_game_that_was_cut_off_is_over_and_has_its_result(games: Games) -> None:
    async def go() -> None:
        record = cut_off()
        game = await games.open(games.read(json.dumps(record)))
        view = view_of(game.line, len(game.line), game.names)
        assert view["over"] and view["winners"] == record["result"]["winners"] and view["ending"] == "it was cut off"
        assert [one["over"] for one in games.listed()] == [True]
        assert game.record()["result"] == record["result"]
        await games.close()

    asyncio.run(go())


def test_a_record_keeps_the_turn_limit_of_its_game_at_the_table(games: Games) -> None:
    async def go() -> None:
        record = Game(Ruleset(3), seed=5, max_turns=2).record()
        game = await games.open(games.read(json.dumps(record)))
        assert game.game.max_turns == game.record()["max_turns"] == 2
        await games.close()

    asyncio.run(go())


def test_a_branch_of_it_goes_on_past_that(games: Games) -> None:
    async def go() -> None:
        game = await games.open(games.read(json.dumps(cut_off())))
        branch = await games.open(games.branch(game, len(game.line), None, ["done"], None))
        assert not branch.game.over and len(branch.line) == len(game.line) + 1
        await games.close()

    asyncio.run(go())


def test_a_game_without_a_result_goes_on(games: Games) -> None:
    async def go() -> None:
        record = cut_off() | {"max_turns": None, "result": {"reason": None, "scores": None, "winners": None}}
        assert not (await games.open(games.read(json.dumps(record)))).game.over
        await games.close()

    asyncio.run(go())
