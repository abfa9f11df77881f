"""`HansaBatch`: sizes, threads, seeds, endings and rewards."""

import copy
import pickle

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, IllegalAction, RecordError, Ruleset, hansa_teutonica_v0
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.engine import kernels
from hansa_env.play.arguments import MAX_TURNS
from tests.helpers import RULESETS, choose, choose_eagerly, ruleset_id

by_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)


def trace(batch: HansaBatch, rows: list[int], steps: int) -> list[bytes]:
    """The bytes of some rows after each step; row i always chooses by the same random numbers."""
    streams = [np.random.default_rng([9, i]) for i in range(batch.num_games)]
    seen = []
    for _ in range(steps):
        actions = [choose(batch.action_mask[i : i + 1], streams[i])[0] for i in range(batch.num_games)]
        batch.step(np.array(actions))
        seen.append(batch.games[rows].tobytes())
    return seen


@by_ruleset
def test_games_do_not_depend_on_batch_size_or_threads(ruleset: Ruleset) -> None:
    alone = trace(HansaBatch(1, ruleset, seed=11, autoreset=True, max_turns=4), [0], 150)
    assert trace(HansaBatch(64, ruleset, seed=11, autoreset=True, max_turns=4), [0], 150) == alone
    many = trace(HansaBatch(64, ruleset, seed=11, autoreset=True, max_turns=4), list(range(64)), 60)
    assert trace(HansaBatch(64, ruleset, seed=11, autoreset=True, max_turns=4, threads=3), list(range(64)), 60) == many


def test_the_seed_decides_the_markers() -> None:
    ruleset = Ruleset(3)
    a, b, c = (HansaBatch(64, ruleset, seed=seed) for seed in (1, 1, 2))
    assert (a.games == b.games).all()
    assert (a.games["pile"] != c.games["pile"]).any(1).sum() > 50
    assert len({row.tobytes() for row in a.games["pile"]}) > 50, "games of a batch are dealt differently"
    a.reset()
    assert (a.games["pile"] != b.games["pile"]).any(1).sum() > 50, "the next games are others"
    a.reset(seed=1)
    assert (a.games == b.games).all()


def test_reset_where_touches_those_rows_alone() -> None:
    batch = HansaBatch(6, Ruleset(4), seed=1)
    rng = np.random.default_rng(0)
    for _ in range(20):
        batch.step(choose(batch.action_mask, rng))
    before = batch.games.copy()
    where = np.array([True, False, False, True, False, False])
    batch.reset(where=where)
    assert (batch.games[~where] == before[~where]).all()
    assert (batch.games["turns"][where] == 0).all() and (batch.seat[where] == 0).all()


def test_minus_one_leaves_a_game_alone() -> None:
    batch = HansaBatch(3, Ruleset(3), seed=1)
    actions = choose(batch.action_mask, np.random.default_rng(0))
    actions[1] = -1
    before = batch.games.copy()
    batch.step(actions)
    assert batch.games[1] == before[1] and batch.games[0] != before[0] and batch.games[2] != before[2]


def test_an_illegal_action_names_itself_and_changes_no_game() -> None:
    batch = HansaBatch(3, Ruleset(3), seed=1)
    before = batch.games.tobytes()
    legal = choose(batch.action_mask, np.random.default_rng(0))
    wrong = legal.copy()
    wrong[2] = np.flatnonzero(~batch.action_mask[2])[0]
    with pytest.raises(IllegalAction, match=r"game 2: seat 0 was asked 'act' and gave .*; legal: done, "):
        batch.step(wrong)
    assert batch.games.tobytes() == before
    wrong[2] = 999
    with pytest.raises(IllegalAction, match=r"999, outside 0\.\."):
        batch.step(wrong)
    assert batch.games.tobytes() == before


