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
    """Win share against each opponent over decisions of self-play, as a PNG."""
    figure, axes = plt.subplots(figsize=(7, 4), dpi=150)
    decisions = [point["decisions"] for point in points]
    for name, colour in (("random", "tab:blue"), ("greedy", "tab:orange")):
        axes.plot(decisions, [100 * point[name] for point in points], "o-", color=colour, label=f"against two {name}")
    axes.axhline(100 / plan.players, color="grey", linestyle=":", label="chance")
    axes.set_xlabel(f"decisions of self-play (after {plan.warm_start:,} of warm start)")
    axes.set_ylabel(f"win share, % ({plan.curve_games} games a point)")
    axes.set_ylim(0, 102)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_title(f"MaskablePPO by self-play, {plan.players} players")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
