"""Ctrl-C ends a run on Ray as it ends any other: in a line, with all that it started; needs the extra `ray`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.training.ray_runs import descendants
from tests.training.tiny import SHARED, arguments, figures, has_checkpoint

pytest.importorskip("ray", reason="needs the extra `ray`")

ROOT = Path(__file__).parent.parent.parent
PLACES = ["--ray", "local", "--workers", "2"]


def train(folder: Path, *words: str) -> subprocess.Popen:
    """The command, in a process group of its own as a shell gives it one."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-m", "hansa_env", "train", "--folder", str(folder), *words], cwd=folder.parent, text=True,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip


def begun(process: int) -> str:
    """When a process began, which tells it from a later one of the same number; empty where there is none, or it has ended."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return ""
    return fields[18] if state != "Z" else ""


@pytest.mark.slow
def test_ctrl_c_leaves_a_run_to_go_on_with_and_no_process(alone: dict[str, bytes], tmp_path: Path) -> None:
    folder, copy = tmp_path / "run", tmp_path / "copy"
    run = train(folder, *PLACES, *arguments(SHARED))
    while not has_checkpoint(folder):
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    started = {process: begun(process) for process in descendants(run.pid)}
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130, err
    said = out.splitlines()[-1]
    assert said.startswith("stopped, kept: ") and " of warm start, " in said
    assert said.endswith(f"; go on with: hansa train --resume --folder {folder} {' '.join(PLACES)}")
    assert "Traceback" not in out + err and "PPO by self-play" not in out
    assert len(started) > 2, "Ray, and two ranks"
    until = time.monotonic() + 1200
    while left := [process for process, since in started.items() if since and begun(process) == since]:
        assert time.monotonic() < until, left
        time.sleep(0.05)
    shutil.copytree(folder, copy)
    for one, places in ((folder, PLACES), (copy, [])):
        again = train(one, "--resume", *places)
        said = "\n".join(again.communicate())
        assert again.returncode == 0 and "going on from" in said, said
        assert figures(one) == alone
