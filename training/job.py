"""The main job: a warm start, self-play, a learning curve, a final table. However it is stopped, it goes on where it was."""

from __future__ import annotations

import errno
import json
import shlex
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from safetensors import SafetensorError
from stable_baselines3.common.logger import Logger, configure

from hansa_env.commands.progress import Progress, progress_on
from hansa_env.play.registry import runs_code
from hansa_env.ruleset_options import words_of
from hansa_training.checkpoints import Checkpoints
from hansa_training.curve import curve_lines, picture, read_curve
from hansa_training.errors import ModelError, PlanError, RunError
from hansa_training.learner import Learner, started_from
from hansa_training.measure import curve_point, final_games, note_of, print_result
from hansa_training.model_file import MODEL
from hansa_training.opponent_cost import warnings_of
from hansa_training.plan import CHANGEABLE, SPECS, Plan, make_plan, named_in, option, read_toml
from hansa_training.run_folder import CHECKPOINTS, PLAN, RunFolder
from hansa_training.sizes import NETWORKS
from hansa_training.state import pack, unpack
from hansa_training.worth import worth_of

CURVE, PICTURE, RESULT, MILESTONES = "curve.jsonl", "curve.png", "result.json", "milestones"
#: Of the figures of the last rollout, those that a point of the curve keeps: what does not depend on the clock.
KEPT = ("train/", "league/", "games/")
STATE, ARRAYS = "state.json", "state.safetensors"
#: What figures depend on beside the plan and the machine; and in what and where its networks compute.
VERSIONS = {"torch": str(torch.__version__), "numpy": np.__version__}


