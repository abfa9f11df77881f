"""One progress bar over warm start, self-play and evaluations: rate, time left, and what was last measured."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback


def progress_bar() -> Progress:
    """A bar of decisions: done of all, decisions/s, time spent and left."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        TextColumn("{task.fields[note]}"),
        speed_estimate_period=60,
    )


def rate_of(progress: Progress, task: int) -> str:
    """Decisions/s of a task as text."""
    spent = progress.tasks[task].elapsed or 0.0
    return f"{progress.tasks[task].completed / spent:,.0f}/s" if spent > 1 else ""


class ProgressCallback(BaseCallback):
    """Moves the bar on after every step of all environments."""

    def __init__(self, progress: Progress, task: int) -> None:
        super().__init__()
        self.progress, self.task = progress, task

    def _on_step(self) -> bool:
        self.progress.advance(self.task, self.training_env.num_envs)
        self.progress.update(self.task, rate=rate_of(self.progress, self.task))
        return True