def test_after_the_end_only_minus_one_is_taken() -> None:
    batch = HansaBatch(2, Ruleset(3), seed=1, max_turns=40)
    rng = np.random.default_rng(0)
    rewards = np.zeros((2, 3))
    while not batch.ended.all():
        batch.step(choose_eagerly(batch, rng))
        rewards += batch.rewards
    scores = batch.final_scores.copy()
    with pytest.raises(IllegalAction, match="game 0: the game is over"):
        batch.step(np.zeros(2, np.int64))
    batch.step(np.array([-1, -1]))
    assert batch.cut_off.all() and (batch.final_scores == scores).all()
    assert batch.terminated.all() and not batch.truncated.any(), "it is scored, and over"
    assert rewards.any() and not batch.rewards.any(), "a reward is paid once"


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
@by_ruleset
def test_rewards_are_zero_sum_and_follow_the_scores(ruleset: Ruleset, reward: str) -> None:
    batch = HansaBatch(24, ruleset, seed=2, max_turns=25, reward=reward)
    rng = np.random.default_rng(2)
    paid = np.zeros((24, ruleset.players))
    while not batch.ended.all():
        batch.step(choose_eagerly(batch, rng))
        paid += batch.rewards
    players = ruleset.players
    totals = batch.final_scores[:, :, -1].astype(float)
    np.testing.assert_allclose(paid.sum(1), 0, atol=1e-5)
    if reward == "margin":
        np.testing.assert_allclose(paid, (totals - totals.mean(1, keepdims=True)) / 50, atol=1e-5)
    elif reward == "win":
        winners = batch.winners()
        share = winners / winners.sum(1, keepdims=True)
        np.testing.assert_allclose(paid, (players * share - 1) / (players - 1), atol=1e-5)
        assert (totals[np.arange(24), winners.argmax(1)] == totals.max(1)).all()
    else:
        ahead = (totals[:, None, :] > totals[:, :, None]).sum(2)
        level = (totals[:, None, :] == totals[:, :, None]).sum(2) - 1
        if ruleset.edition not in ("second", "bigbox"):  # whose ties are broken by other things than points
            np.testing.assert_allclose(paid, 1 - (2 * ahead + level) / (players - 1), atol=1e-5)
        clear = level == 0
        assert clear.any()
        np.testing.assert_allclose(paid[clear], (1 - 2 * ahead / (players - 1))[clear], atol=1e-5)


def test_autoreset_deals_the_next_game_in_the_same_step() -> None:
    ruleset = Ruleset(3)
    batch = HansaBatch(16, ruleset, seed=5, max_turns=2, autoreset=True)
    manual = HansaBatch(16, ruleset, seed=5, max_turns=2)
    rng = np.random.default_rng(5)
    ends = 0
    for _ in range(200):
        actions = choose(batch.action_mask, rng)
        batch.step(actions)
        manual.step(actions)
        ended = manual.cut_off
        assert (batch.cut_off == ended).all() and (batch.terminated == ended).all() and (batch.rewards == manual.rewards).all()
        assert (batch.final_scores == manual.final_scores).all()
        manual.reset(where=ended)
        assert (batch.games == manual.games).all() and (batch.seat == manual.seat).all()
        ends += ended.sum()
    assert ends > 16


def test_a_copy_plays_on_by_itself() -> None:
    batch = HansaBatch(4, Ruleset(4), seed=1)
    rng = np.random.default_rng(1)
    copy = batch.copy()
    before = batch.games.tobytes()
    copy.step(choose(copy.action_mask, rng))
    assert batch.games.tobytes() == before and copy.games.tobytes() != before
    batch.step(choose(batch.action_mask, np.random.default_rng(1)))
    assert batch.games.tobytes() == copy.games.tobytes() and (batch.action_mask == copy.action_mask).all()


def in_the_middle(turns: int = 6, max_turns: int | None = None) -> HansaBatch:
    """A game under way, at a question of another seat than the first."""
    batch = HansaBatch(1, Ruleset(3), seed=4, max_turns=max_turns)
    rng = np.random.default_rng(4)
    while batch.games["turns"][0] < turns or batch.seat[0] == 0:
        batch.step(choose_eagerly(batch, rng))
    return batch


def test_records_that_are_put_are_at_once_what_is_asked_and_keep_to_the_limit_of_the_batch() -> None:
    other = in_the_middle()
    batch = HansaBatch(4, Ruleset(3), seed=1, max_turns=3)
    before, mask = batch.games.copy(), batch.action_mask.copy()
    batch.put([1, 3], other.games[0])
    assert batch.seat.tolist() == [0, other.seat[0], 0, other.seat[0]]
    assert (batch.action_mask[[1, 3]] == other.action_mask[0]).all() and (batch.action_mask[[0, 2]] == mask[[0, 2]]).all()
    assert batch.games.take([0, 2]).tobytes() == before.take([0, 2]).tobytes()
    assert set(batch.games["turn_limit"].tolist()) == {9} and other.games["turn_limit"][0] == 0
    batch.put(np.array([True, False, False, False]), other.games)
    assert batch.games["turns"].tolist() == [other.games["turns"][0]] * 2 + [0] + [other.games["turns"][0]]


