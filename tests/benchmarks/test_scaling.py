"""What is computed of many ranks follows from what they send each other."""

import pytest

from hansa_benchmarks.scaling import Run, measured

RUN = Run(weights=1_000_000, game=1000, row=2000, envs=512, rollout=64, batch=2048, epochs=2, speed=10_000.0, latency=0.0)


def test_one_rank_exchanges_nothing() -> None:
    assert RUN.seconds(1, 1.0, growing=False) == pytest.approx((3.2768, 0.0))


def test_two_ranks_send_half_of_the_gradient_twice_for_each_minibatch() -> None:
    """16 minibatches of a rank's own rows, as many of the other's, twice over: 64 times 4 MB at 1 Gb/s."""
    assert RUN.minibatches(2, growing=False) == 64 and RUN.minibatches(2, growing=True) == 32
    assert RUN.sent(2) == 4_000_000
    assert RUN.seconds(2, 1.0, growing=False)[1] == pytest.approx(64 * 0.032)
    assert RUN.seconds(2, 1.0, growing=True)[1] == pytest.approx(32 * 0.032)


def test_messages_take_their_time_whatever_is_in_them() -> None:
    slow = RUN._replace(weights=0, latency=0.001)
    assert slow.seconds(11, 100.0, growing=True)[1] == pytest.approx(32 * 2 * 10 * 0.001)


def test_the_network_and_the_game_are_as_they_are() -> None:
    run = measured(3, "board", 9000.0)
    assert run.weights == 115_490 and run.game > 500
    assert run.row == 1202 + 156 + 8 + 5 * 4  # an observation, a mask, an action, and five numbers
    assert RUN.checkpoint(1) == 512 * 1000 + 896 * 2000, "of 512 games 128 have three learners, 128 two, 256 one"
    assert RUN.checkpoint(2) == 2 * RUN.checkpoint(1)
