"""How far shares of the win are from what came of games: by class of position, and how they move within a turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hansa_env import Ruleset
from hansa_env.engine.tables import tables_of
from hansa_training.win_share_games import Positions

BANDS = 10
#: By the share of the pile that is drawn: up to a third, two thirds, all.
PHASES = ("opening", "middle", "end")
#: A swing within a turn that wants a reason.
LARGE = 0.4


class Reliability(NamedTuple):
    """Of a class of shares: what share of all positions it is, the mean said and that came, and the expected calibration error:
    the mean over BANDS of what is said, by size, of how far what was said there is off what came."""

    size: float
    said: float
    came: float
    error: float


def reliability(said: np.ndarray, came: np.ndarray, weights: np.ndarray) -> Reliability:
    """Of shares said (M,), which came to (M,), with weights (M,) of which all positions have 1 together; NaN of none."""
    size, sum_said, sum_came = bands(said, came, weights)
    total = size.sum()
    if total == 0:
        return Reliability(0.0, np.nan, np.nan, np.nan)
    return Reliability(*(float(x) for x in (total, sum_said.sum() / total, sum_came.sum() / total,
                                            abs(sum_said - sum_came).sum() / total)))  # fmt: skip


def bands(said: np.ndarray, came: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By band of what is said, (BANDS,) each: the weight, what was said and what came, both times the weight."""
    band = np.minimum((said * BANDS).astype(int), BANDS - 1)
    return tuple(np.bincount(band, weights * what, BANDS) for what in (np.ones_like(said), said, came))  # type: ignore[return-value]


def phase_of(ruleset: Ruleset, positions: Positions) -> np.ndarray:
    """(K,) int64, the place in PHASES."""
    drawn = positions.games["drawn"] / int(tables_of(ruleset)["pile_size"][0])
    return np.minimum((drawn * len(PHASES)).astype(int), len(PHASES) - 1)


def classes(ruleset: Ruleset, positions: Positions) -> Iterator[tuple[str, np.ndarray]]:
    """The classes of positions and seats: a name, and a mask (K, P)."""
    shape, seats = positions.shares.shape, np.arange(ruleset.players)
    yield "all", np.ones(shape, np.bool_)
    phase = phase_of(ruleset, positions)
    for number, name in enumerate(PHASES):
        yield name, np.broadcast_to((phase == number)[:, None], shape)
    deciding = seats == positions.games["seat"][:, None]
    yield "who decides", deciding
    yield "the others", ~deciding
    for seat in seats:
        yield f"seat {seat}", np.broadcast_to(seats == seat, shape)
    yield "seat 0 in the first round", (seats == 0) & (positions.games["turns"] < ruleset.players)[:, None]
    yield "among itself", np.broadcast_to(~positions.mixed[:, None], shape)
    yield "at mixed tables", np.broadcast_to(positions.mixed[:, None], shape)


def swings(positions: Positions, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest movement of any seat's share within each turn, between any two of its decisions, (turns,), and where the
    turns begin, (turns,), as places among the positions.

    Args:
        positions: every one of some games.
        shares: (K, P), of every seat.
    """
    turns = positions.games["turns"].astype(np.int64)
    begins = np.flatnonzero(np.diff(turns, prepend=-1) | np.diff(positions.number, prepend=-1))
    return (np.maximum.reduceat(shares, begins) - np.minimum.reduceat(shares, begins)).max(axis=1), begins


def picture(found: dict[int, tuple[Ruleset, Positions, np.ndarray, np.ndarray]], file: Path) -> None:
    """Draw what came over what was said, for each number of players: of every seat by phase, and of who decides before.

    Args:
        found: by number of players: the ruleset, positions, the shares of every seat (K, P), those of who decides before (K,).
        file: to write, a PNG.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.1 * len(found), 3.4), dpi=110, layout="constrained")
    axes = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    for axis, (players, (ruleset, positions, shares, before)) in zip(axes, found.items()):
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        phase, weights = phase_of(ruleset, positions), positions.weights
        rows = np.arange(len(before))
        lines = [("before, who decides", before, positions.shares[rows, positions.games["seat"]], weights, "0.55")]
        for number, (name, colour) in enumerate(zip(PHASES, ("#2471a3", "#1e8449", "#c0392b"))):
            there = phase == number
            said, came = shares[there].ravel(), positions.shares[there].ravel()
            lines.append((name, said, came, np.repeat(weights[there], ruleset.players), colour))
        for name, said, came, weight, colour in lines:
            size, sum_said, sum_came = bands(said, came, weight)
            enough = size > 0.01 * size.sum()
            axis.plot(
                sum_said[enough] / size[enough], sum_came[enough] / size[enough], "o-", markersize=3, color=colour, label=name
            )
        axis.set(title=f"{players} players", xlabel="share of the win said", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes[0].set_ylabel("share that came")
    axes[0].legend(fontsize=7, frameon=False)
    figure.savefig(file)
