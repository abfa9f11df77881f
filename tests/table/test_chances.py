"""The shares of the win of all seats sum to 1 at every moment and end with who has won."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansa_env.table.chances import chances


def test_a_seat_keeps_its_share_until_it_is_asked_again() -> None:
    found = chances([(0, 0, 0.4), (2, 1, 0.2), (4, 0, 0.1)], last=5, players=2, winners=[])
    assert found[0] == pytest.approx([0.4 / 0.9, 0.5 / 0.9], abs=1e-4) and found[1] == found[0], (
        "who was not asked yet: as good as any"
    )
    assert found[2] == pytest.approx([0.4 / 0.6, 0.2 / 0.6], abs=1e-4)
    assert found[4] == found[5] == pytest.approx([0.1 / 0.3, 0.2 / 0.3], abs=1e-4)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3), st.floats(0, 1)), max_size=30), st.integers(0, 15))
def test_every_row_sums_to_one_and_the_last_is_the_result(points: list, winners: int) -> None:
    won = [seat for seat in range(4) if winners >> seat & 1]
    found = chances(sorted(points), last=20, players=4, winners=won)
    assert len(found) == 21 and all(sum(row) == pytest.approx(1, abs=1e-3) for row in found)
    if won:
        assert [seat for seat in range(4) if found[20][seat] > 0] == won
