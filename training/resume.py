"""How a run is kept in its checkpoints, and taken up again from the newest of them."""

from __future__ import annotations

import shlex
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError

from hansa_agents.networks.run_models import MODEL, milestones_in
from hansa_env.commands.progress import Progress
from hansa_env.formats.check_game import check_game
from hansa_training.checkpoints import Checkpoint
from hansa_training.curve import curve_lines, read_curve
from hansa_training.errors import RunError, with_kind
from hansa_training.expert import up_to_date
from hansa_training.learner import Learner
from hansa_training.plan import Plan
from hansa_training.plan_file import check_kept
from hansa_training.plan_texts import option, toml_of
from hansa_training.ranks import Ranks
from hansa_training.result_file import check_points
from hansa_training.run_folder import CURVE, PLAN, RunFolder, why_in_no_spec
from hansa_training.standing import SECONDS, seconds_in, stand_in
from hansa_training.state import pack, unpack
from hansa_training.unmet import lines_of_the_unmet

STATE, ARRAYS = "state.json", "state.safetensors"
#: In the note of a checkpoint: the plan by which it came about, with what it was written, and how long self-play took; those of
#: earlier versions do not tell.
PLANNED, WRITTEN_WITH, CLOCK = "plan", "written with", "clock"
#: What a checkpoint raises that is whole but does not say what a run's says.
UNUSABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, SafetensorError)
#: What figures depend on beside the plan and the machine; and in what and where its networks compute.
VERSIONS = {"torch": str(torch.__version__), "numpy": np.__version__}


class Stand(NamedTuple):
    """Where a run stands: its learner, the points of its curve, and how many seconds it has taken."""

    learner: Learner
    points: list[dict[str, Any]]
    seconds: float


def save(run: RunFolder | None, stand: Stand, imitated: int) -> None:
    """Write a checkpoint; all ranks do so at once, and those without a folder write nothing.

    Args:
        imitated: decisions of the warm start that are done.
    """
    learner = stand.learner
    state = learner.state()  # of all ranks
    if run is None:
        return
    text, arrays = pack({"learner": state, "points": stand.points})
    note = {"imitated": imitated, "self-play": learner.decisions, WRITTEN_WITH: _written_with(learner),
            PLANNED: learner.plan.model_dump(), SECONDS: round(stand.seconds, 1), CLOCK: learner.clock()}  # fmt: skip
    run.checkpoints.save({MODEL: learner.model_bytes(), STATE: text, ARRAYS: arrays}, note)


def take_up(run: RunFolder | None, plan: Plan, ranks: Ranks, progress: Progress) -> Stand:
    """Where a run stands, by its newest checkpoint or at its beginning; says so, and writes curve and plan anew.

    Raises RunError where it cannot go on from there.
    """
    learner = Learner(plan, ranks)
    _check_that_ranks_compute_alike(learner)
    checkpoint = run.checkpoints.settle(progress.tell) if run else None
    if run and checkpoint is not None:
        check_kept(run.plan_file, plan, checkpoint.note.get(PLANNED))
    kept = ranks.from_first(checkpoint and _state_in(checkpoint))
    points: list[dict[str, Any]] = []
    if kept is None:
        if run:
            _check_that_nothing_is_lost(run)
        learner.start()
    else:
        points = _put_back(learner, kept, str(checkpoint.path) if checkpoint else "the checkpoint", progress)
    if run:
        _say_where_it_stands(run, checkpoint, learner, progress)
        run.write(CURVE, curve_lines(points))
        if run.plan_file.read_text("utf-8") != toml_of(plan):
            run.write(PLAN, toml_of(plan))
    return Stand(learner, points, seconds_in(checkpoint.note) if checkpoint else 0.0)


def _check_that_ranks_compute_alike(learner: Learner) -> None:
    """Raises RunError where what they compute would not add up the same."""
    found = set(learner.ranks.gather(_computing(learner)))
    if len(found) > 1:
        computes = f"one rank computes in {', another in '.join(sorted(found))}"
        raise RunError(f"{computes}; expected the same of all: name {option('precision')} and {option('device')}")


