"""The luck of the markers: what came less the mean of what could have come, by seat, together 0."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.engine import state
from hansa_env.formats.errors import RecordError
from hansa_env.play.agents import Agent, Estimate
from hansa_env.play.judge import judge_luck
from hansa_env.play.luck import draws_of, luck_of, luck_together
from hansa_env.play.registry import make_agent
from hansa_env.ruleset import MARKER_KINDS

FOUR = MARKER_KINDS.index("+4")


class LikesFours(Agent):
    """Thinks that seat 0 wins two thirds while a marker +4 lies on the board, else a third; the others share the rest."""

    sees = "games"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.ruleset = ruleset

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        first = np.where((inputs["route_marker"] == FOUR).any(axis=1), 2 / 3, 1 / 3)
        every = np.stack([first, (1 - first) / 2, (1 - first) / 2], axis=1).astype(np.float32)
        shares = (masks / masks.sum(1, keepdims=True)).astype(np.float32)
        return Estimate(shares, every[np.arange(len(seats)), seats], np.where(masks, 0.5, np.nan).astype(np.float32), every)


class LikesFoursSilently(LikesFours):
    """The same, but it keeps to itself what it thinks of the others."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        return super().estimate(inputs, masks, seats)._replace(seat_values=None)


@pytest.fixture(scope="module")
def game() -> Game:
    """Played to its end by agents that claim routes with markers."""
    return Game.from_record(play_game(["greedy"], Ruleset(3), seed=3).record())


def positions(game: Game, kind: int | None = None) -> np.ndarray:
    """The game records of a game; with a kind, as it would stand were all of the pile of that kind."""
    again, found = game.rewound(0), state.new_games(len(game.decisions) + 1)
    for number, (_, text) in enumerate(game.decisions):
        found[number] = again.state
        again.play(text)
    found[-1] = again.state
    if kind is not None:
        found["pile"][found["pile"] >= 0] = kind
    return found


def texts(game: Game) -> list[str]:
    return [text for _, text in game.decisions]


def test_every_marker_of_the_pile_is_drawn_once_and_in_its_order(game: Game) -> None:
    draws = draws_of(game.ruleset, positions(game), texts(game))
    seen = [kind for draw in draws for kind in draw.markers]
    assert len(draws) > 5 and seen == game.setup["pile"][: len(seen)]
    for draw in draws:
        routes = draw.positions["route_marker"][draw.came]
        assert (routes == positions(game)[draw.after]["route_marker"]).all(), "this one came"


def test_what_could_have_come_is_every_hidden_marker_as_likely_as_it_is_often_there(game: Game) -> None:
    seen: list[str] = []
    for draw in draws_of(game.ruleset, positions(game), texts(game)):
        if len(draw.markers) > 1:
            continue
        left = game.setup["pile"][len(seen) :]
        chances = {}
        for record, chance in zip(draw.positions, draw.chances):
            new = np.bincount(record["route_marker"] + 1, minlength=len(MARKER_KINDS) + 1)
            old = np.bincount(draw.positions[0]["route_marker"] + 1, minlength=len(MARKER_KINDS) + 1)
            kind = np.flatnonzero(new > old)
            chances[MARKER_KINDS[kind[0] - 1] if len(kind) else None] = chance
        first = (set(left) - set(chances)).pop()
        chances[first] = chances.pop(None)
        assert chances == {kind: pytest.approx(left.count(kind) / len(left)) for kind in set(left)}
        seen += draw.markers
    assert len(seen) > 5


def test_luck_is_what_came_less_the_mean_and_sums_to_0(game: Game) -> None:
    assert judge_luck(game, [LikesFours(game.ruleset)], "likes fours")
    assert game.luck is not None and game.luck["by"] == "likes fours"
    told = {draw["after"]: draw for draw in game.luck["draws"]}
    records, checked, seen = positions(game), 0, 0
    for draw in draws_of(game.ruleset, records, texts(game)):
        left = game.setup["pile"][seen:]
        seen += len(draw.markers)
        if len(draw.markers) > 1 or (records[draw.after - 1]["route_marker"] == FOUR).any():
            continue
        fours = left.count("+4") / len(left)
        gained = (1 if draw.markers == ("+4",) else 0) - fours
        assert told[draw.after]["seats"] == pytest.approx([gained / 3, -gained / 6, -gained / 6], abs=1e-4)
        checked += fours > 0
    assert checked > 2
    assert sum(luck_together(3, game.luck["draws"])) == pytest.approx(0, abs=2e-3)
    draw = draws_of(game.ruleset, records, texts(game))[0]
    given = np.random.default_rng(1).dirichlet(np.ones(3), len(draw.positions))
    assert luck_of(draw, given).sum() == pytest.approx(0, abs=1e-12)


def test_who_drew_what_had_to_come_was_not_lucky(game: Game) -> None:
    draws = draws_of(game.ruleset, positions(game, FOUR), texts(game))
    assert len(draws) > 5 and all(draw.is_forced for draw in draws)
    assert not any(luck_of(draw, np.array([[0.5, 0.3, 0.2]])).any() for draw in draws)


def test_luck_stands_in_the_record_and_is_checked(game: Game) -> None:
    judge_luck(game, [LikesFours(game.ruleset)], "likes fours")
    record = json.loads(json.dumps(game.record()))
    assert Game.from_record(record).luck == game.luck
    first = game.luck["draws"][0]["after"] if game.luck else 0
    cut = game.rewound(first)
    assert cut.luck is not None and [draw["after"] for draw in cut.luck["draws"]] == [first]
    record["luck"]["draws"][0]["seats"] = [0.5, 0.5, 0.5]
    with pytest.raises(RecordError, match=r"luck of the draw after \d+ decisions: seats sum to 1.5; expected 0"):
        Game.from_record(record)
    record["luck"]["draws"][0]["after"] = 100_000
    with pytest.raises(RecordError, match="luck"):
        Game.from_record(record)


def test_who_has_no_opinion_on_every_seat_cannot_tell(game: Game) -> None:
    assert not judge_luck(game, [LikesFoursSilently(game.ruleset)], "silent") and game.luck is None


def test_the_command_tells_luck_apart_and_by_whom(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.rewound(150).record()))
    for spec, judge in (("LikesFours", "tests.play.test_luck:LikesFours"), ("LikesFoursSilently", None)):
        by, out = f"tests.play.test_luck:{spec}", tmp_path / f"{spec}.json"
        done = CliRunner().invoke(app, ["analyse", str(file), "--by", by, "--seat", "0", "--out", str(out)])
        assert done.exit_code == 0, done.output
        luck = json.loads(out.read_text())["luck"]
        assert luck["by"] == (judge or "ppo") and luck["draws"], "an agent that can tells it where the judge cannot"
        mine = luck_together(3, luck["draws"])[0]
        assert f"{100 * mine:+.1f} %" in done.output and f"by {luck['by']}" in " ".join(done.output.split())


def test_agents_that_come_with_the_package_can_tell(game: Game) -> None:
    assert judge_luck(game, [make_agent("ppo", game.ruleset, 0)], "ppo")
    assert game.luck is not None and any(any(draw["seats"]) for draw in game.luck["draws"])
