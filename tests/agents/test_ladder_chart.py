"""The picture of the ladders: whose ratings it has, and that it is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansa_agents.ladder.chart import draw, places


def test_the_best_is_on_top_and_random_left_out(small) -> None:
    match = small.match()
    found = places({"two": match, "again": match}, "two")
    best = max(("greedy", "scripted:actions"), key=lambda agent: match.ratings[agent].points)
    assert set(found) == {"greedy", "scripted:actions"} and next(iter(found)) == best
    points, low, high = found["greedy"]["again"]
    assert low <= points <= high and points == match.ratings["greedy"].points


def test_the_picture_is_drawn(small, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'train'")
    draw({"two": small.match()}, "two", tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
