"""The shares of the win of all seats sum to 1 at every moment and end with who has won."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansa_env.play.chances import chances

SHARES = st.lists(st.floats(0.01, 1), min_size=4, max_size=4).map(lambda some: [one / sum(some) for one in some])
THOUGHTS = st.builds(lambda value, seats: {"value": value} | ({"seats": seats} if seats else {}),
                     st.none() | st.floats(0, 1), st.none() | SHARES)  # fmt: skip


def test_a_seat_keeps_its_share_until_it_is_asked_again() -> None:
    thoughts = {number: {"value": value} for number, value in ((0, 0.4), (2, 0.2), (4, 0.1))}
    found = chances(thoughts, [0, 1, 1, 0, 0, 1], players=2, winners=[])
    assert found[0] == pytest.approx([0.4 / 0.9, 0.5 / 0.9], abs=1e-4) and found[1] == found[0], (
        "who was not asked yet: as good as any"
    )
    assert found[2] == pytest.approx([0.4 / 0.6, 0.2 / 0.6], abs=1e-4)
    assert found[4] == found[5] == pytest.approx([0.1 / 0.3, 0.2 / 0.3], abs=1e-4)


def test_what_is_said_of_every_seat_stands_until_more_is_said() -> None:
    thoughts = {0: {"value": 0.2, "seats": [0.2, 0.5, 0.3]}, 2: {"value": 0.9, "seats": None}}
    found = chances(thoughts, [0, 1, 2, 0], players=3, winners=[])
    assert found[0] == found[1] == [0.2, 0.5, 0.3]
    assert found[2] == pytest.approx([0.2 / 1.6, 0.5 / 1.6, 0.9 / 1.6], abs=1e-4)


@given(st.dictionaries(st.integers(0, 20), THOUGHTS), st.lists(st.integers(0, 3), min_size=21, max_size=21), st.integers(0, 15))
def test_every_row_sums_to_one_and_the_last_is_the_result(thoughts: dict, seats: list, winners: int) -> None:
    won = [seat for seat in range(4) if winners >> seat & 1]
    found = chances(thoughts, seats, players=4, winners=won)
    assert len(found) == 21 and all(sum(row) == pytest.approx(1, abs=1e-3) for row in found)
    if won:
        assert [seat for seat in range(4) if found[20][seat] > 0] == won
