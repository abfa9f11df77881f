"""One tiny run for all the tests that only look at it."""

from pathlib import Path

import pytest

from hansa_training.begin import train
from tests.training.tiny import TINY


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    """The folder of a run that is done; not to be changed."""
    folder = tmp_path_factory.mktemp("finished") / "ppo"
    train(folder, options=TINY)
    return folder
