"""One tiny run for all the tests that only look at it."""

from pathlib import Path

import pytest

from hansa_training.begin import train
from tests.training.tiny import SHARED, TINY, figures


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    """The folder of a run that is done; not to be changed."""
    folder = tmp_path_factory.mktemp("finished") / "ppo"
    train(folder, options=TINY)
    return folder


@pytest.fixture(scope="session")
def alone(tmp_path_factory) -> dict[str, bytes]:
    """The figures of the run `SHARED` in one process."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    train(folder, options=SHARED)
    return figures(folder)


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs within a test leave an empty picture, which costs a quarter of a tiny run; that of `finished` is drawn."""
    monkeypatch.setattr("hansa_training.job.picture", lambda points, plan: b"")
