"""Runs that others watch: what they are told, and that a run which goes on is the same one there."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from hansa_training.begin import train
from hansa_training.errors import PlanError, RunError
from hansa_training.plan_file import make_plan
from hansa_training.plan_options import WATCHERS
from hansa_training.watch import PROJECT, WRITERS, check_watch, close, logger_of
from tests.training.tiny import SHORT, TINY, figures


def test_only_who_is_known_may_watch_and_has_to_be_installed(monkeypatch) -> None:
    assert make_plan(options={"watch": "wandb mlflow"}).watch.split() == ["wandb", "mlflow"]
    with pytest.raises(PlanError, match=r"^--watch = 'os'; expected mlflow, wandb, or several with spaces between them$"):
        make_plan(options={"watch": "os"})
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(PlanError, match=r"^--watch is 'wandb': .*; install .* pip install 'hansa-env\[watch\]'$"):
        check_watch(make_plan(options={"watch": "wandb"}))


def test_whoever_a_plan_may_name_is_told() -> None:
    assert WRITERS.keys() == set(WATCHERS)
    for name in WATCHERS:
        assert make_plan(options={"watch": name}).watch == name


def test_what_is_lacking_is_told_before_a_folder_is_made(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(PlanError, match=r"pip install 'hansa-env\[watch\]'"):
        train(tmp_path / "run", options=TINY | {"watch": "mlflow"})
    assert not (tmp_path / "run").exists()


class Client:
    """As much of MLflow's as is asked for; runs are kept beyond it."""

    runs: ClassVar[list[Any]] = []
    broken: ClassVar[bool] = False
    gone: ClassVar[bool] = False

    def __init__(self, address: str) -> None:
        self.address = address

    def get_experiment_by_name(self, name: str) -> SimpleNamespace:
        return SimpleNamespace(experiment_id="1")

    def search_runs(self, places: list[str], text: str, max_results: int) -> list[Any]:
        return [one for one in self.runs if one.tags["hansa"] in text]

    def create_run(self, place: str, tags: dict[str, str], run_name: str) -> Any:
        run = SimpleNamespace(info=SimpleNamespace(run_id=str(len(self.runs))), data=SimpleNamespace(params={}, metrics={}))
        run.tags, run.status = tags, "RUNNING"
        self.runs.append(run)
        return run

    def log_param(self, run: str, name: str, value: str) -> None:
        assert name not in self.runs[int(run)].data.params and len(str(value)) <= 6000
        self.runs[int(run)].data.params[name] = value

    def log_batch(self, run: str, metrics: list[Any]) -> None:
        if Client.broken:
            raise RuntimeError("the server is away")
        for name, value, _, _ in metrics:
            assert re.fullmatch(r"[/\w.\- ]{1,250}", name) and posixpath.normpath(name) == name and name[0] not in "/.", name
            self.runs[int(run)].data.metrics[name] = value

    def update_run(self, run: str, status: str) -> None:
        self.runs[int(run)].status = status

    def set_terminated(self, run: str, status: str) -> None:
        if Client.gone:
            raise RuntimeError("the server is still away")
        self.runs[int(run)].status = status


