"""Runs that others watch: what they are told, and that a run which goes on is the same one there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hansa_training.begin import train
from hansa_training.errors import PlanError
from hansa_training.plan import WATCHERS
from hansa_training.plan_file import make_plan
from hansa_training.watch import PROJECT, WRITERS, check_watch, logger_of
from tests.training.tiny import TINY, figures


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
