"""The main job: a warm start, self-play, a learning curve, a final table. However it is stopped, it goes on where it was."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from safetensors import SafetensorError
from stable_baselines3.common.logger import Logger

from hansa_agents.command_options import how_to_let_play
from hansa_agents.networks.run_models import MODEL, milestone_file, milestones_in
from hansa_env.commands.output import print_line
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.formats.check_game import check_game
from hansa_training.checkpoints import Checkpoint
from hansa_training.curve import curve_lines, picture, read_curve
from hansa_training.errors import RunError, with_kind
from hansa_training.learner import Learner
from hansa_training.measure import curve_point, final_games, meetings_of, most_memory, note_of, print_result
from hansa_training.opponent_cost import warnings_of
from hansa_training.plan import Plan
from hansa_training.plan_file import check_kept
from hansa_training.plan_texts import option, toml_of
from hansa_training.ranks import ALONE, Ranks
from hansa_training.result_file import check_points
from hansa_training.run_folder import PLAN, RunFolder, why_in_no_spec
from hansa_training.standing import SECONDS, disk_error, seconds_in, stand_in
from hansa_training.state import pack, unpack
from hansa_training.unmet import lines_of_the_unmet
from hansa_training.watch import close, logger_of

CURVE, PICTURE, RESULT = "curve.jsonl", "curve.png", "result.json"
#: Of the figures of the last rollout, those that a point of the curve keeps: what does not depend on the clock.
KEPT = ("train/", "league/", "games/")
STATE, ARRAYS = "state.json", "state.safetensors"
#: In the note of a checkpoint: the plan by which it came about, and how long self-play took; those of earlier versions do not
#: tell.
PLANNED, CLOCK = "plan", "clock"
#: What a checkpoint raises that is whole but does not say what a run's says.
UNUSABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, SafetensorError)
#: What figures depend on beside the plan and the machine; and in what and where its networks compute.
VERSIONS = {"torch": str(torch.__version__), "numpy": np.__version__}


class Job:
    """A run in a folder that this process holds.

    Args:
        run: the folder; None in ranks that are not the first, which write nothing.
        plan: what to do.
        console: where progress and the final table go, by default stderr and stdout.
        ranks: the processes that share the run.

    Leaves in the folder: checkpoints, milestones, `curve.jsonl`, TensorBoard events in `tensorboard/`, and when it is done
    `model.safetensors`, `curve.png`, `result.json`. With the same plan, PyTorch and machine, an interrupted run ends as any
    other.
    """

    def __init__(self, run: RunFolder | None, plan: Plan, console: Console | None = None, ranks: Ranks = ALONE) -> None:
        self._run, self.plan, self.ranks = run, plan, ranks
        self.console, self._watched = console or Console(), console
        self.points: list[dict[str, Any]] = []
        self._seconds_before, self._began = 0.0, time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the run has taken, what was done before it was resumed included."""
        return self._seconds_before + time.monotonic() - self._began

    def run(self) -> dict[str, Any]:
        """Train and evaluate from where the run stands; returns the final result, which is also in `result.json`.

        Raises:
            RunError: the run cannot continue from its checkpoints, or the disk is full; free some space and resume it.
        """
        self._began = time.monotonic()
        torch.set_num_threads(1)  # shards are what shares the cores
        try:
            with progress_on(self._watched) as progress, closing(self._take_up(progress)) as learner:
                scatters = learner.rollouts == 0 and not learner.finished
                for line in warnings_of(self.plan, learner.imitation is not None, scatters) if self._run else ():
                    progress.tell(line)
                self._warm_start(learner, progress)
                self._self_play(learner, progress)
                result = self._finish(learner, progress)
        except OSError as error:
            if self._run is None:
                raise
            raise disk_error(error, self._run.path) from error
        if self._run is not None:
            show(self._run.path, result, self.plan, self.seconds, self.console, most_memory())
        return result

    def _take_up(self, progress: Progress) -> Learner:
        learner = Learner(self.plan, self.ranks)
        found = set(self.ranks.gather(_computing(learner)))
        if len(found) > 1:  # they would not add up the same
            computes = f"one rank computes in {', another in '.join(sorted(found))}"
            raise RunError(f"{computes}; expected the same of all: name {option('precision')} and {option('device')}")
        checkpoint = self._run.checkpoints.settle(progress.tell) if self._run else None
        if self._run and checkpoint is not None:
            check_kept(self._run.plan_file, self.plan, checkpoint.note.get(PLANNED))
        kept = self.ranks.from_first(checkpoint and _state_in(checkpoint))
        if kept is None:
            self._check_that_nothing_is_lost()
            learner.start()
        else:
            where = checkpoint.path if checkpoint else "the checkpoint"
            try:
                state = unpack(kept[0].encode(), kept[1].tobytes())
                learner.set_state(state["learner"], kept[2])
                _check_games(learner, progress)
                self.points = check_points(state["points"])
            except UNUSABLE as error:
                reason = str(error) if isinstance(error, RunError) else with_kind(error)
                raise RunError(f"{where} cannot be used to continue the run ({reason:.300})") from error
            if learner.overshot:
                name = "minutes" if self.plan.minutes else "self_play"
                done = round(learner.seconds / 60, 2) if self.plan.minutes else learner.decisions
                raise RunError(f"{option(name)} is {getattr(self.plan, name)}; the run has {done} behind it")
        if self._run:
            self._say_where_it_stands(self._run, checkpoint, learner, progress)
        return learner

    def _check_that_nothing_is_lost(self) -> None:
        """Raises RunError where a run came somewhere and its checkpoints are gone: it would begin anew over what it made."""
        if self._run is None:
            return
        path = self._run.path
        left = [path / MODEL, *milestones_in(path)]
        model = next((one for one in left if one.exists()), None)
        if model or read_curve(path / CURVE):
            begin = f"hansa train --start {shlex.quote(str(model))} --folder OTHER"
            start = f"; begin another run with its weights: {begin}" if model else ""
            raise RunError(f"{path} holds a run whose checkpoints are gone, and cannot go on without them{start}")

    def _say_where_it_stands(
        self, run: RunFolder, checkpoint: Checkpoint | None, learner: Learner, progress: Progress
    ) -> None:  # fmt: skip
        if checkpoint is not None:
            self._seconds_before = seconds_in(checkpoint.note)
            progress.tell(f"going on from {checkpoint.path}: {stand_in(checkpoint.note)}")
            was, now = checkpoint.note.get("written with"), _written_with(learner)
            if was != now:
                progress.tell(f"it was written with {was}, this is {now}: figures may differ from an uninterrupted run's")
        for line in lines_of_the_unmet(self.plan):
            progress.tell(line)
        if problem := why_in_no_spec("--folder", run.path):
            progress.tell(f"{problem}; rename the folder when the run is over")
        with suppress(RunError):  # it is written anew in any case
            read_curve(run.path / CURVE, progress.tell)
        run.write(CURVE, curve_lines(self.points))
        if run.plan_file.read_text("utf-8") != toml_of(self.plan):
            run.write(PLAN, toml_of(self.plan))

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
        logger = logger_of(plan, self._run.path, progress.tell) if self._run else Logger(None, [])

        def done() -> int:
            return round(learner.progress[0])

        what = "seconds of self-play" if plan.minutes else "self-play"
        progress.begin(what, round(learner.progress[1]), done(), note_of(self.points, self.plan))
        try:
            if self._lacks_a_point(learner):
                self._add_point(learner, logger, progress)
                progress.at(done(), note_of(self.points, self.plan))
            while not learner.finished:
                before = learner.decisions
                learner.play()
                _log(logger, learner.figures, learner.decisions)
                progress.at(done())
                self._keep_milestone(learner, before)
                if self._lacks_a_point(learner):
                    self._save(learner, plan.warm_start)  # measuring takes a while, in which a run may be stopped
                    self._add_point(learner, logger, progress)
                    progress.at(done(), note_of(self.points, self.plan))
                elif learner.rollouts % plan.checkpoint_every == 0:
                    self._save(learner, plan.warm_start)
        except BaseException as error:
            with suppress(OSError):  # of what TensorBoard has not written yet
                close(logger, error)
            raise
        with suppress(OSError):
            close(logger)
        progress.end()

    def _add_point(self, learner: Learner, logger: Logger, progress: Progress) -> None:
        """Measure the learner: a point of the curve, kept in the checkpoint; the file of the curve only repeats it. What was
        measured of it before, against others, stays in the point."""
        point = {"decisions": learner.decisions, **curve_point(learner, self.plan, progress, self.ranks)}
        _log(logger, {f"arena/{name}": one for name, one in point.items() if isinstance(one, float)}, learner.decisions)
        point["figures"] = {name: value for name, value in learner.figures.items() if name.startswith(KEPT)}
        if self.points and self.points[-1]["decisions"] == learner.decisions:
            point = self.points.pop() | point
        self.points.append(point)
        self._save(learner, self.plan.warm_start)
        if self._run:
            self._run.write(CURVE, curve_lines(self.points))

    def _lacks_a_point(self, learner: Learner) -> bool:
        """Whether it is time for a point of the curve, and there is none, or none against all that are measured against now."""
        if not self.points:
            return True
        newest, after = self.points[-1], learner.rollouts - self.plan.value_rollouts
        if newest["decisions"] == learner.decisions:
            return learner.finished and any(one.name not in newest for one in meetings_of(self.plan))
        return learner.finished or (after > 0 and after % self.plan.evaluate_every == 0)

    def _keep_milestone(self, learner: Learner, before: int) -> None:
        """Keep the model each time another `keep_every` decisions are behind it, so that early can play late."""
        every = self.plan.keep_every
        if self._run and every and learner.decisions // every > before // every:
            count = learner.decisions // every * every
            self._run.write(milestone_file(count), learner.model_bytes())

    def _save(self, learner: Learner, imitated: int) -> None:
        state = learner.state()  # of all ranks
        if self._run is None:
            return
        text, arrays = pack({"learner": state, "points": self.points})
        note = {"imitated": imitated, "self-play": learner.decisions, "written with": _written_with(learner),
                PLANNED: self.plan.model_dump(), SECONDS: round(self.seconds, 1), CLOCK: learner.clock()}  # fmt: skip
        self._run.checkpoints.save({MODEL: learner.model_bytes(), STATE: text, ARRAYS: arrays}, note)

    def _finish(self, learner: Learner, progress: Progress) -> dict[str, Any]:
        final = final_games(learner, self.plan, progress, self.ranks)
        result = {"plan": self.plan.model_dump(), "curve": self.points, **final}
        if self._run:
            self._run.write(MODEL, learner.model_bytes())
            self._run.write(RESULT, json.dumps(result, indent=1) + "\n")  # before the picture, which adds nothing to it
            self._run.write(PICTURE, picture(self.points, self.plan))
        return result