class Job:
    """A run in a folder that this process holds.

    Args:
        run: the folder.
        plan: what to do.
        console: where progress and the final table go, by default stderr and stdout.

    Leaves in the folder: checkpoints, milestones, `curve.jsonl`, TensorBoard events in `tensorboard/`, and when it is done
    `model.safetensors`, `curve.png`, `result.json`. With the same plan, PyTorch and machine, an interrupted run ends as any
    other.
    """

    def __init__(self, run: RunFolder, plan: Plan, console: Console | None = None) -> None:
        self.run_folder, self.plan = run, plan
        self.console, self._watched = console or Console(), console
        self.points: list[dict[str, Any]] = []

    def run(self) -> dict[str, Any]:
        """Train and evaluate from where the run stands; returns the final result, which is also in `result.json`.

        Raises:
            RunError: the checkpoints cannot be gone on with, or the disk is full; the run can go on when it is not.
        """
        began = time.monotonic()
        torch.set_num_threads(1)  # shards are what shares the cores
        try:
            with progress_on(self._watched) as progress, closing(self._take_up(progress)) as learner:
                self._warm_start(learner, progress)
                self._self_play(learner, progress)
                result = self._finish(learner, progress)
        except OSError as error:
            raise _disk_error(error, self.run_folder.path) from error
        self._print(result, time.monotonic() - began)
        return result

    def _take_up(self, progress: Progress) -> Learner:
        learner = Learner(self.plan)
        checkpoint = self.run_folder.checkpoints.settle(progress.tell)
        if checkpoint is None:
            learner.start()
        else:
            try:
                state = unpack(checkpoint.files[STATE], checkpoint.files[ARRAYS])
                learner.set_state(state["learner"])
                self.points = state["points"]
            except (KeyError, TypeError, ValueError, RuntimeError, SafetensorError) as error:
                reason = " ".join(str(error).split())
                raise RunError(f"{checkpoint.path} cannot be gone on with ({type(error).__name__}: {reason})") from error
            if learner.overshot:
                raise RunError(f"{option('self_play')} is {self.plan.self_play}; the run has {learner.decisions} behind it")
            progress.tell(f"going on from {checkpoint.path}: {_stand(checkpoint.note)}")
            was, now = checkpoint.note.get("written with"), _written_with(learner)
            if was != now:
                progress.tell(f"it was written with {was}, this is {now}: figures may differ from an uninterrupted run's")
        curve = self.run_folder.path / CURVE
        with suppress(RunError):  # it is written anew in any case
            read_curve(curve, progress.tell)
        self.run_folder.write(CURVE, curve_lines(self.points))
        if self.run_folder.plan_file.read_text("utf-8") != self.plan.toml():
            self.run_folder.write(PLAN, self.plan.toml())
        return learner

    def _warm_start(self, learner: Learner, progress: Progress) -> None:
        imitation = learner.imitation
        if imitation is None:
            return
        progress.begin("warm start", self.plan.warm_start, imitation.done)
        rounds = 0
        while learner.imitation is not None:
            learner.imitate()
            rounds += 1
            progress.at(imitation.done, f"copies {imitation.share:.0%} of the choices")
            if rounds % self.plan.checkpoint_every == 0 or learner.imitation is None:
                self._save(learner, imitation.done)
        progress.end()

    def _self_play(self, learner: Learner, progress: Progress) -> None:
        plan = self.plan
        logger = configure(str(self.run_folder.path / "tensorboard"), ["tensorboard"])
        learner.log_to(logger)
        for line in warnings_of(plan):
            progress.tell(line)
        progress.begin("self-play", plan.self_play, learner.decisions, note_of(self.points, self.plan))
        try:
            if not self.points:
                self._add_point(learner, logger, progress)
                progress.at(learner.decisions, note_of(self.points, self.plan))
            while not learner.finished:
                before = learner.decisions
                learner.play()
                progress.at(learner.decisions)
                self._keep_milestone(learner, before)
                done = learner.rollouts
                after = done - plan.value_rollouts
                if learner.finished or (after > 0 and after % plan.evaluate_every == 0):
                    self._add_point(learner, logger, progress)
                    progress.at(learner.decisions, note_of(self.points, self.plan))
                elif done % plan.checkpoint_every == 0:
                    self._save(learner, plan.warm_start)
        finally:
            with suppress(OSError):  # of what TensorBoard has not written yet
                logger.close()
        progress.end()

    def _add_point(self, learner: Learner, logger: Logger, progress: Progress) -> None:
        """Measure the learner: a point of the curve, kept in the checkpoint; the file of the curve only repeats it."""
        point = {"decisions": learner.decisions, **curve_point(learner.agent(), self.plan, progress)}
        for name, value in point.items():
            if isinstance(value, float):
                logger.record(f"arena/{name}", value)
        logger.dump(learner.decisions)
        point["figures"] = {name: value for name, value in learner.figures.items() if name.startswith(KEPT)}
        self.points.append(point)
        self._save(learner, self.plan.warm_start)
        self.run_folder.write(CURVE, curve_lines(self.points))

    def _keep_milestone(self, learner: Learner, before: int) -> None:
        """Keep the model each time another `keep_every` decisions are behind it, so that early can play late."""
        every = self.plan.keep_every
        if every and learner.decisions // every > before // every:
            count = learner.decisions // every * every
            self.run_folder.write(f"{MILESTONES}/{count:011d}.safetensors", learner.model_bytes())

    def _save(self, learner: Learner, imitated: int) -> None:
        text, arrays = pack({"learner": learner.state(), "points": self.points})
        note = {"imitated": imitated, "self-play": learner.decisions, "written with": _written_with(learner)}
        self.run_folder.checkpoints.save({MODEL: learner.model_bytes(), STATE: text, ARRAYS: arrays}, note)

    def _finish(self, learner: Learner, progress: Progress) -> dict[str, Any]:
        final = final_games(learner, self.plan, progress)
        result = {"plan": self.plan.model_dump(), "curve": self.points, **final}
        self.run_folder.write(MODEL, learner.model_bytes())
        self.run_folder.write(PICTURE, picture(self.points, self.plan))
        self.run_folder.write(RESULT, json.dumps(result, indent=1) + "\n")
        return result

    def _print(self, result: dict[str, Any], seconds: float) -> None:
        folder, others = self.run_folder.path, self.plan.players - 1
        print_result(result, self.plan, seconds, self.console)
        self.console.print(
            f"model {folder / MODEL}, learning curve {folder / PICTURE}, TensorBoard: tensorboard --logdir {folder}; "
            f"let it play: hansa arena ppo:{folder / MODEL} {' '.join(['greedy'] * others)} {words_of(self.plan.ruleset)}",
            soft_wrap=True, highlight=False, markup=False,
        )  # fmt: skip


