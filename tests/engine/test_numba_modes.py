"""The engine with Numba's bounds check on, and as plain Python with the compiler off."""

import json
from pathlib import Path

import pytest

from tests.engine.checked_play import is_checked
from tests.engine.modes import run_module
from tests.engine.traces import trace
from tests.helpers import RULESETS


@pytest.mark.slow
def test_nothing_is_read_or_written_out_of_bounds(tmp_path: Path) -> None:
    assert not is_checked(), "the check is only on in the job"
    # What is checked does not depend on how much is optimised, and compiling takes a third less.
    counts = json.loads(run_module("tests.engine.checked_play", tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="1"))
    assert counts["decisions"] > 50_000 and counts["ends"] > 500
    assert counts["tried"] > 1_000 and counts["taken"] > 50


@pytest.mark.slow
def test_plain_python_plays_the_same_games(tmp_path: Path) -> None:
    """Without the compiler Python's own checks are on, and NumPy warns of numbers that do not fit where they are put."""
    plain = json.loads(run_module("tests.engine.traces", tmp_path, NUMBA_DISABLE_JIT="1"))
    assert not list(tmp_path.rglob("*.nbi")), "nothing was compiled"
    for ruleset, found in zip(RULESETS, plain, strict=True):
        compiled = trace(ruleset)
        differing = [number for number, (one, other) in enumerate(zip(compiled, found, strict=True)) if one != other]
        assert differing == [], f"{ruleset}: differs at decision {differing[0]}"
