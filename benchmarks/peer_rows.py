"""Rows of others' environments, measured in the same run by the scripts in `peers/`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from hansa_benchmarks.rows import Row, Scale

FOLDER = Path(__file__).parent / "peers"
TIMEOUT = 600
#: script: (name, {row of the script: (key, what is said of it)})
PEERS = {
    "pettingzoo": ("PettingZoo Classic", {
        "chess": ("peers/pettingzoo/chess", "chess_v6, AEC, random play"),
        "connect four": ("peers/pettingzoo/connect_four", "connect_four_v3, AEC, random play"),
    }),
    "open_spiel": ("OpenSpiel", {
        "chess": ("peers/open_spiel/chess", "chess, whole games in C++ (uniform random bots)"),
        "backgammon": ("peers/open_spiel/backgammon", "backgammon, whole games in C++"),
        "chess, Python loop": ("peers/open_spiel/chess_python", "chess, Python loop over the C++ core"),
        "backgammon, Python loop": ("peers/open_spiel/backgammon_python", "backgammon, Python loop over the C++ core"),
    }),
    "pgx": ("Pgx", {
        "chess": ("peers/pgx/chess", "chess, jitted, batch 1,024, one CPU core"),
        "backgammon": ("peers/pgx/backgammon", "backgammon, jitted, batch 1,024, one CPU core"),
    }),
    "catanatron": ("Catanatron", {
        "four players": ("peers/catanatron/random", "Settlers of Catan, four random players"),
    }),
}  # fmt: skip


def rows(scale: Scale, python: str | None = None, scripts: dict = PEERS) -> Iterator[Row]:
    """Every peer's rows; those of a peer that is not installed say so.

    Args:
        python: the interpreter that has them; None = this one.
    """
    for script, (name, games) in scripts.items():
        result = run_script(FOLDER / f"run_{script}.py", python or sys.executable, scale)
        for game, (key, setting) in games.items():
            row = Row(key, name, setting)
            if "rows" in result:
                row.samples, row.note = result["rows"][game], result["version"]
            else:
                row.skipped = result["word"]
            yield row


def run_script(script: Path, python: str, scale: Scale) -> dict:
    """What a script prints; {"word": why} if it cannot be run."""
    one_core = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    command = [python, str(script), str(scale.repeats), str(max(scale.seconds, 0.01))]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT, env=os.environ | one_core, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"word": f"not run: {error}"}
    lines = done.stdout.strip().splitlines()
    try:
        result = json.loads(lines[-1])
    except (IndexError, ValueError):
        said = done.stderr.strip().splitlines()
        return {"word": f"failed: {said[-1] if said else f'exit {done.returncode}'}"}
    return result if "rows" in result else {"word": f"not installed: {result['missing']}"}