def show(
    folder: Path, result: dict[str, Any], plan: Plan, seconds: float, console: Console, memory: int | None = None
) -> None:  # fmt: skip
    """Print the result of the run in a folder, and where the rest of it is."""
    print_result(result, plan, seconds, console, memory)
    print_line(
        f"model {folder / MODEL}, learning curve {folder / PICTURE}, TensorBoard: tensorboard --logdir {folder}; "
        f"{how_to_let_play(f'ppo:{folder / MODEL}', plan.rulesets_played[0])}",
        console,
    )


def _log(logger: Logger, figures: Mapping[str, float], decisions: int) -> None:
    """Write figures to where a run is watched."""
    for name, value in figures.items():
        logger.record(name, value)
    logger.dump(decisions)


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


def _check_games(learner: Learner, progress: Progress) -> None:
    """Raises PositionError where a checkpoint holds records that are no games: the compiled rules would take them for some."""
    kept = list(learner.kept_games())
    with progress.aside("checking games", sum(len(games) for _, games in kept)) as checked:
        for ruleset, games in kept:
            for game in games:
                check_game(ruleset, game)
                checked()


def _written_with(learner: Learner) -> dict[str, str]:
    return VERSIONS | {"computing": _computing(learner)}


def _computing(learner: Learner) -> str:
    dtype, device = learner.computing
    return f"{dtype} on {device.type}".removeprefix("torch.")