def finished(ruleset: Ruleset, max_turns: int | None) -> HansaBatch:
    """Games that are over, by their rules or by the limit."""
    batch, rng = HansaBatch(2, ruleset, seed=4, max_turns=max_turns), np.random.default_rng(4)
    while not batch.terminated.all():
        batch.step(np.where(batch.terminated, -1, choose_eagerly(batch, rng)))
    return batch


@pytest.mark.parametrize("max_turns", [2, None])
def test_of_records_of_games_that_are_over_the_batch_says_so(max_turns: int | None) -> None:
    """A search that puts the ends of games among positions stops there."""
    over = finished(Ruleset(3), max_turns)
    batch = HansaBatch(3, Ruleset(3), seed=1)
    batch.put([2, 0], over.games)
    assert batch.terminated.tolist() == [True, False, True]
    assert batch.cut_off.tolist() == [max_turns is not None, False, max_turns is not None]
    assert (batch.final_scores[[2, 0]] == over.final_scores).all() and not batch.final_scores[1].any()
    assert not batch.rewards.any()
    batch.step(np.where(batch.terminated, -1, batch.action_mask.argmax(1)))
    assert batch.terminated.tolist() == [True, False, True] and not batch.rewards.any()
    batch.put([2], batch.games[1])
    assert batch.terminated.tolist() == [True, False, False] and batch.cut_off.tolist() == [max_turns is not None, False, False]
    held = HansaBatch.holding(Ruleset(3), over.games.copy(), 0)
    assert held.terminated.all() and (held.cut_off == over.cut_off).all() and (held.final_scores == over.final_scores).all()
    dealing = HansaBatch(3, Ruleset(3), seed=1, autoreset=True)
    before = dealing.games.tobytes()
    for games in (over.games, over.games[1]):
        with pytest.raises(ValueError, match="a game that is over was given; expected games that go on"):
            dealing.put([0, 1], games)
    assert dealing.games.tobytes() == before


@pytest.mark.parametrize(
    ("rows", "games", "said"),
    [([0, 1], "three", r"games are records of shape \(3,\); expected game records of shape \(2,\)"),
     ([0], np.zeros(1), r"games are float64 of shape \(1,\)"),
     (np.array([True, False, True]), "three", r"expected game records of shape \(2,\)")],
)  # fmt: skip
def test_what_is_no_record_for_each_row_is_not_put(rows, games, said: str) -> None:
    batch = HansaBatch(3, Ruleset(3), seed=1)
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match=said):
        batch.put(rows, HansaBatch(3, Ruleset(3), seed=2).games if isinstance(games, str) else games)
    assert batch.games.tobytes() == before


def test_a_record_written_into_games_by_hand_leaves_nothing_stale() -> None:
    """Neither mask nor seat of the game before, and no turn limit but the batch's own."""
    other, batch = in_the_middle(turns=12), HansaBatch(2, Ruleset(3), seed=1, max_turns=2)
    assert batch.action_mask.any() and (batch.seat == 0).all()
    batch.games[:] = other.games[0]
    assert (batch.seat == other.seat[0]).all() and (batch.action_mask == other.action_mask[0]).all()
    rng = np.random.default_rng(0)
    for _ in range(60):
        batch.step(np.where(batch.ended, -1, choose(batch.action_mask | batch.ended[:, None], rng)))
    assert batch.cut_off.all() and (batch.games["turns"] == other.games["turns"] + 1).all(), "at the end of the turn under way"


