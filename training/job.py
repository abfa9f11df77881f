"""The main job: a warm start, self-play, a learning curve, a final table. However it is stopped, it goes on where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from stable_baselines3.common.logger import Logger

from hansa_agents.command_options import how_to_let_play
from hansa_agents.networks.run_models import MODEL, milestone_file
from hansa_env.commands.output import print_line
from hansa_env.commands.progress import Progress, progress_on
from hansa_training.curve import curve_lines, picture
from hansa_training.learner import Learner
from hansa_training.measure import curve_point, final_games, meetings_of, most_memory, note_of, print_result
from hansa_training.opponent_cost import warnings_of
from hansa_training.plan import Plan
from hansa_training.ranks import ALONE, Ranks
from hansa_training.resume import Stand, save, take_up
from hansa_training.run_folder import CURVE, PICTURE, RESULT, RunFolder
from hansa_training.standing import disk_error
from hansa_training.watch import close, logger_of

#: Of the figures of the last rollout, those that a point of the curve keeps: what does not depend on the clock.
OF_A_POINT = ("train/", "league/", "games/")


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
        learner, self.points, self._seconds_before = take_up(self._run, self.plan, self.ranks, progress)
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
        point["figures"] = {name: value for name, value in learner.figures.items() if name.startswith(OF_A_POINT)}
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
        save(self._run, Stand(learner, self.points, self.seconds), imitated)

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
