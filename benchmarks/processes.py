"""What needs processes of its own: compiling from nothing, starting, and others' environments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hansa_benchmarks.peers.measure import PEERS
from hansa_benchmarks.rows import TIMEOUT, Row, Scale

SCRIPT = Path(__file__).parent / "peers" / "measure.py"
FIRST_STEP = """
from hansa_env import HansaBatch, Ruleset
batch = HansaBatch(1024, Ruleset(5))
batch.step(batch.action_mask.argmax(axis=1))
batch.observe()
"""
EVERYTHING = """
import gymnasium
from hansa_env import warmup
from hansa_env.api.registration import SINGLE_SEAT_ID
warmup(quiet=True)
envs = gymnasium.make_vec(SINGLE_SEAT_ID, num_envs=8, players=5, opponents=["random", "greedy"] * 2)
_, infos = envs.reset(seed=0)
envs.step(infos["action_mask"].argmax(axis=1))
"""


def start_rows(scale: Scale) -> Iterator[Row]:
    """Cold compile, import, first step: each from the start of a fresh process to its end."""
    if scale.cold:
        with tempfile.TemporaryDirectory() as folder:
            seconds = _seconds(EVERYTHING, os.environ | {"NUMBA_CACHE_DIR": folder})
        yield Row("start/compile", "compile engine, agents and front ends, nothing cached", [seconds], "s")
    for key, code in (("import", "import hansa_env"), ("step", FIRST_STEP)):
        what = "import hansa_env" if key == "import" else "import, first step of 1,024 games, kernels cached"
        yield Row(f"start/{key}", what, [_seconds(code) for _ in range(scale.repeats + 1)][1:], "s")


def _seconds(code: str, env: dict[str, str] | None = None) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    return time.perf_counter() - began


def peer_rows(
    scale: Scale, python: str | None = None, script: Path = SCRIPT, cpu: bool = False, timeout: float = TIMEOUT
) -> Iterator[Row]:
    """Every peer's rows, measured by another interpreter (None = this one); who is not installed there says so.

    With `cpu` a second is one that the peer's process had a core.
    Why one is missing is told without folders of this machine: results are published.
    """
    one_core = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    for peer in PEERS:
        command = [python or sys.executable, str(script), peer, str(scale.repeats), str(max(scale.seconds, 0.01))]
        command += ["cpu"] if cpu else []
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=os.environ | one_core)
            result = json.loads(done.stdout.strip().splitlines()[-1])
        except subprocess.TimeoutExpired:
            result = {"skipped": f"not run to its end: it took more than {timeout:g} s"}
        except OSError as error:
            result = {"skipped": f"not run: {Path(command[0]).name}: {error.strerror}"}
        except (IndexError, ValueError):
            said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            result = {"skipped": f"failed: {said[-1]}"}
        if "skipped" in result:
            yield Row(f"peers/{peer}", "skipped", note=result["skipped"])
        for game, samples in result.get("rows", {}).items():
            yield Row(
                f"peers/{peer}/{game}", result["about"], samples, "turns/s" if "AEC" in result["about"] else "decisions/s"
            )
