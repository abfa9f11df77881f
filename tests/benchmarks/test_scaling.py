"""What is computed of many ranks follows from what they send each other, keep and write."""

import pytest

from hansa_benchmarks.scaling import PLANNED, RANKS, Run, exchange, learners, measured, times
from hansa_training.plan import Plan

#: 512 games of 72 decisions, of which 7 in 12 are the learner's: 21,504 a rank and rollout, in 10 or 11 minibatches of 2,048.
RUN = Run(
    weights=1_000_000, game=1000, row=2000, players=3, seats=1.75, envs=512, rollout=72, batch_size=2048, n_epochs=2,
    checkpoint_every=8, evaluate_every=24, snapshots=6, at_once=1, machine=1, speed=10_000.0,
    question=1e-3, forward=1e-5, report=1e-3, result=0.0, saved=1e8, latency=0.0,
)  # fmt: skip


def test_one_rank_exchanges_nothing() -> None:
    assert RUN.seconds(1, 1.0, growing=False) == pytest.approx(
        {"playing and learning": 2.1504, "gradients": 0, "results for the league": 0, "checkpoints": RUN.saving(1, 1.0)}
    )


def test_two_ranks_send_half_of_the_gradient_twice_for_each_minibatch() -> None:
    """10 minibatches of a rank's own decisions, 21 of both ranks', twice over; half of 4 MB, twice, at 1 Gb/s: 32 ms."""
    assert RUN.minibatches(2, growing=False) == 42 and RUN.minibatches(2, growing=True) == 20
    assert RUN.sent(2) == RUN.line(2) == 4_000_000
    assert RUN.reduction(2, 1.0) == pytest.approx(0.032) and RUN.reduction(2, 100.0) == pytest.approx(0.00032)
    assert RUN.seconds(2, 1.0, growing=False)["gradients"] == pytest.approx(42 * 0.032)
    assert RUN.seconds(2, 1.0, growing=True)["gradients"] == pytest.approx(20 * 0.032)


def test_ranks_of_a_machine_share_its_line() -> None:
    """Of eight ranks on two machines each sends half of 4 MB to the other machine: 8 MB; the ring hands on 7/8 of 4 MB."""
    two = RUN._replace(machine=4)
    assert two.line(4) == 0 and two.line(8) == 8_000_000 + 3_500_000
    assert two.reduction(8, 1.0) == pytest.approx(0.092)


def test_threads_of_a_rank_spare_messages() -> None:
    """Two ranks of four cores, each on a machine of its own: four gradients of 4 MB and one sum, half of each to the other."""
    run = RUN._replace(machine=4).with_threads(4)
    assert run.line(2) == run.sent(2) == 10_000_000 and run.minibatches(2, growing=True) == 20
    assert run.seconds(2, 1.0, growing=True)["playing and learning"] == pytest.approx(2.1504)
    assert run.checkpoint(2) == RUN.checkpoint(8)
    assert run.against_networks() == pytest.approx(RUN.against_networks()), "each thread asks for the games of its shard"


def test_only_what_is_told_of_each_game_grows_with_the_threads() -> None:
    """512 games of 72 decisions are the 300 of a whole one 122.88 times: 0.12288 s, and four times that with four threads;
    what is read besides takes a millisecond in any case."""
    run = RUN._replace(result=1e-3)
    assert run.told() == pytest.approx(0.12388) and run.with_threads(4).told() == pytest.approx(0.49252)
    assert run.with_threads(4).seconds(10, 1.0, growing=True)["results for the league"] == pytest.approx(4.9252)


@pytest.mark.parametrize(("players", "seats", "share"), [(2, 1.25, 0.625), (3, 1.75, 7 / 12), (4, 2.0, 0.5), (5, 2.25, 0.45)])
def test_the_learners_seats_follow_from_the_number_of_players(players: int, seats: float, share: float) -> None:
    """It has all seats in a quarter of the games, two in another quarter (one where there are only two), one in the rest."""
    assert learners(players) == seats
    run = RUN._replace(players=players, seats=seats)
    assert run.learned(1) == pytest.approx(512 * 72 * share)
    assert run.checkpoint(2) == 2 * 512 * (1000 + seats * 2000)
    asked = 512 * 72 * (1 - share) * 1e-5 + 72 * 1e-3
    assert run.against_networks() == pytest.approx(asked / (512 * 72 * share / 10_000))
    own = measured(players)
    assert (own.players, own.seats) == (players, seats)


def test_messages_take_their_time_whatever_is_in_them() -> None:
    slow = RUN._replace(weights=0, latency=0.001)
    assert slow.reduction(11, 100.0) == pytest.approx(2 * 10 * 0.001)


def test_every_rank_hears_of_all_games_and_the_first_writes_them() -> None:
    """Of 512 games of 1,000 bytes 128 have three learners, 128 two, 256 one: 896 decisions of 2,000 bytes: 2.304 MB a rank.
    Four sets of weights and six copies: 40 MB. At 1 Gb/s half of two ranks' 4.608 MB comes in 18.432 ms, and 44.608 MB are
    written in 446.08 ms; 5 times in 24 rollouts: at three that end in a multiple of 8, and twice at a point of the curve."""
    assert RUN.checkpoint(1) == 2_304_000 and RUN.checkpoint(2) == 4_608_000 and RUN.networks() == 40e6
    assert RUN.saving(2, 1.0) == pytest.approx((0.018432 + 0.44608) * 5 / 24)
    assert RUN.seconds(100, 1.0, growing=True)["results for the league"] == pytest.approx(0.1)


def test_networks_as_opponents_cost_every_rank_the_same() -> None:
    """72 decisions of 512 games, 5 in 12 of the others: 15,360 times 10 µs; 72 questions of 1 ms to each of two networks."""
    assert RUN._replace(at_once=2).against_networks() == pytest.approx((0.1536 + 0.144) / 2.1504)


def test_the_network_and_the_game_are_as_they_are() -> None:
    run = measured(3, "board", 9000.0)
    assert run.weights == 115_490 and run.game > 500
    assert run.row == 1202 + 156 + 8 + 5 * 4  # an observation, a mask, an action, and five numbers


def test_another_default_of_the_plan_is_that_of_a_run(monkeypatch) -> None:
    for option in PLANNED:
        monkeypatch.setattr(Plan.model_fields[option], "default", 7)
    run = measured()
    assert {getattr(run, option) for option in PLANNED} == {7}


def test_the_tables_have_a_line_for_each_number_of_ranks() -> None:
    """16 ranks of 21,504 decisions, minibatches of 2,048 each, a rate four times that of one; a rank sends 8 MB less a
    sixteenth, 20 times."""
    columns, rows = exchange(RUN._replace(latency=1e-4))
    assert [row[0] for row in rows] == [f"{ranks:,}" for ranks in RANKS] and {len(row) for row in rows} == {len(columns)}
    assert rows[2][1:5] == ("344,064", "32,768", "0.006", "150")
    assert rows[2][5:] == ("63.0", "9.0", "3.6"), "60 ms of 7.5 MB and 3 ms of messages at 1 Gb/s"
    columns, rows = times(RUN)
    assert {len(row) for row in rows} == {len(columns)} and columns[1] == "playing and learning, s"
    assert rows[0][1:3] == ("2.15", "0.00")
