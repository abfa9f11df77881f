"""What a finished game pays: zero-sum, by the win, by the rank, by the points."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.rules.scoring import ALL_COLUMNS, BASE_COLUMNS
from hansa_env.formats.notation import parse_decision
from hansa_env.formats.read_position import played_on
from tests.rules.scenario import position


def rewards_at_the_end(kind: str, **changes: dict) -> list[float]:
    """Of three seats, of whom seat 0 claims a route and comes to 20 prestige."""
    ruleset = Ruleset(3)
    given = {"posts": {"hannover/minden": "0t 0t 0t"}, "offices": {"minden": "0t"}, "prestige": {0: 19}}
    games = played_on(position(ruleset, **{name: given[name] | changes.get(name, {}) for name in given}), 0)[2]
    batch = HansaBatch(1, ruleset, reward=kind)
    batch.put([0], games)
    for decision in ("claim hannover/minden", "done"):
        assert not batch.ended[0]
        batch.step(np.array([parse_decision(ruleset, batch.games[0], decision)]))
    assert batch.ended[0]
    return batch.rewards[0].tolist()


@pytest.mark.parametrize(("kind", "prestige", "expected"), [
    # 23 points, 29 and 2 of three seats, whose mean is 18.
    ("win", {1: 29, 2: 2}, [-0.5, 1, -0.5]),
    ("rank", {1: 29, 2: 2}, [0, 1, -1]),
    ("margin", {1: 29, 2: 2}, [5 / 50, 11 / 50, -16 / 50]),
    # All below seat 0 are level: they share the two places.
    ("win", {1: 5, 2: 5}, [1, -0.5, -0.5]),
    ("rank", {1: 5, 2: 5}, [1, -0.5, -0.5]),
    ("margin", {1: 5, 2: 5}, [12 / 50, -6 / 50, -6 / 50]),
    # Two winners, and three.
    ("win", {1: 23, 2: 5}, [0.25, 0.25, -0.5]),
    ("rank", {1: 23, 2: 5}, [0.5, 0.5, -1]),
    ("margin", {1: 23, 2: 5}, [6 / 50, 6 / 50, -12 / 50]),
    ("win", {1: 23, 2: 23}, [0, 0, 0]),
    ("rank", {1: 23, 2: 23}, [0, 0, 0]),
    ("margin", {1: 23, 2: 23}, [0, 0, 0]),
])  # fmt: skip
def test_what_a_game_pays(kind: str, prestige: dict[int, int], expected: list[float]) -> None:
    assert rewards_at_the_end(kind, prestige=prestige) == pytest.approx(expected, abs=1e-6)


def test_a_row_with_room_for_every_column_has_0_in_those_that_the_game_lacks() -> None:
    batch = HansaBatch(1, Ruleset(3))
    batch.games["prestige"][0, :3] = [3, 0, 5]
    wide = np.full((1, 3, len(ALL_COLUMNS)), 99, batch.scores().dtype)
    kernels.score_games(batch.games, batch.tables, wide, 0, 1)
    scores = dict(zip(ALL_COLUMNS, wide[0].T.tolist()))
    assert scores["track"] == scores["total"] == [3, 0, 5]
    assert scores["regions"] == scores["mission"] == [0, 0, 0]
    assert (wide[..., : len(BASE_COLUMNS) - 1] == batch.scores()[..., :-1]).all()
