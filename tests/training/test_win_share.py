"""The shares of the win are as the parameters that come with the project say, and those are found from games."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

from typer import Typer
from typer.testing import CliRunner

from hansa_agents.search.foreseen import Foreseen
from hansa_agents.search.win_share import NAME, TERMS, parameters
from hansa_env import Ruleset
from hansa_env.engine.state import new_games
from hansa_training.reliability import BANDS, bands, classes, reliability, swings
from hansa_training.win_share import main
from hansa_training.win_share_fit import fitted, shares_by
from hansa_training.win_share_games import Positions, played

#: How far the committed parameters may be off on fresh games: generous, since some hundred games say no more, and networks are
#: replaced.
OFF, OFF_BY_PHASE, OFF_BY_SEAT = 0.06, 0.09, 0.12


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 6))
def test_the_committed_parameters_hold_on_fresh_games(players: int) -> None:
    ruleset = Ruleset(players)
    fresh = played(ruleset, 300, seed=77, every=40)
    shares = shares_by(ruleset, fresh, np.array(parameters(players)))
    np.testing.assert_allclose(shares.sum(1), 1, atol=1e-6)
    weights = np.broadcast_to(fresh.weights[:, None], shares.shape) / players
    found = {name: reliability(shares[mask], fresh.shares[mask], weights[mask]) for name, mask in classes(ruleset, fresh)}
    assert found["all"].error < OFF, found["all"]
    for name in ("opening", "middle", "end", "who decides", "the others", "among itself", "at mixed tables"):
        assert found[name].error < OFF_BY_PHASE, (name, found[name])
    for seat in range(players):
        assert abs(found[f"seat {seat}"].said - found[f"seat {seat}"].came) < OFF_BY_SEAT, (seat, found)
    even = reliability(np.full(shares.size, 1 / players), fresh.shares.ravel(), weights.ravel())
    sharpness = (weights * (shares - fresh.shares) ** 2).sum()
    assert even.error < OFF and sharpness < 0.9 * (weights * (1 / players - fresh.shares) ** 2).sum(), "it knows something"


def made_up(count: int, seed: int) -> Positions:
    """Positions of games of three, one of each, whose results follow from values by known parameters."""
    rng, games = np.random.default_rng(seed), new_games(count)
    games["seat"], games["drawn"] = rng.integers(3, size=count), rng.integers(12, size=count)
    own = np.arange(3) == games["seat"][:, None]
    found = Foreseen.going_on(games, rng.normal(0, 0.3, (count, 3)), own.astype(float))
    rows, none = np.arange(count), np.zeros(count, np.bool_)
    positions = Positions(games, found, np.zeros(count), np.zeros((count, 3)), rows, none)
    chances = shares_by(Ruleset(3), positions, KNOWN)
    positions.shares[np.arange(count), (chances.cumsum(1) > rng.random((count, 1))).argmax(1)] = 1
    return positions


KNOWN = np.array([2.0, 1.5, 0.5, 0.6, -0.3, 0.4, 0.2])


def test_known_parameters_are_found() -> None:
    found = fitted(Ruleset(3), made_up(60_000, 1))
    np.testing.assert_allclose(found, KNOWN, atol=0.15)
    other = made_up(20_000, 2)
    shares = shares_by(Ruleset(3), other, found)
    assert reliability(shares.ravel(), other.shares.ravel(), np.full(shares.size, 1 / shares.size)).error < 0.01


def test_what_is_off_is_told() -> None:
    said, came = np.array([0.25, 0.25, 0.75, 0.75]), np.array([0.0, 1.0, 1.0, 1.0])
    found = reliability(said, came, np.full(4, 0.25))
    assert found == (1.0, 0.5, 0.75, pytest.approx(0.5 * 0.25 + 0.5 * 0.25))
    assert (
        np.isnan(reliability(said[:0], came[:0], said[:0]).error) and reliability(np.ones(1), np.ones(1), np.ones(1)).error == 0
    )
    assert BANDS == 10
    said, came = np.array([0.1, 0.85, 0.95, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])
    sizes, sums, sums_came = bands(said, came, np.full(4, 0.25))
    assert sizes.tolist() == [0, 0.25, 0, 0, 0, 0, 0, 0, 0.25, 0.5], "what is sure is in the last band"
    assert sums == pytest.approx([0, 0.025, 0, 0, 0, 0, 0, 0, 0.2125, 0.4875]) and sums_came[9] == 0.5


def test_a_swing_is_of_one_turn_of_one_game() -> None:
    games = new_games(6)
    games["turns"] = [0, 0, 1, 1, 1, 1]
    number = np.array([0, 0, 0, 0, 1, 1])
    shares = np.array([[0.5, 0.5], [0.7, 0.3], [0.1, 0.9], [0.1, 0.9], [0.9, 0.1], [0.6, 0.4]])
    positions = Positions(games, Foreseen.going_on(games, shares, shares), number, shares, number, number > 0)
    moved, begins = swings(positions, shares)
    assert moved == pytest.approx([0.2, 0.0, 0.3]) and begins.tolist() == [0, 2, 4]


@pytest.mark.slow
def test_the_command_writes_what_agents_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_training.win_share.FILE", tmp_path / NAME)
    monkeypatch.setattr("hansa_training.win_share.EVERY", {2: 60})
    command = Typer()
    command.command()(main)
    done = CliRunner().invoke(command, ["--games", "20", "--write", "--figure", str(tmp_path / "it.png")])
    assert done.exit_code == 0, done.output
    assert "| seat 0 in the first round |" in done.output and "Within a turn at mixed tables, now" in done.output
    assert list(json.loads((tmp_path / NAME).read_text())["2 players"]) == list(TERMS)
    assert (tmp_path / "it.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_a_folder_is_refused_before_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_training.win_share.EVERY", {})
    command = Typer()
    command.command()(main)
    done = CliRunner().invoke(command, ["--figure", str(tmp_path / "none" / "it.png")])
    assert done.exit_code == 2 and done.stderr.startswith("error: --figure is ") and done.stderr.count("\n") == 1


def test_parameters_that_cannot_be_written_are_told_in_one_line_and_those_of_before_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / NAME
    file.write_text("before")
    monkeypatch.setattr("hansa_training.win_share.FILE", file)
    monkeypatch.setattr("hansa_training.win_share.EVERY", {})
    command = Typer()
    command.command()(main)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        done = CliRunner().invoke(command, ["--write"])
    assert done.exit_code == 2 and done.stderr.startswith(f"error: {file}: No space left on device; make room")
    assert file.read_text() == "before" and [one.name for one in tmp_path.iterdir()] == [NAME]
