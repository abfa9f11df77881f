"""Where a run is watched: TensorBoard, and on demand Weights & Biases and MLflow, as writers of Stable-Baselines3's logger."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from hansa_env.extras import what_is_missing
from hansa_env.formats.files import write_whole
from hansa_training.errors import PlanError

if TYPE_CHECKING:
    from hansa_training.plan import Plan

PROJECT = "hansa_env"


def logger_of(plan: Plan, folder: Path) -> Logger:
    """The logger of a run: it records figures by name, and writes them to all who watch. Raises `PlanError`."""
    check_watch(plan)
    writers: list[KVWriter] = [TensorBoardOutputFormat(str(folder / "tensorboard"))]
    writers += [WRITERS[name](plan, folder) for name in plan.watch.split()]
    return Logger(str(folder), writers)


def check_watch(plan: Plan) -> None:
    """Raises `PlanError` where one of those who are to watch is not installed."""
    for name in plan.watch.split():
        try:
            import_module(name)
        except ImportError as error:
            raise PlanError(f"--watch is {plan.watch!r}: {what_is_missing(error)}") from error


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

    def close(self) -> None:
        self._run.finish()


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
        for name, value in {} if known else plan.model_dump().items():
            self._client.log_param(self._id, name, value)

    def write(self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0) -> None:
        from mlflow.entities import Metric

        now = int(1000 * time.time())
        found = {re.sub(r"[^\w\-. /]", "_", name): value for name, value in _numbers(key_values).items()}
        self._client.log_batch(self._id, metrics=[Metric(name, value, now, step) for name, value in found.items()])

    def close(self) -> None:
        self._client.set_terminated(self._id)


#: By the names that `watch` of a plan takes, which are `hansa_training.plan.WATCHERS`.
WRITERS: dict[str, Callable[[Plan, Path], KVWriter]] = {"wandb": WandbWriter, "mlflow": MlflowWriter}


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
