"""The rows by which two commits are compared, as JSON; runs in a process of its own with one commit's sources."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from hansa_benchmarks.rows import FULL, QUICK, Scale

SIZES = (1, 64, 1024, 16384)
COMPARED = Scale(repeats=5, seconds=FULL.seconds / 2)


def core_rows(scale: Scale) -> dict[str, list[float]]:
    """Samples by row: the engine alone, the batch, AEC and Stable-Baselines3. What a commit lacks is left out."""
    from hansa_benchmarks import batch_rows, engine_rows, frontend_rows

    small = replace(scale, sizes=tuple(size for size in SIZES if size <= scale.sizes[-1]), trace=scale.trace // 4)
    samples = {row.key: row.samples for row in engine_rows.rows(small)}
    samples |= {key: row.samples for key, row in batch_rows.curve(small).items()}
    samples |= {row.key: row.samples for row in frontend_rows.own_rows(small)}
    return {key: found for key, found in samples.items() if found}


def main() -> None:
    """argv: the folder that hansa_env must come from, "full" or "quick"."""
    import hansa_env

    folder, form = Path(sys.argv[1]).resolve(), sys.argv[2]
    if folder not in Path(hansa_env.__file__).resolve().parents:
        raise SystemExit(f"hansa_env was imported from {hansa_env.__file__}, not from {folder}")
    print(json.dumps(core_rows(QUICK if form == "quick" else COMPARED)))


if __name__ == "__main__":
    main()