def train(
    folder: Path,
    resume: bool = False,
    file: Path | None = None,
    options: Mapping[str, str] | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Begin a run or go on with one; returns its result.

    Args:
        folder: of the run.
        resume: go on with the run in the folder; its plan holds, and options may only change what is in CHANGEABLE.
        file, options: of the plan, see `make_plan`.

    Raises:
        PlanError: an option is wrong; then nothing has been done, and no folder was made.
        RunError: the run cannot be begun or gone on with.
    """
    if not resume:
        plan = make_plan(file=file, options=options)
        _check_device(plan)
        _check_start(plan)
        worth_of(plan)
        with _folder(RunFolder.begin, folder, plan.toml()) as run:
            return Job(run, plan, console).run()
    with _folder(RunFolder.resume, folder) as run:
        kept = make_plan(file=run.plan_file, named=named_in(options))
        plan = make_plan(kept.model_dump(), file, options)
        for name in Plan.model_fields:
            was, now = getattr(kept, name), getattr(plan, name)
            if was != now and name not in CHANGEABLE:
                raise PlanError(f"{run.plan_file}: {name} = {was!r}, but {now!r} was asked for; expected the same, since only "
                                f"{', '.join(CHANGEABLE)} may change in a run")  # fmt: skip
        _check_device(plan)
        return Job(run, plan, console).run()


def _check_device(plan: Plan) -> None:
    if plan.device == "cuda" and not torch.cuda.is_available():
        raise PlanError(f"{option('device')} is 'cuda', but PyTorch finds no GPU here; expected cpu, or auto")


def _check_start(plan: Plan) -> None:
    if plan.start:
        try:
            started_from(plan.start, plan.ruleset, NETWORKS[plan.network])
        except ModelError as error:
            raise PlanError(f"{option('start')}: {error}") from error


def _written_with(learner: Learner) -> dict[str, str]:
    dtype, device = learner.computing
    return VERSIONS | {"computing": f"{dtype} on {device.type}".removeprefix("torch.")}


def how_to_go_on(folder: Path) -> str:
    """The command that goes on with a run."""
    words = [str(folder)]
    if any(character.isspace() for character in words[0]):
        words = [f'"{words[0]}"']
    with suppress(PlanError):
        kept = read_toml(folder / PLAN)
        for name in SPECS:  # those that run code count only where they are named again
            if any(map(runs_code, str(kept.get(name, "")).split())):
                words.append(f"{option(name)} {shlex.quote(str(kept[name]))}")
    return f"hansa train --resume --folder {' '.join(words)}"


def _folder(make: Callable[..., RunFolder], path: Path, *arguments: str) -> RunFolder:
    """A run's folder, begun or resumed. Raises `RunError`, also for what the disk says."""
    try:
        return make(path, *arguments)
    except OSError as error:
        raise _disk_error(error, path) from error


def _disk_error(error: OSError, folder: Path) -> RunError:
    name = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        after = f"go on: {how_to_go_on(folder)}" if (folder / PLAN).exists() else "begin again"
        return RunError(f"{folder}: the disk is full{name}: {error.strerror}; what was saved before is whole: make room and "
                        f"{after}")  # fmt: skip
    return RunError(f"{folder}: cannot be written{name}: {error.strerror or error}")


def stand_of(folder: Path) -> str:
    """How far the run in a folder is, in words; empty where there is nothing to go on from."""
    with suppress(RunError):
        newest = Checkpoints(folder / CHECKPOINTS).newest()
        return _stand(newest.note) if newest else ""
    return ""


def _stand(note: Mapping[str, Any]) -> str:
    return f"{note['imitated']:,} decisions of warm start, {note['self-play']:,} of self-play"
