"""The learning curve: its file, one JSON object a line, and its picture."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from hansa_training.errors import RunError

if TYPE_CHECKING:
    from hansa_training.plan import Plan


def curve_lines(points: list[dict]) -> str:
    """The file's text."""
    return "".join(json.dumps(point) + "\n" for point in points)


def read_curve(path: Path, tell: Callable[[str], None] | None = None) -> list[dict]:
    """The points in a file, none where there is no file; a torn last line is left out, and `tell` is given a line on it.

    Raises:
        RunError: another line is no point.
    """
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    points = []
    for number, line in enumerate(lines, 1):
        try:
            point = json.loads(line)
            if not isinstance(point, dict):
                raise ValueError("expected an object")
        except ValueError as error:
            if number < len(lines):
                raise RunError(f"{path}: line {number} is no point of a learning curve ({error})") from error
            if tell:
                tell(f"{path}: the last line is torn and was dropped")
        else:
            points.append(point)
    return points


def picture(points: list[dict], plan: Plan) -> bytes:
    """Win share and mean final score against each opponent over decisions of self-play, as a PNG."""
    figure, (shares, scores) = plt.subplots(1, 2, figsize=(11, 4), dpi=130)
    decisions = [point["decisions"] for point in points]
    for name, colour in (("random", "tab:blue"), ("greedy", "tab:orange")):
        label = f"against {plan.players - 1} {name}"
        shares.plot(decisions, [100 * point[name] for point in points], "o-", color=colour, label=label)
        scores.plot(decisions, [point[f"{name} score"] for point in points], "o-", color=colour, label=label)
    shares.axhline(100 / plan.players, color="grey", linestyle=":", label="chance")
    shares.set_ylabel(f"win share, % ({plan.curve_games} games a point)")
    shares.set_ylim(-3, 103)
    scores.set_ylabel("mean final score")
    scores.set_ylim(bottom=0)
    for axes in (shares, scores):
        axes.set_xlabel(f"decisions of self-play (after {plan.warm_start:,} of warm start)")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.tick_params(axis="x", labelrotation=20)
        axes.grid(alpha=0.3)
    shares.legend(loc="center right")
    figure.suptitle(f"MaskablePPO by self-play, {plan.players} players")
    figure.tight_layout()
    data = io.BytesIO()
    figure.savefig(data, format="png")
    plt.close(figure)
    return data.getvalue()