@pytest.fixture
def mlflow_runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The runs of a stand-in for MLflow."""
    monkeypatch.setitem(sys.modules, "mlflow", SimpleNamespace(MlflowClient=Client))
    monkeypatch.setitem(sys.modules, "mlflow.entities", SimpleNamespace(Metric=lambda *parts: parts))
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setattr(Client, "runs", [])
    monkeypatch.setattr(Client, "broken", False)
    monkeypatch.setattr(Client, "gone", False)
    return Client.runs


def test_mlflow_is_told_names_that_it_takes_what_it_lacks_and_how_a_run_ended(tmp_path: Path, mlflow_runs: list[Any]) -> None:
    plan = make_plan(options=TINY | {"watch": "mlflow", "rivals": "greedy " * 2000})
    names = ["train/value_loss", "arena/ppo:../runs//a/./b", f"arena/ppo:{'x' * 300}", f"arena/ppo:{'x' * 301}"]
    for part, (error, status) in enumerate([(KeyboardInterrupt(), "KILLED"), (RunError("?"), "FAILED"), (None, "FINISHED")]):
        logger = logger_of(plan, tmp_path)
        (run,) = mlflow_runs
        assert run.status == "RUNNING" and run.data.params.keys() == plan.model_dump().keys()
        for name in names:
            logger.record(name, 0.5 + part)
        logger.dump(part)
        close(logger, error)
        assert run.status == status and set(run.data.metrics.values()) == {0.5 + part} and len(run.data.metrics) == len(names)
        del run.data.params["envs"], run.data.params["seed"]  # as if it had been killed while it told them


def test_a_run_that_mlflow_does_not_take_whole_is_not_shown_as_going_on(
    tmp_path: Path, mlflow_runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise RuntimeError("the server is away")

    monkeypatch.setattr(Client, "log_param", away)
    told: list[str] = []
    close(logger_of(make_plan(options=TINY | {"watch": "mlflow"}), tmp_path, told.append))
    assert [run.status for run in mlflow_runs] == ["FAILED"] and len(told) == 1


def test_whoever_watches_and_fails_is_told_of_once_and_the_run_goes_on(
    tmp_path: Path, mlflow_runs: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(Client, "broken", True)
    monkeypatch.setattr("hansa_training.job.picture", lambda *_: b"")
    options = SHORT | {"watch": "mlflow", "warm_start": "0", "self_play": "128"}
    assert train(tmp_path / "run", options=options)["curve"][-1]["decisions"] >= 128
    assert capsys.readouterr().err.count("mlflow failed (RuntimeError: the server is away); the run goes on without it") == 1


@pytest.mark.parametrize("gone", [False, True])
def test_whoever_watches_and_failed_is_told_all_the_same_how_the_run_ended(
    gone: bool, tmp_path: Path, mlflow_runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may be back by then; where it is not, nothing more is said."""
    told: list[str] = []
    logger = logger_of(make_plan(options=TINY | {"watch": "mlflow"}), tmp_path, told.append)
    monkeypatch.setattr(Client, "broken", True)
    for step in range(2):
        logger.record("train/value_loss", 0.5)
        logger.dump(step)
    monkeypatch.setattr(Client, "gone", gone)
    close(logger)
    assert [run.status for run in mlflow_runs] == ["RUNNING" if gone else "FINISHED"]
    assert len(told) == 1 and "mlflow failed (RuntimeError: the server is away)" in told[0]


def test_mlflow_has_the_figures_of_a_run_and_of_its_parts_one_run(tmp_path: Path, finished: Path, monkeypatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    folder = tmp_path / "run"
    result = train(folder, options=TINY | {"watch": "mlflow", "self_play": "96"})
    result = train(folder, resume=True, options={"self_play": TINY["self_play"]})
    client = mlflow.MlflowClient((folder / "mlruns").as_uri())
    (run,) = client.search_runs([client.get_experiment_by_name(PROJECT).experiment_id])
    assert run.info.run_name == "run" and run.data.params["envs"] == TINY["envs"] and run.info.status == "FINISHED"
    told = client.get_metric_history(run.info.run_id, "arena/greedy")
    points = {point["decisions"]: point["greedy"] for point in result["curve"]}
    assert {one.step: one.value for one in told} == points
    assert "train/value_loss" in run.data.metrics


def test_wandb_keeps_a_run_offline(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.delenv("WANDB_MODE", raising=False)
    plan = make_plan(options=TINY | {"watch": "wandb"})
    for part in range(2):
        logger = logger_of(plan, tmp_path)
        logger.record("train/value_loss", 0.25 + part)
        logger.dump(7)
        logger.close()
    kept = list((tmp_path / "wandb").glob("offline-run-*/*.wandb"))
    assert len(kept) >= 1 and len({file.stem for file in kept}) == 1, "both parts are one run"
    data = b"".join(file.read_bytes() for file in kept)
    assert b"value_loss" in data and b"decisions" in data and b"0.25" in data and b"1.25" in data


def test_who_watches_changes_no_figure(tmp_path: Path, finished: Path) -> None:
    pytest.importorskip("mlflow")
    train(tmp_path / "run", options=TINY | {"watch": "mlflow"})
    watched, alone = figures(tmp_path / "run"), figures(finished)
    assert watched["model.safetensors"] == alone["model.safetensors"] and watched["curve.jsonl"] == alone["curve.jsonl"]
