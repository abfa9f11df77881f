"""The folder of a run: one process at a time, every file whole, checkpoints to go on from. What is trained is not known here.

plan.toml           what the run does
checkpoints/000012  the state of everything, the newest three (see `hansa_training.checkpoints`)
milestones/         models on the way
anything else       results, written by `write`; nothing of them is needed to go on
"""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from hansa_agents.networks.run_models import MILESTONES
from hansa_env.formats.file_writing import PARTIAL, remove_partials, write_whole
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import RunError

PLAN = "plan.toml"
CURVE, PICTURE, RESULT = "curve.jsonl", "curve.png", "result.json"
CHECKPOINTS = "checkpoints"
LOCK = ".lock"
HOLDER = ".holder.json"
#: Files of runs before there were checkpoints.
EARLIER = ("plan.json", "model.zip")


def why_in_no_spec(option: str, path: Path, ends: str = "") -> str:
    """Why no agent's spec can name a model in a folder, such as ppo:FOLDER; empty where one can.

    Args:
        option: that named the folder.
        ends: characters at which specs end where these are to stand, beside the colons between their parts.
    """
    text = str(path)[len(path.drive) :]
    found = [one for one in f":{ends}" if one in text]
    if not found:
        return ""
    return f"{option} is {str(path)!r:.200}, which has {found[0]!r}, and no agent's spec can name a model in it (ppo:FOLDER)"


class RunFolder:
    """A run's folder, held by this process until `close`; also a context manager.

    Attributes:
        path: the folder.
        checkpoints: those in it.
    """

    def __init__(self, path: Path, lock: FileLock) -> None:
        self.path, self._lock = path, lock
        self.checkpoints = Checkpoints(path / CHECKPOINTS)

    @classmethod
    def begin(cls, path: Path, plan: str) -> RunFolder:
        """Make a folder for a new run with the text of its plan, or take one that holds no run, or the same before its first
        checkpoint.

        Raises:
            RunError: there is a run already, or another process holds the folder.
            OSError: it cannot be made or written.
        """
        path.mkdir(parents=True, exist_ok=True)
        run = cls._hold(path)
        try:
            came_far = any(one.suffix != PARTIAL for one in (path / CHECKPOINTS).glob("*"))  # one half written is none
            if run.plan_file.exists():
                run._check_same(plan, came_far)
            elif came_far:
                raise RunError(f"{path} holds the checkpoints of a run whose {PLAN} is missing; name another folder (--folder)")
            for name in EARLIER:
                if (path / name).exists():
                    raise RunError(f"{path} holds a run of an earlier version ({name}); name another folder (--folder)")
            run.write(PLAN, plan)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def resume(cls, path: Path) -> RunFolder:
        """Hold the folder of a run that was begun.

        Raises:
            RunError: it holds no run, or another process holds it.
        """
        if not (path / PLAN).exists():
            raise RunError(f"{path} holds no run to go on with ({PLAN} is missing); begin one without --resume")
        run = cls._hold(path)
        for folder in (path, path / MILESTONES):
            if folder.is_dir():
                remove_partials(folder)
        return run

    def _check_same(self, plan: str, came_far: bool) -> None:
        """Raises RunError where the run that is here is lost if one of this plan begins."""
        if came_far:
            raise RunError(f"{self.path} holds a run already; go on with it (--resume), or name another folder (--folder)")
        if self.plan_file.read_bytes() != plan.encode():
            raise RunError(f"{self.path} holds a run of another plan that was stopped before its first checkpoint; begin that "
                           "one again with --resume alone, or name another folder (--folder)")  # fmt: skip

    @property
    def plan_file(self) -> Path:
        return self.path / PLAN

    def write(self, name: str, data: bytes | str) -> Path:
        """Write a file whole. Raises OSError; then the file is as it was."""
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        write_whole(path, data.encode() if isinstance(data, str) else data)
        return path

    def close(self) -> None:
        """Let others have the folder."""
        with suppress(OSError):
            (self.path / HOLDER).unlink()
        self._lock.release()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @classmethod
    def _hold(cls, path: Path) -> RunFolder:
        for one in path.iterdir():
            if one.is_symlink():
                raise RunError(f"{one} is a link, and a run writes into its own folder only; put there what it leads to")
        lock = FileLock(path / LOCK, timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise RunError(f"{path} is in use by {_holder(path)}; wait for it, stop it, or name another folder") from error
        me = {"process": os.getpid(), "host": socket.gethostname(), "command": " ".join(sys.argv),
              "since": datetime.now().isoformat(" ", "seconds")}  # fmt: skip
        try:
            write_whole(path / HOLDER, (json.dumps(me) + "\n").encode())
        except BaseException:
            lock.release()
            raise
        return cls(path, lock)


def _holder(path: Path) -> str:
    """Who holds a folder, as far as it can be told."""
    try:
        holder = json.loads((path / HOLDER).read_text())
        return f"process {holder['process']} on {holder['host']} since {holder['since']} ({holder['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
