"""A result as lines, as JSON and as a picture, and the machine it comes from."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import textwrap
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from hansa_agents.match_workers import cores
from hansa_benchmarks.rows import Row

PACKAGES = ("numba", "numpy", "pettingzoo", "gymnasium", "stable-baselines3", "sb3-contrib", "torch")
HEADER = f"{'median':>11}  {'unit':<11}  {'spread':>6}  row"


def number(value: float | None) -> str:
    """Three figures at least, thousands set apart."""
    if value is None:
        return "–"
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def with_words(numbers: str, words: str) -> str:
    """Numbers, and beside them words that wrap at the terminal's width; into a file they do not."""
    width = max(24, shutil.get_terminal_size((1000, 24)).columns - len(numbers))
    lines = textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)
    return numbers + ("\n" + " " * len(numbers)).join(lines)


def line_of(row: Row, rows: Mapping[str, Row]) -> str:
    """A row with what it is to the row it refers to."""
    spread = "" if row.spread is None else f"{row.spread:.1%}"
    ratio = ratio_of(row, rows)
    words = [row.what] + ([f"{number(ratio)} × {row.reference}"] if ratio else []) + [row.note] * bool(row.note)
    numbers = f"{number(row.median):>11}  {row.unit:<11}  {spread:>6}  "
    return with_words(numbers, f"{row.key}: {'; '.join(words)}")


def ratio_of(row: Row, rows: Mapping[str, Row]) -> float | None:
    """The median over that of the row it refers to; None without both."""
    other = rows.get(row.reference) if row.reference else None
    return row.median / other.median if row.median and other and other.median else None


def as_json(rows: Mapping[str, Row], form: str, partial: bool, machine: dict) -> dict:
    """A result as plain data: {"form", "partial", "machine", "rows": {key: {"samples", "median", ...}}}."""
    data = {
        key: asdict(row) | {"median": row.median, "spread": row.spread, "ratio": ratio_of(row, rows)}
        for key, row in rows.items()
    }
    return {"form": form, "partial": partial, "machine": machine, "rows": data}


def draw(rows: Mapping[str, Row], path: Path) -> bool:
    """Draw decisions per second over batch size, if that was measured; needs matplotlib."""
    from matplotlib.figure import Figure

    sizes = sorted(int(key.split("/")[1]) for key in rows if key.startswith("batch/") and key.endswith("/1"))
    if not sizes:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for label, style, key in (
        ("step", "o-", "batch/{}/1"), ("step + mask", "o-", "batch/{}/2"), ("step + mask + observation", "o-", "batch/{}/3"),
        ("all three, threads=2", "s", "batch/{}/3/both"), ("limit: copying the bytes", "k:_", "batch/copy/{}"),
    ):  # fmt: skip
        points = [(size, rows[key.format(size)].median) for size in sizes if key.format(size) in rows]
        if points:
            axes.plot(*zip(*points), style, label=label)
    title = "HansaBatch, base-4-5, 5 players, one thread"
    axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="decisions/s", title=title)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=130)
    return True


def machine_facts() -> dict:
    """What machine, which versions and which commit are measured."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    said = dict(line.replace("\t", "").split(": ", 1) for line in lines if ": " in line)
    family = ", ".join(f"{name} {said[name]}" for name in ("cpu family", "model") if name in said)
    installed = {found.name.lower().replace("_", "-"): found.version for found in importlib.metadata.distributions()}
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": f"{said['model name']} ({family})" if family else platform.processor() or platform.machine(),
        "cores": cores(),
        "load_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: installed.get(name) for name in PACKAGES},
        "commit": _commit(),
    }


def _commit() -> str | None:
    """The commit of the sources, with a + if they have been changed since; None outside a repository."""
    command = ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    try:
        return subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
