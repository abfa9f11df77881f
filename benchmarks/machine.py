"""What machine, which versions and which commit were measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

PACKAGES = ("numba", "numpy", "pettingzoo", "gymnasium", "stable-baselines3", "sb3-contrib", "torch")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def facts() -> dict:
    """The machine's part of a report."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu(),
        "cores": cores(),
        "load_before": load,
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
        "commit": _commit(),
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    said = dict(line.replace("\t", "").split(": ", 1) for line in lines if ": " in line)
    if "model name" not in said:
        return platform.processor() or platform.machine()
    numbers = ", ".join(f"{name} {said[name]}" for name in ("cpu family", "model") if name in said)
    return f"{said['model name']} ({numbers})"


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The commit of the sources, with a + if they have been changed since; None outside a repository."""
    try:
        commit, changes = _git("rev-parse", "--short=12", "HEAD"), _git("status", "--porcelain", "--", "..")
    except (OSError, subprocess.CalledProcessError):
        return None
    return commit.strip() + ("+" if changes.strip() else "")


def _git(*words: str) -> str:
    command, folder = ["git", *words], Path(__file__).parent
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
