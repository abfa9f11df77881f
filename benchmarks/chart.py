"""The curves: decisions per second over batch size, and what a decision's time goes to."""

from __future__ import annotations

from pathlib import Path

from hansa_benchmarks.play import PARTS
from hansa_benchmarks.rows import Row

COLORS = ("#1b6ca8", "#2a9d8f", "#e07a1f")


def draw(rows: list[Row], path: Path) -> None:
    """Draw both; needs matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    medians = {row.key: row.median for row in rows if row.median}
    sizes = sorted({int(key.split("/")[1]) for key in medians if key.startswith("batch/") and key.endswith("/3")})
    figure = Figure(figsize=(13, 5), layout="constrained")
    FigureCanvasAgg(figure)
    speed, cost = figure.subplots(1, 2)
    _speed(speed, medians, sizes)
    _cost(cost, medians, sizes)
    figure.savefig(path, dpi=130)


def _speed(axes, medians: dict[str, float], sizes: list[int]) -> None:
    for parts, color in zip((1, 2, 3), COLORS):
        values = [medians[f"batch/{size}/{parts}"] for size in sizes]
        axes.plot(sizes, values, "o-", color=color, label=" + ".join(PARTS[:parts]))
    for key, value in medians.items():
        words = key.split("/")
        if words[-1] == "both" and len(words) == 4:
            axes.plot(int(words[1]), value, "s", color=COLORS[2], mfc="none", ms=9, label="all three, threads=2")
    limits = sorted((int(key.split("/")[2]), value) for key, value in medians.items() if key.startswith("batch/copy/"))
    axes.plot(*zip(*limits), "k:", marker="_", ms=12, label="limit: copy of the bytes")
    axes.axhline(1e6, color="grey", lw=1, ls="--", label="aim at batch 1,024: 1,000,000")
    axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="decisions/s, one thread",
             title="HansaBatch, base-4-5, 5 players")  # fmt: skip
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], fontsize=8)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _cost(axes, medians: dict[str, float], sizes: list[int]) -> None:
    below = [0.0] * len(sizes)
    for parts, color in zip((1, 2, 3), COLORS):
        until = [1e9 / medians[f"batch/{size}/{parts}"] for size in sizes]
        heights = [max(0.0, b - a) for a, b in zip(below, until)]
        axes.bar(range(len(sizes)), heights, bottom=below, color=color, label=PARTS[parts - 1])
        below = [a + height for a, height in zip(below, heights)]
    shown = [value for size, value in zip(sizes, below) if size >= 64] or below
    top = 1.4 * max(shown)
    for place, value in enumerate(below):
        if value > top:
            axes.text(place, top * 0.98, f"{value:,.0f} ↑", ha="center", va="top", color="white", fontsize=8)
    axes.set_ylim(0, top)
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes], fontsize=8)
    axes.set(xlabel="games in the batch", ylabel="ns per decision, one thread", title="Where a decision's time goes")
    axes.legend(fontsize=8)
