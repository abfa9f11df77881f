"""A small form of `python -m tests.formats.mutants`."""

from __future__ import annotations

import pytest

from tests.formats.mutant_kinds import all_kinds
from tests.formats.mutants import Kind, run


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_no_wrong_file_is_taken_and_no_error_is_raw(kind: Kind) -> None:
    (tally,) = run([kind], 60, seed=7)
    assert not tally.wrong and not tally.raw
    assert tally.refused > 30, "most of them are wrong"
