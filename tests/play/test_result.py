"""What games come to."""

from __future__ import annotations

import pytest

from hansa_env.play.result import wilson_interval


def test_a_share_is_the_surer_the_more_games_there_are() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4), "Wilson's"
    low, high = wilson_interval(0, 100)
    assert low == 0 and high == pytest.approx(0.037, abs=1e-3)
    assert wilson_interval(500, 1000)[1] - wilson_interval(500, 1000)[0] < 0.07
