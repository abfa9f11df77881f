"""The learning curve as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

if TYPE_CHECKING:
    from hansa_training.job import Plan


def draw_curve(points: list[dict], path: Path, plan: Plan) -> None:
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
    figure.savefig(path)
    plt.close(figure)