def _state_in(checkpoint: Checkpoint) -> list[Any]:
    """The state in a checkpoint's files, its text and its arrays as bytes, as ranks tell them each other; and the clock, empty
    where there is none. Raises RunError."""
    missing = [name for name in (STATE, ARRAYS) if name not in checkpoint.files]
    if missing:
        raise RunError(f"{checkpoint.path} has no {missing[0]}; expected a checkpoint of a run, as `hansa train` writes it")
    try:
        text, clock = checkpoint.files[STATE].decode(), checkpoint.note.get(CLOCK)
        return [text, np.frombuffer(checkpoint.files[ARRAYS], np.uint8), dict(clock) if isinstance(clock, dict) else {}]
    except UnicodeDecodeError as error:
        raise RunError(f"{checkpoint.path}: {STATE} is not text ({error!s:.200})") from error


def _check_that_nothing_is_lost(run: RunFolder) -> None:
    """Raises RunError where a run came somewhere and its checkpoints are gone: it would begin anew over what it made."""
    path = run.path
    left = [path / MODEL, *milestones_in(path)]
    model = next((one for one in left if one.exists()), None)
    if model or read_curve(path / CURVE):
        begin = f"hansa train --start {shlex.quote(str(model))} --folder OTHER"
        start = f"; begin another run with its weights: {begin}" if model else ""
        raise RunError(f"{path} holds a run whose checkpoints are gone, and cannot go on without them{start}")


def _put_back(learner: Learner, kept: list[Any], where: str, progress: Progress) -> list[dict[str, Any]]:
    """Let a learner go on from what `_state_in` found in a checkpoint; returns the points of the curve. Raises RunError."""
    text, arrays, clock = kept
    try:
        state = unpack(text.encode(), arrays.tobytes())
        for shard in state["learner"]["shards"]:
            if shard.get("expert") is not None:
                shard["expert"] = up_to_date(shard["expert"])
        learner.set_state(state["learner"], clock)
        _check_games(learner, progress)
        points = check_points(state["points"])
    except UNUSABLE as error:
        reason = str(error) if isinstance(error, RunError) else with_kind(error)
        raise RunError(f"{where} cannot be used to continue the run ({reason:.300})") from error
    if learner.overshot:
        name = "minutes" if learner.plan.minutes else "self_play"
        done = round(learner.seconds / 60, 2) if learner.plan.minutes else learner.decisions
        raise RunError(f"{option(name)} is {getattr(learner.plan, name)}; the run has {done} behind it")
    return points


def _check_games(learner: Learner, progress: Progress) -> None:
    """Raises PositionError where a checkpoint holds records that are no games: the compiled rules would take them for some."""
    kept = list(learner.kept_games())
    with progress.aside("checking games", sum(len(games) for _, games in kept)) as checked:
        for ruleset, games in kept:
            for game in games:
                check_game(ruleset, game)
                checked()


def _say_where_it_stands(run: RunFolder, checkpoint: Checkpoint | None, learner: Learner, progress: Progress) -> None:
    if checkpoint is not None:
        progress.tell(f"going on from {checkpoint.path}: {stand_in(checkpoint.note)}")
        was, now = checkpoint.note.get(WRITTEN_WITH), _written_with(learner)
        if was != now:
            progress.tell(f"it was written with {was}, this is {now}: figures may differ from an uninterrupted run's")
    for line in lines_of_the_unmet(learner.plan):
        progress.tell(line)
    if problem := why_in_no_spec("--folder", run.path):
        progress.tell(f"{problem}; rename the folder when the run is over")
    with suppress(RunError):  # it is written anew in any case
        read_curve(run.path / CURVE, progress.tell)


def _written_with(learner: Learner) -> dict[str, str]:
    return VERSIONS | {"computing": _computing(learner)}


def _computing(learner: Learner) -> str:
    dtype, device = learner.computing
    return f"{dtype} on {device.type}".removeprefix("torch.")
