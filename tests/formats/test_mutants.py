"""A small form of `python -m tests.formats.mutants`."""

from __future__ import annotations

import pytest

from tests.formats.mutant_kinds import all_kinds
from tests.formats.mutants import Kind, run

#: Those whose files take long to read.
DEAR = {"checkpoints", "networks as ONNX"}
KINDS = [pytest.param(kind, marks=[pytest.mark.slow] * (kind.name in DEAR)) for kind in all_kinds()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_wrong_file_is_taken_and_no_error_is_raw(kind: Kind) -> None:
    (tally,) = run([kind], 60, seed=7)
    assert not tally.wrong and not tally.raw
    assert tally.refused > 30, "most of them are wrong"
