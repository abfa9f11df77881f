"""Speeds beside peers as a picture: bars over a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hansa_benchmarks.report import number
from hansa_benchmarks.rows import Row

OURS, THEIRS = "#0072b2", "#b8b2a6"
#: What bars are called, by the keys of rows.
NAMES = {
    "ours/compiled": "Hansa Teutonica, compiled loop", "ours/batch": "Hansa Teutonica, HansaBatch from Python",
    "ours/aec": "Hansa Teutonica, PettingZoo AEC",
    "peers/pettingzoo": "PettingZoo Classic AEC", "peers/open_spiel": "OpenSpiel C++", "peers/pgx": "Pgx, JAX on the processor",
    "peers/catanatron": "Catanatron, Settlers of Catan",
}  # fmt: skip


def called(key: str) -> str:
    """What the bar of a row is called: the peer, and its game."""
    if key in NAMES:
        return NAMES[key]
    peer, _, game = key.rpartition("/")
    return NAMES[peer] if peer == "peers/catanatron" else f"{NAMES[peer]}, {game.replace('_', ' ')}"


def bars(rows: Mapping[str, Row]) -> list[tuple[str, float, bool]]:
    """Name, median and whether it is ours, the fastest first; rows without samples have no bar."""
    found = [(called(key), row.median, key.startswith("ours/")) for key, row in rows.items() if row.median is not None]
    return sorted(found, key=lambda bar: -bar[1])


def draw(rows: Mapping[str, Row], path: Path) -> bool:
    """Draw the bars, if any was measured; needs matplotlib."""
    from matplotlib.figure import Figure

    shown = bars(rows)
    if not shown:
        return False
    figure = Figure(figsize=(8, 0.6 + 0.34 * len(shown)), layout="constrained")
    axes = figure.subplots()
    names, speeds, ours = zip(*shown)
    axes.barh(names, speeds, color=[OURS if one else THEIRS for one in ours])
    for place, speed in enumerate(speeds):
        axes.text(speed, place, f" {number(speed)}", va="center", fontsize=8)
    axes.set(xscale="log", xlabel="decisions a second of one core, random play", xlim=(min(speeds) / 2, max(speeds) * 6))
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    return True
