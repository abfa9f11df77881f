"""Who meets whom, and for how long."""

from copy import deepcopy
from functools import partial

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_env import HansaBatch, Ruleset
from hansa_training.league import LEARNER, Company, League
from hansa_training.networks import new_player
from hansa_training.plan import Plan
from hansa_training.sizes import NETWORKS
from hansa_training.state import pack, same_state, unpack

SMALL = NETWORKS["board-small"]


def of(players: int, fixed: list[str], rivals: list[str], company: Company) -> League:
    return League(Ruleset(players), fixed, rivals, 2, company, partial(new_player, Ruleset(players), SMALL))


def snapshot() -> MaskableActorCriticPolicy:
    return new_player(Ruleset(3), SMALL)


def league(players: int = 3, **settings) -> League:
    shares = {"all_learners": 0.2, "two_learners": 0.3, "from_frozen": 0.6}
    return of(players, ["greedy", "random"], [], Plan(**shares | settings).part(Company))


def test_tables_are_made_up_as_asked() -> None:
    one = league()
    one.add_snapshot(snapshot(), "first")
    one.draw_frozen()
    who = one.seat_players(20_000, np.random.default_rng(1))
    learners = (who == LEARNER).sum(1)
    np.testing.assert_allclose([np.mean(learners == n) for n in (3, 2, 1)], [0.2, 0.3, 0.5], atol=0.02)
    for row in who[learners == 1][:200]:
        assert len(set(row.tolist()) - {LEARNER}) == 1, "one opponent holds all other seats"
    met = who.max(1)[learners < 3]
    np.testing.assert_allclose([np.mean(met == n) for n in (0, 1, 2)], [0.2, 0.2, 0.6], atol=0.02)
    by_seat = (who[learners == 1] == LEARNER).mean(0)
    np.testing.assert_allclose(by_seat, 1 / 3, atol=0.02)


def test_with_two_players_there_is_no_table_of_two_learners_and_an_opponent() -> None:
    who = league(2, two_learners=0.8).seat_players(500, np.random.default_rng(1))
    assert set((who == LEARNER).sum(1)) == {1, 2} and (who == LEARNER).all(1).mean() < 0.3


def test_mixed_tables_have_any_number_of_learners_and_every_other_seat_drawn_by_itself() -> None:
    who = league(4, all_learners=0.2, two_learners=0.0, mixed=0.8).seat_players(20_000, np.random.default_rng(1))
    learners = (who == LEARNER).sum(1)
    np.testing.assert_allclose([np.mean(learners == n) for n in (1, 2, 3, 4)], [0.8 / 3] * 3 + [0.2], atol=0.02)
    alone = who[learners == 1]
    kinds = np.array([len(set(row.tolist()) - {LEARNER}) for row in alone])
    np.testing.assert_allclose(np.mean(kinds == 2), 3 / 4, atol=0.02)  # of two that are met equally often, at three seats
    np.testing.assert_allclose((alone == LEARNER).mean(0), 1 / 4, atol=0.02)


def test_rivals_take_turns_with_snapshots() -> None:
    one = of(3, ["greedy"], ["random", "scripted:link"], Company(0.0, 0.0, 1.0, 1.0, at_once=2))
    one.add_snapshot(snapshot(), "first")
    met = []
    for seed in range(40):
        one.draw_frozen()
        who = one.seat_players(200, np.random.default_rng(seed))
        met.append(tuple(sorted(set(who.ravel().tolist()) - {LEARNER})))
    assert set(met) == {(1, 2), (1, 3), (2, 3)}, "two at a time, and none else where all opponents are to be frozen ones"


def test_rivals_sit_at_the_first_tables_where_there_are_no_opponents() -> None:
    """Which are drawn before anything has been played."""
    who = of(3, [], ["random"], Plan().part(Company)).seat_players(100, np.random.default_rng(1))
    assert (who != LEARNER).any(1).mean() > 0.5


def test_opponents_of_one_name_are_told_apart() -> None:
    one = of(3, ["greedy", "greedy", "random"], ["greedy", "random", "greedy"], Plan().part(Company))
    assert list(one.labels.values()) == [
        "greedy", "greedy (2)", "random", "greedy (rival)", "random (rival)", "greedy (rival 3)"
    ]  # fmt: skip


def test_opponents_may_change_between_the_parts_of_a_run() -> None:
    before = of(3, ["greedy", "random"], ["scripted:link"], Plan(from_frozen=0.5).part(Company))
    before.add_snapshot(snapshot(), "first")
    for share in (1.0, 1.0, 0.0):
        before.note(1, share)
    state = unpack(*pack(before.state()))
    after = of(3, ["random", "scripted:blocker"], [], Plan(from_frozen=0.5).part(Company))
    after.set_state(state)
    assert {number: one.name for number, one in after.opponents.items()} == {1: "random", 3: "first", 4: "scripted:blocker"}
    assert (after.opponents[1].games, after.opponents[1].share) == (3, before.opponents[1].share)
    who = np.array([[LEARNER, 0, 1], [2, 3, 4], [0, 2, LEARNER]])
    after.reseat(who, np.random.default_rng(1))
    assert set(who.ravel().tolist()) <= {LEARNER, 1, 3, 4}
    assert (who[[0, 0, 1, 1, 2], [0, 2, 1, 2, 2]] == [LEARNER, 1, 3, 4, LEARNER]).all(), "who is still there stays"


