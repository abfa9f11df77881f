"""Where a run is watched: TensorBoard, and on demand Weights & Biases and MLflow, as writers of Stable-Baselines3's logger."""

from __future__ import annotations

import os
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from hansa_env.extras import what_is_missing
from hansa_env.formats.file_writing import write_whole
from hansa_training.errors import PlanError, with_kind

if TYPE_CHECKING:
    from hansa_training.plan import Plan

PROJECT = "hansa_env"
#: How a run ended, as MLflow calls it, and the exit code by which Weights & Biases knows it.
FINISHED, STOPPED, FAILED = "FINISHED", "KILLED", "FAILED"
EXIT_CODES = {FINISHED: 0, STOPPED: 255, FAILED: 1}
#: Characters of a figure's name and of an option's value that MLflow takes.
LONGEST_NAME, LONGEST_VALUE = 250, 6000


def logger_of(plan: Plan, folder: Path, tell: Callable[[str], None] = print) -> Logger:
    """The logger of a run: it records figures by name, and writes them to all who watch; `tell` is given a line about each of
    them that fails. Raises `PlanError`."""
    check_watch(plan)
    writers: list[KVWriter] = [TensorBoardOutputFormat(str(folder / "tensorboard"))]
    writers += [Watcher(name, plan, folder, tell) for name in plan.watch.split()]
    return Logger(str(folder), writers)


def close(logger: Logger, error: BaseException | None = None) -> None:
    """Let go of all who watch, and tell them how the run ended: with an error or Ctrl-C, if with any."""
    for writer in logger.output_formats:
        if isinstance(writer, Watcher):
            writer.ended = FINISHED if error is None else STOPPED if isinstance(error, KeyboardInterrupt) else FAILED
    logger.close()


def check_watch(plan: Plan) -> None:
    """Raises `PlanError` where one of those who are to watch is not installed."""
    for name in plan.watch.split():
        try:
            import_module(name)
        except ImportError as error:
            raise PlanError(f"--watch is {plan.watch!r}: {what_is_missing(error)}") from error


class Watcher(KVWriter):
    """One of WRITERS. Where it fails it says so once, and the run goes on without it: its server may be away for long. It is
    asked once more at the end, silently, so that a server that is back does not show the run as going on for good.

    Attributes:
        ended: how the run did, for `close`.
    """

    def __init__(self, name: str, plan: Plan, folder: Path, tell: Callable[[str], None]) -> None:
        self.ended = FINISHED
        self._name, self._tell = name, tell
        self._writer: WandbWriter | MlflowWriter | None = None
        self._failed = False
        with self._unless_it_fails():
            self._writer = WRITERS[name](plan, folder)

    def write(self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0) -> None:
        if self._writer is not None and not self._failed:
            with self._unless_it_fails():
                self._writer.write(key_values, key_excluded, step)

    def close(self) -> None:
        if self._writer is not None:
            with suppress(Exception) if self._failed else self._unless_it_fails():
                self._writer.close(self.ended)

    @contextmanager
    def _unless_it_fails(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # of a library and a server that are not ours
            self._failed = True
            on = "the run goes on without it, and --resume tries it again"
            self._tell(f"--watch: {self._name} failed ({with_kind(error):.300}); {on}")


class WandbWriter(KVWriter):
    """A run of Weights & Biases, in the run's folder; offline, unless WANDB_MODE says otherwise.

    `wandb sync FOLDER/wandb/offline-run-*` sends it later. What goes on with a run goes on with the same one there.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        import wandb

        mode: Any = os.environ.get("WANDB_MODE", "offline")
        self._run = wandb.init(
            project=PROJECT, name=folder.name, dir=str(folder), id=_identity(folder), resume="allow", config=plan.model_dump(),
            mode=mode, settings=wandb.Settings(silent=True, console="off"),
        )  # fmt: skip
        self._run.define_metric("decisions")
        self._run.define_metric("*", step_metric="decisions")  # its own steps must not go back; a run may, to its checkpoint

    def write(self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0) -> None:
        self._run.log({**_numbers(key_values), "decisions": step})

    def close(self, ended: str = FINISHED) -> None:
        self._run.finish(EXIT_CODES[ended])


class MlflowWriter(KVWriter):
    """A run of MLflow, in `mlruns` of the run's folder, unless MLFLOW_TRACKING_URI says otherwise.

    `mlflow ui --backend-store-uri FOLDER/mlruns` shows it. What goes on with a run goes on with the same one there.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        os.environ.setdefault(
            "MLFLOW_ALLOW_FILE_STORE", "true"
        )  # a folder of files needs no data base, which has its own package
        from mlflow import MlflowClient

        self._client = MlflowClient(os.environ.get("MLFLOW_TRACKING_URI") or (folder.resolve() / "mlruns").as_uri())
        experiment = self._client.get_experiment_by_name(PROJECT)
        place = experiment.experiment_id if experiment else self._client.create_experiment(PROJECT)
        identity = _identity(folder)
        known = self._client.search_runs([place], f"tags.hansa = '{identity}'", max_results=1)
        run = known[0] if known else self._client.create_run(place, tags={"hansa": identity}, run_name=folder.name)
        self._id = run.info.run_id
        if known:  # it says how the part before ended
            self._client.update_run(self._id, status="RUNNING")
        try:
            for name, value in plan.model_dump().items():
                if not known or name not in run.data.params:  # else it was begun with less, and what is there cannot change
                    self._client.log_param(self._id, name, str(value)[:LONGEST_VALUE])
        except Exception:
            with suppress(Exception):  # nobody closes what was not made whole, and the run would be shown as going on for good
                self.close(FAILED)
            raise

    def write(self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0) -> None:
        from mlflow.entities import Metric

        now = int(1000 * time.time())
        found = {_name_in_mlflow(name): value for name, value in _numbers(key_values).items()}
        self._client.log_batch(self._id, metrics=[Metric(name, value, now, step) for name, value in found.items()])

    def close(self, ended: str = FINISHED) -> None:
        self._client.set_terminated(self._id, ended)


#: By the names that `watch` of a plan takes, which are `hansa_training.plan_options.WATCHERS`.
WRITERS: dict[str, Callable[[Plan, Path], WandbWriter | MlflowWriter]] = {"wandb": WandbWriter, "mlflow": MlflowWriter}


def _name_in_mlflow(name: str) -> str:
    """A figure's name that MLflow takes: some characters, of a path that leads nowhere else, not too long."""
    parts = [re.sub(r"[^\w\-. ]", "_", part) for part in name.split("/")]
    found = "/".join("_" if part in ("", ".", "..") else part for part in parts)
    return found if len(found) <= LONGEST_NAME else f"{found[: LONGEST_NAME - 9]}-{zlib.crc32(name.encode()):08x}"


def _numbers(figures: Mapping[str, Any]) -> dict[str, float]:
    found = {}
    for name, value in figures.items():
        with suppress(TypeError, ValueError):
            found[name] = float(value)
    return found


def _identity(folder: Path) -> str:
    """What a run is known by where it is watched: made once and kept in its folder, so that the folder may move."""
    file = folder / ".watched"
    if not file.exists():
        write_whole(file, os.urandom(8).hex().encode())
    return re.sub(r"\W", "", file.read_text()[:64])
