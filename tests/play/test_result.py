"""What games come to."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_env import HansaBatch, Ruleset
from hansa_env.play.result import wilson_interval, win_rewards, win_shares


def test_a_share_is_the_surer_the_more_games_there_are() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4), "Wilson's"
    low, high = wilson_interval(0, 100)
    assert low == 0 and high == pytest.approx(0.037, abs=1e-3)
    assert wilson_interval(500, 1000)[1] - wilson_interval(500, 1000)[0] < 0.07


@pytest.mark.parametrize("players", range(2, 6))
def test_shares_of_the_win_are_paid_as_games_are(players: int) -> None:
    batch = HansaBatch(60, Ruleset(players), seed=3, max_turns=1)
    batch.games["prestige"][:, :players] = np.random.default_rng(3).integers(3, size=(60, players))
    paid = np.zeros_like(batch.rewards)
    while not batch.ended.all():
        batch.step(batch.action_mask.argmax(1))
        paid += batch.rewards
    shares = win_shares(batch.ranks())
    assert {1.0, 0.5, 0.0} <= set(shares.ravel().tolist()), "won alone, shared and lost"
    assert (paid == win_rewards(shares, players).astype(np.float32)).all()