def test_rivals_that_take_the_place_of_others_are_met_at_once() -> None:
    """Where there is nobody else, the learner would have all seats."""
    company = Plan(from_frozen=0.5, all_learners=0.2).part(Company)
    before = of(3, [], ["greedy"], company)
    after = of(3, [], ["random"], company)
    after.set_state(unpack(*pack(before.state())))
    who = before.seat_players(500, np.random.default_rng(1))
    after.reseat(who, np.random.default_rng(2))
    for seats in (who, after.seat_players(500, np.random.default_rng(3))):
        assert set(seats.ravel().tolist()) == {LEARNER, 1}
        np.testing.assert_allclose((seats == LEARNER).all(1).mean(), 0.2, atol=0.05)


def test_an_opponent_that_becomes_a_rival_is_met_at_once() -> None:
    before, after = of(3, ["greedy"], [], Plan().part(Company)), of(3, [], ["greedy"], Plan().part(Company))
    state = before.state()
    assert not after.has_opponents_of(state), "who is met is not as it was kept"
    after.set_state(unpack(*pack(state)))
    assert (after.seat_players(100, np.random.default_rng(1)) == 0).any()


@pytest.mark.parametrize("opponents", [[], ["greedy"]])
def test_nobody_is_drawn_where_a_run_goes_on_as_it_was(opponents: list[str]) -> None:
    before, after = (of(3, opponents, ["random", "scripted:link"], Plan().part(Company)) for _ in range(2))
    state = before.state()
    assert after.has_opponents_of(state)
    after.set_state(unpack(*pack(state)))
    assert same_state(after.state(), state)


def test_an_opponent_that_is_named_twice_is_met_twice_as_often_after_a_stop_too() -> None:
    before = of(3, ["greedy", "random", "greedy"], ["random"], Company(0.0, 0.0, 0.0, 0.0, 1))
    before.note(0, 1.0)
    after = of(3, ["greedy", "random", "greedy"], ["random"], Company(0.0, 0.0, 0.0, 0.0, 1))
    after.set_state(unpack(*pack(before.state())))
    assert after.opponents == before.opponents and len(after.opponents) == 4
    assert after.has_opponents_of(before.state())
    assert not of(3, ["greedy", "random"], ["random"], Plan().part(Company)).has_opponents_of(before.state())


def test_who_beats_the_learner_is_met_more_often() -> None:
    one = league(all_learners=0.0, from_frozen=0.0)
    for _ in range(2_000):
        one.note(0, 0.0)
        one.note(1, 1.0)
    who = one.seat_players(5_000, np.random.default_rng(1)).max(1)
    assert np.mean(who == 0) > 0.9 and (who == 1).any()


def test_who_always_loses_is_met_a_twenty_first_as_often_as_who_always_wins() -> None:
    one = league(all_learners=0.0, from_frozen=0.0)
    one.opponents[0].share, one.opponents[1].share = 0.0, 1.0
    who = one.seat_players(20_000, np.random.default_rng(1)).max(1)
    np.testing.assert_allclose(np.mean(who == 1), 0.05 / 1.1, atol=0.006)


def test_a_result_counts_a_two_hundredth_at_least() -> None:
    one = league()
    for share, found in ((1.0, 1 / 2), (0.0, 1 / 3)):
        one.note(0, share)
        np.testing.assert_allclose(one.opponents[0].share, found)
    for _ in range(1000):
        one.note(1, 0.0)
    one.note(1, 1.0)
    np.testing.assert_allclose(one.opponents[1].share, 0.005)


def test_snapshots_stay_as_they_were_and_leave_only_after_their_games() -> None:
    one, policy = league(), snapshot()
    batch = HansaBatch(64, Ruleset(3), seed=1)
    masks = batch.action_mask
    for number in range(4):
        one.add_snapshot(deepcopy(policy), f"snapshot {number}")
        if number == 0:
            before = one.agent(2, seed=3).act(batch.games, masks, batch.seat)
        with torch.no_grad():
            policy.features_extractor.route_logits.weight.add_(torch.randn(policy.features_extractor.route_logits.weight.shape))
    assert [opponent.retired for opponent in one.opponents.values()] == [False, False, True, True, False, False]
    assert {tuple(one._met) for _ in range(50) if one.draw_frozen() is None} == {(4,), (5,)}
    assert not {2, 3} & set(one.seat_players(2_000, np.random.default_rng(1)).ravel().tolist())
    one.forget(seated={2})
    assert sorted(one.opponents) == [0, 1, 2, 4, 5]
    assert (one.agent(2, seed=3).act(batch.games, masks, batch.seat) == before).all()
    assert (one.agent(5, seed=3).act(batch.games, masks, batch.seat) != before).any()