def test_a_turn_is_limited_alike_wherever_a_game_begins() -> None:
    aec, single = hansa_teutonica_v0.raw_env(players=3), HansaTeutonicaEnv(players=3)
    batches = HansaBatch(1, Ruleset(3)), aec._batch, single.core.batch
    assert {Game(Ruleset(3)).max_turns, *(batch.games["turn_limit"][0] // 3 for batch in batches)} == {MAX_TURNS}


def test_a_record_that_names_no_limit_is_replayed_whole() -> None:
    """One that was made before games had a limit by default, of more turns than that."""
    game, rng = Game(Ruleset(2), max_turns=None), np.random.default_rng(0)
    while game.state["turns"] <= 2 * MAX_TURNS + 1:
        game.play("done" if "done" in game.legal() else "income 0" if "income 0" in game.legal() else rng.choice(game.legal()))
    again = Game.from_record(game.record())
    assert again.position() == game.position() and again.max_turns is None and not again.over
    with pytest.raises(RecordError, match="the game is over"):
        Game.from_record(game.record(), max_turns=MAX_TURNS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_games": number}, f"num_games is {number}; expected a whole number of at least 1")
        for number in (0, -3, 1.5, None, True)
    ]
    + [({"max_turns": 0}, "max_turns is 0"), ({"reward": "fun"}, "unknown reward 'fun'")],
)
def test_bad_arguments(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HansaBatch(**{"num_games": 2, "ruleset": Ruleset(3), **arguments})


def test_buffers_of_the_wrong_shape_are_refused() -> None:
    batch = HansaBatch(2, Ruleset(3))
    with pytest.raises(ValueError, match="expected a C-contiguous int8"):
        batch.observe(np.zeros((2, 3), np.int8))
    with pytest.raises(ValueError, match="expected a C-contiguous int8"):
        batch.observe(np.zeros((batch.observation_size, 2), np.int8).T)
    with pytest.raises(ValueError, match="expected a C-contiguous bool"):
        batch.write_mask(np.zeros((2, batch.num_actions), np.int8))
    with pytest.raises(ValueError, match=r"out is a list; expected a C-contiguous bool \(2, 156\)"):
        batch.write_mask(batch.action_mask.tolist())
    with pytest.raises(ValueError, match="out is a memoryview; expected a C-contiguous int8"):
        batch.observe(memoryview(batch.observe()))
    with pytest.raises(ValueError, match="expected whole numbers"):
        batch.step(np.zeros(2))
    with pytest.raises(ValueError, match="actions have shape"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="where has shape"):
        batch.reset(where=np.array([True]))


def test_a_pickled_batch_plays_on_and_recompiles_nothing() -> None:
    batch = HansaBatch(3, Ruleset(3), seed=1, threads=2)
    again = pickle.loads(pickle.dumps(batch))
    actions = choose(batch.action_mask, np.random.default_rng(0))
    batch.step(actions)
    compiled = len(kernels.step_games.signatures)
    again.step(actions)
    assert (batch.games == again.games).all() and (batch.action_mask == again.action_mask).all()
    assert len(kernels.step_games.signatures) == compiled


def test_who_decides_has_the_name_that_other_environments_give_it() -> None:
    batch = HansaBatch(64, Ruleset(3), seed=5)
    who = set()
    for _ in range(30):
        batch.step(batch.action_mask.argmax(1))
        assert (batch.current_player == batch.games["seat"]).all()
        who.update(batch.current_player.tolist())
    assert who == {0, 1, 2}
    game = Game(Ruleset(3), seed=5)
    while not game.over:
        assert game.current_player == int(game.state["seat"])
        game.play_action(game.legal_actions()[0])
    assert game.current_player is None


def test_a_shallow_copy_is_a_batch_of_its_own() -> None:
    batch = in_the_middle()
    before, other = batch.games.tobytes(), copy.copy(batch)
    other.step(other.action_mask.argmax(axis=1))
    assert batch.games.tobytes() == before and batch.action_mask.any()


def test_no_rows_may_be_put_and_rows_that_there_are_not_may_not() -> None:
    batch = HansaBatch(3, Ruleset(3), seed=1)
    before = batch.games.tobytes()
    batch.put([], batch.games[:0])
    for rows, text in (
        ([3], "row 3 does not exist; expected 0 to 2"),
        ([-1], "row -1 does not exist"),
        ([2, 0, 2], "row 2 is named twice; expected each row once"),
        ([0.5], "expected whole"),
    ):
        with pytest.raises(ValueError, match=text):
            batch.put(rows, batch.games[:1])
    assert batch.games.tobytes() == before
