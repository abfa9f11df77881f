"""How far the run in a folder is, and how it goes on, in words."""

from __future__ import annotations

import errno
import math
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hansa_agents.networks.run_models import MODEL
from hansa_env.play.specs import as_typed
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import PlanError, RunError
from hansa_training.plan_file import SPECS, asks_for_code, read_toml, specs_in
from hansa_training.plan_texts import option
from hansa_training.run_folder import CHECKPOINTS, PLAN

#: In the note of a checkpoint: how long the run took until then, its parts together; those of earlier versions do not tell.
SECONDS = "seconds"


def how_to_go_on(folder: Path) -> str:
    """The command that goes on with a run."""
    words = [shlex.quote(str(folder))]
    with suppress(PlanError):
        kept = read_toml(folder / PLAN)
        for name in SPECS:  # those that run code count only where they are named again
            if any(asks_for_code(name, spec) for spec in specs_in(name, str(kept.get(name, "")))):
                words.append(f"{option(name)} {as_typed(str(kept[name]))}")
    return f"hansa train --resume --folder {' '.join(words)}"


def disk_error(error: OSError, folder: Path) -> RunError:
    name = f" ({error.filename})" if error.filename else ""
    if is_full(error):
        after = f"go on: {how_to_go_on(folder)}" if (folder / PLAN).exists() else "begin again"
        return RunError(f"{folder}: the disk is full{name}: {error.strerror}; what was saved before is whole: make room and "
                        f"{after}")  # fmt: skip
    return RunError(f"{folder}: cannot be written{name}: {error.strerror or error}")


def is_full(error: BaseException | None) -> bool:
    """Whether an error says that there is no room on the disk."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def stand_of(folder: Path) -> str:
    """How far the run in a folder is, in words; empty where there is nothing to go on from."""
    with suppress(RunError):
        newest = Checkpoints(folder / CHECKPOINTS).newest()
        return stand_in(newest.note) if newest else ""
    return ""


def seconds_in(note: Mapping[str, Any]) -> float:
    """How long a run took until a checkpoint; 0 where that does not say so."""
    seconds = note.get(SECONDS)
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < math.inf else 0.0


def seconds_of(folder: Path) -> float | None:
    """How long the run in a folder took until its newest checkpoint, None where that is not known: with points of the curve,
    without final games."""
    with suppress(RunError):
        newest = Checkpoints(folder / CHECKPOINTS).newest(only=MODEL)
        return (newest and seconds_in(newest.note)) or None
    return None


def stand_in(note: Mapping[str, Any]) -> str:
    imitated, played = (f"{one:,}" if isinstance(one := note.get(name), int) else "?" for name in ("imitated", "self-play"))
    return f"{imitated} decisions of warm start, {played} of self-play"
