"""The engine in other modes of Numba, each in a process of its own with compiled code of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_module(module: str, cache: Path, *words: str, timeout: float = 300, **variables: str) -> str:
    """What `python -m module words` prints, with variables of the environment, its compiled code in a folder `cache`.

    Raises AssertionError with the end of its error output if it fails.
    """
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONFAULTHANDLER": "1"} | variables
    done = subprocess.run(
        [sys.executable, "-m", module, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, f"{module} ended with {done.returncode}\n{done.stderr[-4000:]}"
    return done.stdout
